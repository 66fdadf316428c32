"""Whether a model endpoint is self-hosted and therefore free of charge."""

from ipaddress import ip_address
from urllib.parse import urlsplit

LOCAL = "local"
_OWN_NAMES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")


def is_own(base_url: str) -> bool:
    """Whether the address is on this machine or a private network; "ollama" is a container name."""
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    try:
        address = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_OWN_NAMES))
    return address.is_loopback or address.is_private
