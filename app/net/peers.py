"""The peer of a connection: its address, its group for limits, and whether it is private."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

NET6 = 64  # the prefix of one customer, who controls all addresses in it


def peer_of(host: str) -> str:
    """The key for counting a peer: an IPv4 address, or an IPv6 /64; other text unchanged."""
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


FORWARDING = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip"})


def peer_host(scope: Scope) -> str:
    """The peer's address; "" if there is none, as with a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def address_bucket(scope: Scope) -> str:
    """The key of rate limits by address: an IPv4 address, or an IPv6 /64."""
    return peer_of(peer_host(scope))


def is_loopback(host: str) -> bool:
    return is_within(host, ("127.0.0.0/8", "::1/128"))


def is_private_connection(scope: Scope, local: Sequence[str] = ()) -> bool:
    """Whether the connection cannot be eavesdropped: TLS, or a peer on this machine.

    Networks in `local`, such as a container's gateway, count as this machine. A request forwarded
    by an unconfigured proxy may come from anywhere, and is not private.
    """
    if scope["scheme"] == "https":
        return True
    if any(name in FORWARDING for name, _ in scope["headers"]):
        return False
    host = peer_host(scope)
    return is_loopback(host) or is_within(host, local)
