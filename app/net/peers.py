"""Which addresses count as one peer, and which networks an address is in."""

from collections.abc import Iterable
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

NET6 = 64  # one customer's; the addresses within are theirs to choose


def peer_of(host: str) -> str:
    """What is counted as one peer: an IPv4 address, or an IPv6 network of 64 bits; other text as it is."""
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
