"""Settings of LangFuse and Sentry, checked without importing their libraries."""

from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from urllib.parse import urlsplit

import httpx

from app.net.urls import is_http_url, without_credentials
from app.settings import Settings
from app.text import patterns

LANGFUSE_CLOUD = "https://cloud.langfuse.com"
LONGEST_ENVIRONMENT = 40  # langfuse.com/docs/observability/features/environments


class Misconfigured(Exception):
    """A service is configured in part, or with an invalid value. The message never quotes the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LangfuseConfig:
    """Where traces are sent, and how they are labelled."""

    public_key: str
    secret_key: str = field(repr=False)
    base_url: str = LANGFUSE_CLOUD
    environment: str = "production"


def langfuse_config(settings: Settings) -> LangfuseConfig | None:
    """The configuration of LangFuse; None without keys. Raises `Misconfigured`."""
    public = (settings.langfuse_public_key or "").strip()
    secret = settings.langfuse_secret_key
    secret_key = secret.get_secret_value().strip() if secret else ""
    if not public and not secret_key:
        return None
    for name, key in (("LANGFUSE_PUBLIC_KEY", public), ("LANGFUSE_SECRET_KEY", secret_key)):
        if not key:
            raise Misconfigured(f"{name} is not set, but the other key is")
        if not all("!" <= character <= "~" for character in key):
            raise Misconfigured(f"{name} contains a character that is not valid in a key")
    base_url = (settings.langfuse_base_url or "").strip().rstrip("/") or LANGFUSE_CLOUD
    if not is_http_url(base_url):
        raise Misconfigured(f"LANGFUSE_BASE_URL is not a URL such as {LANGFUSE_CLOUD}")
    return LangfuseConfig(
        public_key=public,
        secret_key=secret_key,
        base_url=base_url,
        environment=environment_name(settings.environment),
    )


def sentry_dsn(settings: Settings) -> str | None:
    """The DSN of Sentry; None without one. Raises `Misconfigured`."""
    dsn = settings.sentry_dsn.get_secret_value().strip() if settings.sentry_dsn else ""
    if not dsn:
        return None
    parts = urlsplit(dsn) if is_http_url(dsn) else None
    if parts is None or not parts.username or not parts.path.rpartition("/")[2].isdecimal():
        raise Misconfigured("SENTRY_DSN is not of the form https://key@host/number")
    return dsn


def environment_name(given: str) -> str:
    """The environment in the form that LangFuse accepts: `[a-z0-9_-]`, no prefix of its own."""
    name = patterns.sub(r"[^a-z0-9_-]+", "-", given.strip().lower()).strip("-") or "default"
    name = f"x-{name}" if name.startswith("langfuse") else name
    return name[:LONGEST_ENVIRONMENT]


@cache
def release() -> str:
    """The package and its version, `tabwright@0.1.0`."""
    try:
        return f"tabwright@{metadata.version('tabwright')}"
    except metadata.PackageNotFoundError:  # run from a bare checkout
        return "tabwright@0"


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
