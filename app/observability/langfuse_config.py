"""Whether the settings are enough for LangFuse; without loading its SDK, which takes seconds."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.settings import Settings
from app.text import patterns

CLOUD = "https://cloud.langfuse.com"
OFF = "off (LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set)"
LONGEST_ENVIRONMENT = 40  # langfuse.com/docs/observability/features/environments


class Misconfigured(Exception):
    """LangFuse is half set up, or set up so that it cannot be reached; the text says what to mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LangfuseConfig:
    """Where traces go, and as what."""

    public_key: str
    secret_key: str = field(repr=False)
    base_url: str = CLOUD
    environment: str = "production"
    release: str = ""


def configured(settings: Settings, *, release: str = "") -> LangfuseConfig | None:
    """What the settings say of LangFuse, None where they say nothing. Raises `Misconfigured`."""
    public = (settings.langfuse_public_key or "").strip()
    secret = (
        settings.langfuse_secret_key.get_secret_value().strip()
        if settings.langfuse_secret_key
        else ""
    )
    if not public and not secret:
        return None
    for name, key in (("LANGFUSE_PUBLIC_KEY", public), ("LANGFUSE_SECRET_KEY", secret)):
        if not key:
            raise Misconfigured(f"{name} is not set, the other key is")
        if not all("!" <= sign <= "~" for sign in key):
            raise Misconfigured(f"{name} holds a character that no key has")
    return LangfuseConfig(
        public_key=public,
        secret_key=secret,
        base_url=_address(settings.langfuse_base_url),
        environment=environment_name(settings.environment),
        release=release,
    )


def shown(config: LangfuseConfig) -> str:
    """Its address, without a user name and password."""
    parts = urlsplit(config.base_url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def environment_name(given: str) -> str:
    """As LangFuse takes it: lower letters, digits, `-` and `_`, and none of its own names."""
    name = patterns.sub(r"[^a-z0-9_-]+", "-", given.strip().lower()).strip("-") or "default"
    name = f"x-{name}" if name.startswith("langfuse") else name
    return name[:LONGEST_ENVIRONMENT]


def _address(given: str | None) -> str:
    address = (given or "").strip().rstrip("/") or CLOUD
    try:
        parts = urlsplit(address)
        whole = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise Misconfigured("LANGFUSE_BASE_URL is not an address like https://cloud.langfuse.com")
    return address
