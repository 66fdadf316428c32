"""Where a request came from: the peer, by what its connection and the configured proxies say."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

FORWARDING = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip"})
NET6 = 64  # one customer's; the addresses within are theirs to choose


def host_of(scope: Scope) -> str:
    """The peer's address; "" where there is none, as with a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def bucket_of(scope: Scope) -> str:
    """What is counted as one address: an IPv4 address, or an IPv6 network of 64 bits."""
    host = host_of(scope)
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((address, NET6), strict=False))
    return host


def is_within(host: str, networks: Iterable[str]) -> bool:
    """Whether the address is one of these, or in one of these networks."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in ip_network(network, strict=False) for network in networks)


def is_loopback(host: str) -> bool:
    """Whether the address is this machine's own."""
    return is_within(host, ("127.0.0.0/8", "::1/128"))


def is_private(scope: Scope, local: Sequence[str] = ()) -> bool:
    """Whether nobody between can read along: TLS, or a peer on this machine. Networks in `local` count as
    this machine: a container's gateway.

    What was forwarded by a proxy that is not configured came from wherever: it is not private.
    """
    if scope["scheme"] == "https":
        return True
    if any(name in FORWARDING for name, _ in scope["headers"]):
        return False
    host = host_of(scope)
    return is_loopback(host) or is_within(host, local)
