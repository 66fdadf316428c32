"""Whether the settings are enough to search with; without loading what searches."""

from urllib.parse import urlsplit

from app.settings import Settings

NO_KEY = "No TAVILY_API_KEY is set, so nothing can be searched on the web."
BAD_KEY = "The TAVILY_API_KEY holds characters that no key has, so nothing can be searched."
BAD_ADDRESS = "TABWRIGHT_TAVILY_BASE_URL is no address of the web, so nothing can be searched."


def key_of(settings: Settings) -> str:
    """The key, empty where there is none."""
    return settings.tavily_api_key.get_secret_value().strip() if settings.tavily_api_key else ""


def unusable(settings: Settings) -> str | None:
    """Why nothing can be searched with these settings; None when they will do."""
    key = key_of(settings)
    if not key:
        return NO_KEY
    if not (key.isascii() and key.isprintable()) or " " in key:
        return BAD_KEY
    return None if _is_address(settings.tavily_base_url) else BAD_ADDRESS


def _is_address(url: str | None) -> bool:
    """Whether calls can be sent there; None is the vendor's own."""
    try:
        parts = urlsplit(url or "https://api.tavily.com")
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
