"""Which addresses belong to the public web; pure.

The tables are IANA's registries of special-purpose addresses (iana.org/assignments/iana-ipv4-special-registry
and iana-ipv6-special-registry), kept here because what Python's `is_global` says differs by its version.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which holds an IPv4 address
        "3fff::/20",  # documentation
    )
)
GLOBAL_UNICAST = ip_network("2000::/3")  # all of IPv6 that is handed out
HOLDS_IPV4 = tuple(
    # The last 32 bits are the address that is reached: IPv4-mapped, and NAT64 (RFC 6052), which a network
    # without IPv4 answers for every public host.
    ip_network(network)
    for network in ("::ffff:0:0/96", "64:ff9b::/96")
)
METADATA = tuple(
    # Where clouds hand out credentials to whoever asks: never fetched, whatever an operator allows.
    ip_network(network)
    for network in (
        "169.254.0.0/16",  # AWS, Azure, Google, DigitalOcean, OpenStack; AWS' container credentials
        "168.63.129.16/32",  # Azure's host, a public address by its number
        "100.100.100.200/32",  # Alibaba
        "192.0.0.192/32",  # Oracle
        "fd00:ec2::/32",  # AWS
        "fd20:ce::/32",  # Google
        "fe80::/10",
    )
)


def parse_address(address: str) -> Address | None:
    """The address that the text spells in its canonical form; None of any other text."""
    try:
        return ip_address(address)
    except ValueError:
        return None


def effective_address(address: Address) -> Address:
    """The address that packets go to: the IPv4 one within, where an IPv6 one only wraps it."""
    if isinstance(address, IPv6Address) and any(address in wrapper for wrapper in HOLDS_IPV4):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Whether it is of the public web, and of no network that only some can see."""
    end = effective_address(address)
    if is_metadata(end) or any(end in network for network in NOT_PUBLIC):
        return False
    return isinstance(end, IPv4Address) or end in GLOBAL_UNICAST


def is_metadata(address: Address) -> bool:
    """Whether a cloud may hand out credentials there."""
    end = effective_address(address)
    return any(end in network for network in METADATA)
