"""The fetch policy: the public web on its standard ports, plus what an operator allows."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from app.text import patterns

Address = IPv4Address | IPv6Address

# IANA's registries of special-purpose addresses (iana.org/assignments/iana-ipv4-special-registry and
# iana-ipv6-special-registry), copied because `is_global` differs between Python versions.
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
EMBEDS_IPV4 = tuple(
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
    if isinstance(address, IPv6Address) and any(address in wrapper for wrapper in EMBEDS_IPV4):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Whether the address is on the public internet."""
    actual = effective_address(address)
    if is_metadata(actual) or any(actual in network for network in NOT_PUBLIC):
        return False
    return isinstance(actual, IPv4Address) or actual in GLOBAL_UNICAST


def is_metadata(address: Address) -> bool:
    """Whether the address may be a cloud metadata service, which hands out credentials."""
    actual = effective_address(address)
    return any(actual in network for network in METADATA)


PORTS = frozenset({80, 443, 8080, 8443})  # any other port may be a mail server or a database

# Names of the local machine or network (RFC 6761, 6762, 8375; ICANN's reservation of .internal),
# including those of metadata servers.
_LOCAL_NAMES = (
    "localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan",
    "home.arpa",
)  # fmt: skip
_NAME = patterns.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_WITH_PORT = patterns.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<rest>[^:/\[\]]+)):(?P<port>\d{1,5})"
)


@dataclass(frozen=True, slots=True)
class Allowed:
    """An entry of the allow-list: a host, a domain with subdomains, or a network; optionally with a port."""

    name: str | None = None
    below: bool = False
    network: IPv4Network | IPv6Network | None = None
    port: int | None = None

    @classmethod
    def of(cls, entry: str) -> "Allowed":
        """Parse `wiki.example`, `*.corp.example`, `10.2.0.0/16`, `10.2.0.7` or `[fd00::7]`, each except
        a network optionally with `:port`. Raises `ValueError`.
        """
        text = entry.strip().lower()
        found = _WITH_PORT.fullmatch(text)
        port = int(found["port"]) if found else None
        host = ((found["six"] or found["rest"]) if found else text.strip("[]")).rstrip(".")
        try:
            return cls(network=ip_network(host), port=port)
        except ValueError:
            if not _NAME.fullmatch(host) or host.rpartition(".")[2].isdigit():
                raise ValueError(f"not a host or a network: {entry!r}") from None
        return cls(name=host.removeprefix("*."), below=host.startswith("*."), port=port)

    def matches(self, host: str) -> bool:
        if self.name is None:
            return False
        return host.endswith(f".{self.name}") if self.below else host == self.name

    def contains(self, address: Address) -> bool:
        return self.network is not None and address in self.network


@dataclass(frozen=True, slots=True)
class Policy:
    """The public web plus `allowed`."""

    allowed: tuple[Allowed, ...] = ()
    ports: frozenset[int] = PORTS

    @classmethod
    def of(cls, entries: Iterable[str]) -> "Policy":
        """Parse a list from the settings. Raises `ValueError` for an invalid entry."""
        return cls(allowed=tuple(Allowed.of(entry) for entry in entries))

    def may_permit(self, host: str) -> bool:
        """Whether the name can be allowed at all, before it is resolved."""
        is_listed = any(entry.matches(host) or entry.network is not None for entry in self.allowed)
        return is_listed or not is_local(host)

    def permits(self, host: str, port: int, address: Address) -> bool:
        """Whether connecting to this address and port is allowed for this host."""
        if is_metadata(address):
            return False
        listed = [entry for entry in self.allowed if entry.matches(host) or entry.contains(address)]
        if any(entry.port == port for entry in listed):
            return True
        is_on_web = is_public(address) and not is_local(host)
        return port in self.ports and (is_on_web or any(entry.port is None for entry in listed))


def is_local(host: str) -> bool:
    """Whether the name is local to this machine or network, as names of one label are."""
    if ":" in host:
        return False
    return "." not in host or host.endswith(tuple(f".{name}" for name in _LOCAL_NAMES))
