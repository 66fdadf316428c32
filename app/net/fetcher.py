"""Fetches untrusted URLs: every hop is checked, pinned and bounded.

Uses httpcore directly, without an HTTP client: there are no cookies, proxies from the environment,
credentials or redirects to disable, and we make the connection.
"""

import asyncio
import ssl
import zlib
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

import certifi
import httpcore
import httpx

from app.errors import AddressRefused, FetchFailed
from app.net.guard import NOT_PUBLIC, Guard, Pinned

REDIRECTS = {301, 302, 303, 307, 308}
MOST_HOPS = 5
MOST_TRIED = 3  # addresses of a name to try in turn
AGENT = "Tabwright (+https://github.com/tabwright)"
TOO_SLOW = "The site took too long to respond"
NO_RESPONSE = "The site did not respond"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on time, size and media types of a fetch (`text/` means all text types)."""

    connect_s: float = 5.0
    read_s: float = 10.0  # between two pieces
    total_s: float = 30.0  # including redirects and name lookups
    max_bytes: int = 10_000_000  # decompressed
    kinds: tuple[str, ...] = ()  # empty for any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Response:
    url: str
    status: int
    headers: dict[str, str]

    @property
    def kind(self) -> str:
        return parse_media_type(self.headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched(_Response):
    """A response. `url` is the final URL; `headers` have lower-case names."""

    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed(_Response):
    """Like `Fetched`, but the decompressed body is still to be read from `pieces`."""

    pieces: AsyncIterator[bytes]


class Fetcher:
    """Fetches URLs that a guard allows. `network` makes connections, `trust` holds the certificates."""

    def __init__(
        self,
        guard: Guard,
        *,
        network: httpcore.AsyncNetworkBackend | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.guard = guard
        self._network = network or httpcore.AnyIOBackend()
        self._trust = trust or _trusted_authorities()

    async def fetch(
        self, url: str, limits: Limits = Limits(), *, headers: Mapping[str, str] = NO_HEADERS
    ) -> Fetched:
        """Fetch a URL, whatever its status. `headers` are added to our own on each hop.

        Raises `AddressRefused` if the URL, or one that it redirects to, is not allowed; `FetchFailed`
        if the server does not respond in time, or the response violates `limits`.
        """
        async with self.stream(url, limits, headers=headers) as response:
            body = b"".join([piece async for piece in response.pieces])
            return Fetched(
                url=response.url, status=response.status, headers=response.headers, body=body
            )

    @asynccontextmanager
    async def stream(
        self, url: str, limits: Limits = Limits(), *, headers: Mapping[str, str] = NO_HEADERS
    ) -> AsyncIterator[Streamed]:
        """Like `fetch`, for a streamed body. `limits.total_s` covers reading it, and reading may raise
        the same errors.
        """
        try:
            async with asyncio.timeout(limits.total_s), AsyncExitStack() as opened:
                yield await self._follow(url, limits, headers, opened)
        except (TimeoutError, httpcore.TimeoutException) as error:
            raise FetchFailed(TOO_SLOW) from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
            raise FetchFailed(NO_RESPONSE) from error

    async def _follow(
        self, url: str, limits: Limits, headers: Mapping[str, str], opened: AsyncExitStack
    ) -> Streamed:
        pinned = await self.guard.check(url)
        for _ in range(MOST_HOPS + 1):
            response = await self._request(pinned, limits, headers, opened)
            location = response.headers.get("location")
            if response.status not in REDIRECTS or location is None:
                return response
            await opened.aclose()
            pinned = await self._check_redirect(pinned, location)
        raise FetchFailed(f"The site redirects more than {MOST_HOPS} times")

    async def _check_redirect(self, pinned: Pinned, location: str) -> Pinned:
        try:
            url = httpx.URL(pinned.url).join(location.strip().replace(" ", "%20"))
        except httpx.InvalidURL as error:
            raise AddressRefused(NOT_PUBLIC) from error
        if pinned.scheme == "https" and url.scheme != "https":
            raise AddressRefused("The site redirects from https to http")
        return await self.guard.check(str(url))

    async def _request(
        self, pinned: Pinned, limits: Limits, headers: Mapping[str, str], opened: AsyncExitStack
    ) -> Streamed:
        """Request one hop on its own connection, which `opened` closes; bodies of redirects are not read."""
        pool = httpcore.AsyncConnectionPool(
            ssl_context=self._trust,
            network_backend=_PinnedNetwork(pinned, self._network),
            max_connections=1,
        )
        await opened.enter_async_context(pool)
        read = limits.read_s
        request = pool.stream(
            "GET",
            httpcore.URL(
                scheme=pinned.scheme.encode(),
                host=pinned.host.encode(),
                port=pinned.port,
                target=pinned.target.encode(),
            ),
            headers=[
                ("Host", pinned.authority),
                ("User-Agent", AGENT),
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
                *headers.items(),
            ],
            extensions={
                "timeout": {"connect": limits.connect_s, "read": read, "write": read, "pool": read}
            },
        )
        response = await opened.enter_async_context(request)
        response_headers = _headers_by_name(response.headers)
        body = Body("", 0)
        if response.status not in REDIRECTS or "location" not in response_headers:
            _check_headers(response_headers, limits)
            body = Body(response_headers.get("content-encoding", ""), limits.max_bytes)
        encoded = _iterate(response)
        pieces = body.stream(encoded)
        for generator in (encoded, pieces):  # the consumer may stop early
            opened.push_async_callback(generator.aclose)
        return Streamed(
            url=pinned.url, status=response.status, headers=response_headers, pieces=pieces
        )


class _PinnedNetwork(httpcore.AsyncNetworkBackend):
    """Connects only to the addresses that were checked, without another name lookup.

    TLS is established above this with the name, so certificate and SNI match the host.
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
        last_error: Exception = httpcore.ConnectError(NO_RESPONSE)
        for address in self._pinned.addresses[:MOST_TRIED]:
            try:
                return await self._network.connect_tcp(
                    str(address), self._pinned.port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last_error = error
        raise last_error


def _headers_by_name(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by lower-case name; the first of duplicates wins."""
    found: dict[str, str] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), value.decode("utf-8", "replace"))
    return found


def _check_headers(headers: Mapping[str, str], limits: Limits) -> None:
    """Raises `FetchFailed` if the headers already show a body too large or of a disallowed type."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > limits.max_bytes:
        raise FetchFailed(TOO_LARGE)
    if limits.kinds and not parse_media_type(headers).startswith(limits.kinds):
        raise FetchFailed("Pages of this media type are not supported")


async def _iterate(response: httpcore.Response) -> AsyncGenerator[bytes, None]:
    async for piece in response.aiter_stream():
        yield piece


def parse_media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _trusted_authorities() -> ssl.SSLContext:
    """The certificate authorities of this machine, including a company's own, and of browsers."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


ENCODINGS = "gzip, deflate"  # sent as Accept-Encoding; both can be decompressed piece by piece
TOO_LARGE = "The page is too large"
UNREADABLE = "The page could not be decompressed"
PIECE = 1_000_000  # bytes to decompress at a time when streaming
_GZIP = 16 + zlib.MAX_WBITS
_PLAIN = ("", "identity")


class Body:
    """Decompresses a body in pieces, never more than `limit` bytes in total."""

    def __init__(self, encoding: str, limit: int) -> None:
        name = encoding.strip().lower()
        if name not in (*_PLAIN, "gzip", "x-gzip", "deflate"):
            raise FetchFailed(UNREADABLE)
        self._is_compressed = name not in _PLAIN
        self._form = zlib.MAX_WBITS if name == "deflate" else _GZIP
        self._limit = limit
        self._received = 0
        self._size = 0
        self._decompressor = zlib.decompressobj(self._form)

    async def stream(self, pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, compressed bodies in pieces of at most `PIECE`. Raises
        `FetchFailed` if the body exceeds the limit or cannot be decompressed.
        """
        async for piece in pieces:
            self._received += len(piece)
            if self._received > self._limit:
                raise FetchFailed(TOO_LARGE)
            for plain in self._decompress_piece(piece) if self._is_compressed else (piece,):
                self._size += len(plain)
                if self._size > self._limit:
                    raise FetchFailed(TOO_LARGE)
                yield plain
        if self._is_compressed and self._received and not self._decompressor.eof:
            raise FetchFailed(UNREADABLE)

    def _decompress_piece(self, compressed: bytes) -> Iterator[bytes]:
        """Ask for one byte above the limit, to detect an oversized body without decompressing the rest."""
        has_output = False  # the decompressor has more output pending
        while compressed or has_output:
            if self._decompressor.eof:  # gzip may have several members in a row
                self._decompressor = zlib.decompressobj(self._form)
            room = min(self._limit - self._size + 1, PIECE)
            plain = self._decompress(compressed, room)
            if plain:
                yield plain
            compressed = self._decompressor.unused_data or self._decompressor.unconsumed_tail
            has_output = len(plain) == room and not self._decompressor.eof

    def _decompress(self, compressed: bytes, room: int) -> bytes:
        try:
            return self._decompressor.decompress(compressed, room)
        except zlib.error as error:
            if self._form != zlib.MAX_WBITS or self._size:
                raise FetchFailed(UNREADABLE) from error
        self._form = -zlib.MAX_WBITS  # some servers omit the zlib header of deflate
        self._decompressor = zlib.decompressobj(self._form)
        return self._decompress(compressed, room)
