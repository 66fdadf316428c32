"""Which IP addresses are public.

The tables are IANA's registries of special-purpose addresses
(iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry), copied here because
`is_global` differs between Python versions.
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
        "240.0.0.0/4",  # reserved and broadcast
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds an IPv4 address
        "3fff::/20",  # documentation
    )
)
GLOBAL_UNICAST = ip_network("2000::/3")  # all allocated IPv6 addresses
HOLDS_IPV4 = tuple(
    # The last 32 bits are the actual destination: IPv4-mapped, and NAT64 (RFC 6052), which a network
    # without IPv4 uses for every public host.
    ip_network(network)
    for network in ("::ffff:0:0/96", "64:ff9b::/96")
)
METADATA = tuple(
    # Cloud metadata services, which hand out credentials: never fetched, whatever an operator allows.
    ip_network(network)
    for network in (
        "169.254.0.0/16",  # AWS, Azure, Google, DigitalOcean, OpenStack; AWS' container credentials
        "168.63.129.16/32",  # Azure's host, which has a public address
        "100.100.100.200/32",  # Alibaba
        "192.0.0.192/32",  # Oracle
        "fd00:ec2::/32",  # AWS
        "fd20:ce::/32",  # Google
        "fe80::/10",
    )
)


def parse_address(address: str) -> Address | None:
    """Parse an address in canonical form; None for any other text."""
    try:
        return ip_address(address)
    except ValueError:
        return None


def effective_address(address: Address) -> Address:
    """The address that packets reach: the embedded IPv4 address if an IPv6 one wraps it."""
    if isinstance(address, IPv6Address) and any(address in wrapper for wrapper in HOLDS_IPV4):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Whether the address is on the public internet."""
    end = effective_address(address)
    if is_metadata(end) or any(end in network for network in NOT_PUBLIC):
        return False
    return isinstance(end, IPv4Address) or end in GLOBAL_UNICAST


def is_metadata(address: Address) -> bool:
    """Whether the address may be a cloud metadata service, which hands out credentials."""
    end = effective_address(address)
    return any(end in network for network in METADATA)
