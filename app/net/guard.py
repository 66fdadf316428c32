"""The SSRF guard: checks every connection and every address that a name resolves to."""

import asyncio
import socket
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx

from app.errors import AddressRefused, FetchFailed
from app.net.policy import Address, Policy, parse_address
from app.text import patterns

LONGEST = 4_096  # characters of a URL; browsers and proxies cut at 2,000 to 8,000
LONGEST_NAME = 253  # RFC 1035
RESOLVERS = 4  # concurrent lookups: a slow name server must not use up the thread pool
PORTS = {"http": 80, "https": 443}

NOT_AN_ADDRESS = "This is not an address of a web page"
NOT_PUBLIC = "This address is not of the public web, and nobody here has allowed it"
NOT_FOUND = "There is no such site"

_PARTS = patterns.compile(r"https?://([^/?#]+)(?:[/?#].*)?", patterns.IGNORECASE | patterns.DOTALL)
_NAME = patterns.compile(
    r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_NUMBER = patterns.compile(r"[0-9]+|0x[0-9a-f]*")
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}  # invisible characters in a URL

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Pinned:
    """A checked URL and the only addresses to connect to for it, in order."""

    scheme: str
    host: str
    port: int
    target: str  # path and query
    addresses: tuple[Address, ...]

    @property
    def authority(self) -> str:
        """Host and port as in the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The normalized URL."""
        return f"{self.scheme}://{self.authority}{self.target}"


class SystemResolver:
    """Resolves names with the system's resolver, in its own threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolve")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """All addresses of the name. Raises `OSError` if there are none."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _looked_up, host, port)


def _looked_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Guard:
    """Checks URLs against a policy. Names are resolved once: the checked addresses are those connected to."""

    def __init__(self, policy: Policy, resolver: Resolver | None = None) -> None:
        self._policy = policy
        self._resolver = resolver or SystemResolver()

    async def check(self, url: str) -> Pinned:
        """Check a URL and resolve its host. Raises `AddressRefused` if it is not allowed, `FetchFailed`
        for an unknown name.
        """
        target = parse_url(url)
        host = target.raw_host.decode("ascii")
        port = PORTS[target.scheme] if target.port is None else target.port
        addresses = (
            [literal] if (literal := parse_address(host)) else await self._behind(host, port)
        )
        if not all(self._policy.permits(host, port, address) for address in addresses):
            raise AddressRefused(NOT_PUBLIC)
        path = target.raw_path.decode("ascii")
        return Pinned(target.scheme, host, port, path, tuple(addresses))

    def check_syntax(self, url: str) -> None:
        """Check what can be checked before resolving the name. Raises `AddressRefused`."""
        target = parse_url(url)
        host = target.raw_host.decode("ascii")
        port = PORTS[target.scheme] if target.port is None else target.port
        literal = parse_address(host)
        allowed = (
            self._policy.may_permit(host)
            if literal is None
            else self._policy.permits(host, port, literal)
        )
        if not allowed:
            raise AddressRefused(NOT_PUBLIC)

    async def _behind(self, host: str, port: int) -> list[Address]:
        if not self._policy.may_permit(host):
            raise AddressRefused(NOT_PUBLIC)
        try:
            answers = await self._resolver(host, port)
        except OSError as error:
            raise FetchFailed(NOT_FOUND) from error
        found = [parse_address(answer) for answer in dict.fromkeys(answers)]
        if not found:
            raise FetchFailed(NOT_FOUND)
        known = [address for address in found if address is not None]
        if len(known) < len(found):
            raise AddressRefused(NOT_PUBLIC)
        return known


def parse_url(url: str) -> httpx.URL:
    """Parse a plain http(s) URL. Raises `AddressRefused`.

    Anything that two parsers may interpret differently is rejected: credentials, backslashes, invisible
    characters, numbers that are not a dotted quad.
    """
    found = _PARTS.fullmatch(url)
    if not found or len(url) > LONGEST or "\\" in url or "@" in found[1]:
        raise AddressRefused(NOT_AN_ADDRESS)
    if any(unicodedata.category(character) in _HIDDEN for character in url):
        raise AddressRefused(NOT_AN_ADDRESS)
    try:
        read = httpx.URL(url).copy_with(fragment=None)
        host = read.raw_host.decode("ascii").removesuffix(".")
        if parse_address(host) is None and not _is_name(host):
            raise AddressRefused(NOT_AN_ADDRESS)
        return read.copy_with(host=host)
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefused(NOT_AN_ADDRESS) from error


def _is_name(host: str) -> bool:
    """Whether no parser takes the name for a number, as some do 2130706433, 0x7f.1 and 127.1."""
    last = host.rpartition(".")[2]
    return len(host) <= LONGEST_NAME and bool(_NAME.fullmatch(host)) and not _NUMBER.fullmatch(last)
