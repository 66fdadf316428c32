"""Groups client addresses into peers, and matches them against networks."""

from collections.abc import Iterable
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

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
