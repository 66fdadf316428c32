"""Which site a page belongs to, for all that is kept for one site and must not show on another."""

from functools import lru_cache
from urllib.parse import urlsplit

_OWN_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=256)
def site_of(url: str) -> str:
    """Host in lower case, and the port where it is not the scheme's own; "" for no address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in _OWN_PORTS or not host:
        return ""
    host = f"[{host}]" if ":" in host else host
    return host if port in (None, _OWN_PORTS[parts.scheme]) else f"{host}:{port}"
