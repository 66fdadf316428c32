"""Whether the settings are enough for Sentry, without loading its SDK."""

from urllib.parse import urlsplit

from app.settings import Settings

OFF = "off (SENTRY_DSN is not set)"


class Misconfigured(Exception):
    """The DSN is none; the text says what is wrong, without repeating it."""


def dsn_of(settings: Settings) -> str | None:
    """Where exceptions go, None for nowhere. Raises `Misconfigured`."""
    dsn = settings.sentry_dsn.get_secret_value().strip() if settings.sentry_dsn else ""
    if not dsn:
        return None
    try:
        parts = urlsplit(dsn)
        whole = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    project = whole and parts.path.rpartition("/")[2]
    if not whole or not parts.username or not project or not project.isdecimal():
        raise Misconfigured("SENTRY_DSN is not of the form https://key@host/number")
    return dsn


def address_of(dsn: str) -> str:
    """The server's address, without the key."""
    parts = urlsplit(dsn)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}"
