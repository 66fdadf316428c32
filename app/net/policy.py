"""What may be fetched: the public web on its ports, and what an operator named beyond it."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from app.net.addresses import Address, is_metadata, is_public
from app.text import patterns

PORTS = frozenset({80, 443, 8080, 8443})  # of the web; any other may be a mail server or a database

# Names that mean this machine or this network wherever they are asked (RFC 6761, 6762, 8375; ICANN's
# reservation of .internal), the metadata servers' names among them.
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
    """One entry of an operator's list: a host, all hosts below one, or a network; at one port, when that
    is named.
    """

    name: str | None = None
    below: bool = False
    network: IPv4Network | IPv6Network | None = None
    port: int | None = None

    @classmethod
    def of(cls, entry: str) -> "Allowed":
        """From `wiki.example`, `*.corp.example`, `10.2.0.0/16`, `10.2.0.7`, `[fd00::7]`, each but a network
        with `:port` or without. Raises `ValueError`.
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

    def names(self, host: str) -> bool:
        """Whether it is about this host, by its name."""
        if self.name is None:
            return False
        return host.endswith(f".{self.name}") if self.below else host == self.name

    def holds(self, address: Address) -> bool:
        """Whether it is about this address."""
        return self.network is not None and address in self.network


@dataclass(frozen=True, slots=True)
class Policy:
    """The public web, and `allowed` beyond it."""

    allowed: tuple[Allowed, ...] = ()
    ports: frozenset[int] = PORTS

    @classmethod
    def of(cls, entries: Iterable[str]) -> "Policy":
        """From a list as the settings have it. Raises `ValueError` for what is neither host nor network."""
        return cls(allowed=tuple(Allowed.of(entry) for entry in entries))

    def may_permit(self, host: str) -> bool:
        """Whether it can be worth looking this name up."""
        about = any(one.names(host) or one.network is not None for one in self.allowed)
        return about or not is_local(host)

    def permits(self, host: str, port: int, address: Address) -> bool:
        """Whether this address may be connected to, at this port, for this host."""
        if is_metadata(address):
            return False
        named = [one for one in self.allowed if one.names(host) or one.holds(address)]
        if any(one.port == port for one in named):
            return True
        of_the_web = is_public(address) and not is_local(host)
        return port in self.ports and (of_the_web or any(one.port is None for one in named))


def is_local(host: str) -> bool:
    """A name of this machine or of its own network; those of one word are looked up there too."""
    if ":" in host:
        return False
    return "." not in host or host.endswith(tuple(f".{name}" for name in _LOCAL_NAMES))
