"""Which site a page belongs to, and which sites a policy names."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
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


def listed(site: str, patterns: Iterable[str], *, below: bool = False) -> bool:
    """Whether a pattern of a policy names the site: `crm.example`, `*.example`, `localhost:8000`, `*`.

    One without a port is of every port; with `below`, what stands under a name is named with it.
    """
    host = site if site.startswith("[") else site.partition(":")[0]
    for pattern in patterns:
        wanted = pattern.strip().lower()
        if not wanted or not site:
            continue
        if wanted == "*" or fnmatchcase(site, wanted) or fnmatchcase(host, wanted):
            return True
        if below and host.endswith(f".{wanted}"):
            return True
    return False
