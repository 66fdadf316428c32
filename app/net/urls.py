"""Parses, validates and displays URLs that an operator configures."""

from ipaddress import ip_address
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}


def normalize_origin(address: str) -> str:
    """Normalize `https://Host.example:443/path` to `https://host.example`; the default scheme is
    `https://`.

    Raises `ValueError`, with a sentence for the user, for an invalid address and for plain `http://` to
    another machine, which the extension rejects.
    """
    parts = urlsplit(address if "://" in address else f"https://{address}")
    try:
        host, port = _normalize_host(parts.hostname or ""), parts.port
    except ValueError:
        host, port = "", None
    if parts.scheme not in DEFAULT_PORTS or not host:
        raise ValueError(f"{address!r} is not a web address such as https://tabwright.example")
    if parts.scheme == "http" and not is_loopback_host(host):
        raise ValueError(f"Plain http:// is only allowed for this machine: use https:// for {host}")
    if port in (None, DEFAULT_PORTS[parts.scheme]):
        return f"{parts.scheme}://{host}"
    return f"{parts.scheme}://{host}:{port}"


def is_http_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def without_credentials(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="", fragment="").geturl()


def is_loopback_host(host: str) -> bool:
    """Whether the host of an origin is this machine: `localhost`, 127.0.0.0/8 or `[::1]`."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _normalize_host(name: str) -> str:
    """Raises `ValueError` for an invalid host."""
    try:
        found = ip_address(name)
    except ValueError:
        return name.encode("idna").decode("ascii").lower()
    return f"[{found.compressed}]" if found.version == 6 else str(found)
