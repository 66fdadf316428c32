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

NOT_AN_ADDRESS = "This is not the address of a web page"
NOT_PUBLIC = "This address is not on the public web, and the operator has not allowed it"
NOT_FOUND = "The site was not found"

_PARTS = patterns.compile(r"https?://([^/?#]+)(?:[/?#].*)?", patterns.IGNORECASE | patterns.DOTALL)
_NAME = patterns.compile(
    r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_NUMBER = patterns.compile(r"[0-9]+|0x[0-9a-f]*")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"}  # invisible characters in a URL

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
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


class SystemResolver:
    """Resolves names with the system's resolver, in its own threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolve")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """All addresses of the name. Raises `OSError` if there are none."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _look_up, host, port)


def _look_up(host: str, port: int) -> list[str]:
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
        target, host, port, literal = _split_url(url)
        addresses = [literal] if literal else await self._resolve(host, port)
        if not all(self._policy.permits(host, port, address) for address in addresses):
            raise AddressRefused(NOT_PUBLIC)
        path = target.raw_path.decode("ascii")
        return Pinned(target.scheme, host, port, path, tuple(addresses))

    def check_syntax(self, url: str) -> None:
        """Check what can be checked before resolving the name. Raises `AddressRefused`."""
        _, host, port, literal = _split_url(url)
        permits = self._policy.permits
        if not (permits(host, port, literal) if literal else self._policy.may_permit(host)):
            raise AddressRefused(NOT_PUBLIC)

    async def _resolve(self, host: str, port: int) -> list[Address]:
        if not self._policy.may_permit(host):
            raise AddressRefused(NOT_PUBLIC)
        try:
            answers = await self._resolver(host, port)
        except OSError as error:
            raise FetchFailed(NOT_FOUND) from error
        if not answers:
            raise FetchFailed(NOT_FOUND)
        found = [address for one in dict.fromkeys(answers) if (address := parse_address(one))]
        if len(found) < len(set(answers)):
            raise AddressRefused(NOT_PUBLIC)
        return found


def _split_url(url: str) -> tuple[httpx.URL, str, int, Address | None]:
    """The URL, its host and port, and its address if the host is one."""
    target = parse_url(url)
    host = target.raw_host.decode("ascii")
    port = PORTS[target.scheme] if target.port is None else target.port
    return target, host, port, parse_address(host)


def parse_url(url: str) -> httpx.URL:
    """Parse a plain http(s) URL. Raises `AddressRefused`.

    Anything that two parsers may interpret differently is rejected: credentials, backslashes, invisible
    characters, numbers that are not a dotted quad.
    """
    found = _PARTS.fullmatch(url)
    if not found or len(url) > LONGEST or "\\" in url or "@" in found[1]:
        raise AddressRefused(NOT_AN_ADDRESS)
    if any(unicodedata.category(character) in _INVISIBLE for character in url):
        raise AddressRefused(NOT_AN_ADDRESS)
    try:
        parsed = httpx.URL(url).copy_with(fragment=None)
        host = parsed.raw_host.decode("ascii").removesuffix(".")
        if parse_address(host) is None and not _is_name(host):
            raise AddressRefused(NOT_AN_ADDRESS)
        return parsed.copy_with(host=host)
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefused(NOT_AN_ADDRESS) from error


def _is_name(host: str) -> bool:
    """Whether no parser takes the name for a number, as some do 2130706433, 0x7f.1 and 127.1."""
    last = host.rpartition(".")[2]
    return len(host) <= LONGEST_NAME and bool(_NAME.fullmatch(host)) and not _NUMBER.fullmatch(last)
