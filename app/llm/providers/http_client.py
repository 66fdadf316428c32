"""An HTTP client whose answers cannot grow without end."""

import ssl
from collections.abc import AsyncIterator
from functools import cache

import httpx2

BODY_BYTES = 4_000_000  # 100,000 tokens are some 0.5 MB
CONNECT_S = 5.0
POOL = httpx2.Limits(max_connections=64, max_keepalive_connections=16)


class TooLong(httpx2.DecodingError):
    """The body went over its limit; the rest was not read."""


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if read > BODY_BYTES:
                raise TooLong(f"over {BODY_BYTES} bytes")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _bound(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


async def _timed(request: httpx2.Request) -> None:
    """Connecting is bounded here; how long the answer may take, the deadline of the ask says."""
    request.extensions["timeout"] = {
        "connect": CONNECT_S,
        "read": None,
        "write": None,
        "pool": None,
    }


@cache
def tls() -> ssl.SSLContext:
    """The system's certificates; loading them takes 20 to 60 ms."""
    return httpx2.create_ssl_context()


def bounded_client() -> httpx2.AsyncClient:
    """A client for one provider. It follows no redirects: they would carry the key elsewhere."""
    return httpx2.AsyncClient(
        verify=tls(),
        limits=POOL,
        event_hooks={"request": [_timed], "response": [_bound]},
        follow_redirects=False,
    )
