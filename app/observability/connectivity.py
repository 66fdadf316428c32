"""Checks for `tabwright doctor`: whether LangFuse and Sentry are configured and respond."""

from dataclasses import dataclass

import httpx

from app.net.urls import without_credentials
from app.observability.config import Misconfigured, langfuse_config, sentry_dsn
from app.settings import Settings

TIMEOUT_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connectivity:
    """The state of one service. `todo` says what to do if it is not `ok`; Tabwright runs without it."""

    ok: bool
    detail: str
    todo: str = ""


async def check_langfuse(settings: Settings) -> Connectivity:
    """Whether LangFuse accepts the keys."""
    try:
        config = langfuse_config(settings)
    except Misconfigured as error:
        return Connectivity(ok=False, detail="off", todo=f"{error}. Nothing is traced until then.")
    if config is None:
        return Connectivity(
            ok=True, detail="off (LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set)"
        )
    server = without_credentials(config.base_url)
    keys = (config.public_key, config.secret_key)
    status = await _get_status(f"{config.base_url}/api/public/projects", keys)
    if status == httpx.codes.OK:
        return Connectivity(ok=True, detail=f"{server}, keys accepted")
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        todo = "Check LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY: the keys are wrong. Traces are dropped."
        return Connectivity(ok=False, detail=f"{server}: {status}", todo=todo)
    problem = f"responds with {status}" if status else "does not respond"
    todo = "Check LANGFUSE_BASE_URL and its server. Traces are queued in memory, then dropped."
    return Connectivity(ok=False, detail=f"{server} {problem}", todo=todo)


async def check_sentry(settings: Settings) -> Connectivity:
    """Whether Sentry's server responds. A wrong key shows only when the first exception is sent."""
    try:
        dsn = sentry_dsn(settings)
    except Misconfigured as error:
        return Connectivity(
            ok=False, detail="off", todo=f"{error}. No exception is reported until then."
        )
    if dsn is None:
        return Connectivity(ok=True, detail="off (SENTRY_DSN is not set)")
    server = without_credentials(dsn)
    if await _get_status(server) is None:
        todo = "Check SENTRY_DSN and its server. Until then exceptions are only in the log."
        return Connectivity(ok=False, detail=f"{server} does not respond", todo=todo)
    return Connectivity(ok=True, detail=f"{server}, responds")


async def _get_status(url: str, auth: tuple[str, str] | None = None) -> int | None:
    """The HTTP status of a GET; None without a response."""
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S) as client:
            return (await client.get(url, auth=auth)).status_code
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
