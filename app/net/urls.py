"""The origin of a server's address, spelled as browsers spell it."""

from ipaddress import ip_address
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(address: str) -> str:
    """`https://Host.example:443/path` as `https://host.example`; no scheme means `https://`.

    Raises `ValueError` with a sentence for an address that is none, and for plain `http://` to another
    machine, which the extension refuses to use.
    """
    parts = urlsplit(address if "://" in address else f"https://{address}")
    try:
        host, port = _host(parts.hostname or ""), parts.port
    except ValueError:
        host, port = "", None
    if parts.scheme not in DEFAULT_PORTS or not host:
        raise ValueError(f"{address!r} is not a web address such as https://tabwright.example")
    if parts.scheme == "http" and not is_loopback_host(host):
        raise ValueError(f"Plain http:// is for this machine alone: use https:// for {host}")
    if port in (None, DEFAULT_PORTS[parts.scheme]):
        return f"{parts.scheme}://{host}"
    return f"{parts.scheme}://{host}:{port}"


def is_loopback_host(host: str) -> bool:
    """Whether the host of an origin is this machine: `localhost`, 127.0.0.0/8 or `[::1]`."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _host(name: str) -> str:
    """Raises `ValueError` for a name that no host can have."""
    try:
        found = ip_address(name)
    except ValueError:
        return name.encode("idna").decode("ascii").lower()
    return f"[{found.compressed}]" if found.version == 6 else str(found)
