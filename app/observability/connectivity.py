"""What `tabwright doctor` says of LangFuse and Sentry: whether they are set up, and whether they answer."""

from dataclasses import dataclass

import httpx

from app.observability import langfuse_config, sentry_config
from app.settings import Settings

REACH_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """One of them. `todo` says what to do when it is not `ok`; the product goes on without it."""

    ok: bool
    detail: str
    todo: str = ""


async def langfuse(settings: Settings) -> Reached:
    """Whether LangFuse takes the keys."""
    try:
        config = langfuse_config.configured(settings)
    except langfuse_config.Misconfigured as error:
        return Reached(ok=False, detail="off", todo=f"{error}. Until then nothing is traced.")
    if config is None:
        return Reached(ok=True, detail=langfuse_config.OFF)
    address = f"{config.base_url}/api/public/projects"
    where = langfuse_config.shown(config)
    status = await _status(address, (config.public_key, config.secret_key))
    if status == httpx.codes.OK:
        return Reached(ok=True, detail=f"{where}, takes the keys")
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        todo = "Its keys are wrong: LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY. Traces are dropped."
        return Reached(ok=False, detail=f"{where}: {status}", todo=todo)
    said = f"answers {status}" if status else "does not answer"
    todo = (
        "Look at LANGFUSE_BASE_URL and its server. Traces wait in bounded memory, then are dropped."
    )
    return Reached(ok=False, detail=f"{where} {said}", todo=todo)


async def sentry(settings: Settings) -> Reached:
    """Whether Sentry's server is there. That it takes the key is seen with the first exception."""
    try:
        dsn = sentry_config.dsn_of(settings)
    except sentry_config.Misconfigured as error:
        return Reached(ok=False, detail="off", todo=f"{error}. Until then no exception is told.")
    if dsn is None:
        return Reached(ok=True, detail=sentry_config.OFF)
    address = sentry_config.address_of(dsn)
    if await _status(address) is None:
        todo = "Look at SENTRY_DSN and its server. Exceptions are in the log alone."
        return Reached(ok=False, detail=f"{address} does not answer", todo=todo)
    return Reached(ok=True, detail=f"{address}, answers")


async def _status(address: str, auth: tuple[str, str] | None = None) -> int | None:
    """The status of its answer; None without one."""
    try:
        async with httpx.AsyncClient(timeout=REACH_S) as client:
            return (await client.get(address, auth=auth)).status_code
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
