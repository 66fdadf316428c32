"""Fetches what others chose the address of: every hop checked, pinned and bounded.

httpcore is used as it is, without a client on top: there are then no cookies, no proxies of the environment,
no credentials and no redirects to switch off, and the connection is made by us.
"""

import asyncio
import ssl
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass
from typing import Any

import certifi
import httpcore
import httpx

from app.errors import AddressRefused, FetchFailed
from app.net.body import ENCODINGS, TOO_LARGE, Body
from app.net.guard import NOT_PUBLIC, Guard, Pinned

REDIRECTS = {301, 302, 303, 307, 308}
MOST_HOPS = 5
MOST_TRIED = 3  # addresses of one name, when the first do not answer
AGENT = "Tabwright (+https://github.com/tabwright)"
SLOW = "The site took too long to answer"
AWAY = "The site did not answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a fetch may take, how much it may bring, and of which kinds (`text/` is all of text)."""

    connect_s: float = 5.0
    read_s: float = 10.0  # between two pieces
    total_s: float = 30.0  # redirects and names included
    max_bytes: int = 10_000_000  # unpacked
    kinds: tuple[str, ...] = ()  # any, when empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What came: `url` is where it was in the end, `headers` have lower-case names."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        """The media type without its parameters, "" when none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Fetcher:
    """Fetches under a guard. `network` makes the connections, `trust` says whose certificates are good."""

    def __init__(
        self,
        guard: Guard,
        *,
        network: httpcore.AsyncNetworkBackend | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = guard
        self._network = network or httpcore.AnyIOBackend()
        self._trust = trust or _trusted()

    async def fetch(self, url: str, limits: Limits = Limits()) -> Fetched:
        """What is at the address, of whatever status.

        Raises `AddressRefused` when it, or one it redirects to, must not be fetched; `FetchFailed` when it
        did not answer, not in time, or with more or other than the limits let in.
        """
        try:
            async with asyncio.timeout(limits.total_s):
                return await self._followed(url, limits)
        except (TimeoutError, httpcore.TimeoutException) as error:
            raise FetchFailed(SLOW) from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
            raise FetchFailed(AWAY) from error

    async def _followed(self, url: str, limits: Limits) -> Fetched:
        pinned = await self._guard.check(url)
        for _ in range(MOST_HOPS + 1):
            fetched = await self._one(pinned, limits)
            onward = fetched.headers.get("location")
            if fetched.status not in REDIRECTS or onward is None:
                return fetched
            pinned = await self._onward(pinned, onward)
        raise FetchFailed("The site sends from one address to the next without end")

    async def _onward(self, pinned: Pinned, location: str) -> Pinned:
        try:
            url = httpx.URL(pinned.url).join(location.strip().replace(" ", "%20"))
        except httpx.InvalidURL as error:
            raise AddressRefused(NOT_PUBLIC) from error
        if pinned.scheme == "https" and url.scheme != "https":
            raise AddressRefused("The site sends from a safe connection to an open one")
        return await self._guard.check(str(url))

    async def _one(self, pinned: Pinned, limits: Limits) -> Fetched:
        """One hop, on a connection of its own; a redirect's body is not read."""
        network = _PinnedNetwork(pinned, self._network)
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=self._trust, network_backend=network, max_connections=1
            ) as pool,
            pool.stream(
                "GET", _url(pinned), headers=_headers(pinned), extensions=_timeouts(limits)
            ) as answer,
        ):
            headers = _read(answer.headers)
            fetched = Fetched(url=pinned.url, status=answer.status, headers=headers, body=b"")
            if answer.status in REDIRECTS and "location" in headers:
                return fetched
            _admit(fetched, limits)
            body = Body(headers.get("content-encoding", ""), limits.max_bytes)
            return Fetched(
                url=pinned.url,
                status=answer.status,
                headers=headers,
                body=await body.read(_pieces(answer)),
            )


class _PinnedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to the addresses that were checked and to no other; the name is not looked up again.

    TLS is begun above this, with the name: certificate and SNI are those of the host.
    """

    def __init__(self, pinned: Pinned, network: httpcore.AsyncNetworkBackend) -> None:
        self._pinned = pinned
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's name
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """As asked by httpcore, which knows the host by its name."""
        failed: Exception = httpcore.ConnectError(AWAY)
        for address in self._pinned.addresses[:MOST_TRIED]:
            try:
                return await self._network.connect_tcp(
                    str(address), self._pinned.port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


def _url(pinned: Pinned) -> httpcore.URL:
    return httpcore.URL(
        scheme=pinned.scheme.encode(),
        host=pinned.host.encode(),
        port=pinned.port,
        target=pinned.target.encode(),
    )


def _headers(pinned: Pinned) -> list[tuple[bytes | str, bytes | str]]:
    return [
        ("Host", pinned.authority),
        ("User-Agent", AGENT),
        ("Accept", "*/*"),
        ("Accept-Encoding", ENCODINGS),
    ]


def _timeouts(limits: Limits) -> dict[str, Any]:
    read = limits.read_s
    return {
        "timeout": {"connect": limits.connect_s, "read": read, "write": read, "pool": read},
    }


def _read(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """By lower-case name; of a name that comes twice, the first counts."""
    found: dict[str, str] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), value.decode("utf-8", "replace"))
    return found


def _admit(fetched: Fetched, limits: Limits) -> None:
    """Raises `FetchFailed` for what the headers already tell to be too large or of another kind."""
    length = fetched.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limits.max_bytes:
        raise FetchFailed(TOO_LARGE)
    if limits.kinds and not fetched.kind.startswith(limits.kinds):
        raise FetchFailed("The page is of a kind that is not read")


async def _pieces(answer: httpcore.Response) -> AsyncIterable[bytes]:
    async for piece in answer.aiter_stream():
        yield piece


def _trusted() -> ssl.SSLContext:
    """This machine's authorities, among them a company's own, and those of the browsers."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
