"""crawlee's way to the network, which here is the guarded one and no other."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any

from crawlee import HttpHeaders, Request
from crawlee.http_clients import HttpClient, HttpCrawlingResult, HttpResponse

from app.net.fetcher import Fetched, Fetcher, Limits, Streamed


class Answer:
    """An answer in crawlee's shape, read whole; `url` is where it was in the end."""

    http_version = "1.1"

    def __init__(self, fetched: Fetched) -> None:
        self.url = fetched.url
        self.status_code = fetched.status
        self.headers = HttpHeaders(fetched.headers)
        self.kind = fetched.kind
        self._body = fetched.body

    async def read(self) -> bytes:
        """The whole body, unpacked."""
        return self._body

    async def read_stream(self) -> AsyncIterator[bytes]:
        """The body in one piece."""
        yield self._body


class _Stream(Answer):
    """An answer whose body is still to come."""

    def __init__(self, streamed: Streamed) -> None:
        super().__init__(
            Fetched(url=streamed.url, status=streamed.status, headers=streamed.headers, body=b"")
        )
        self._pieces = streamed.pieces

    async def read(self) -> bytes:
        """The whole body, unpacked."""
        return b"".join([piece async for piece in self._pieces])

    async def read_stream(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        async for piece in self._pieces:
            yield piece


class GuardedClient(HttpClient):
    """Fetches through the guard, whichever way crawlee asks. Raises `AddressRefused` and `FetchFailed`.

    There are no cookies, sessions or proxies, and nothing is sent but GET.
    """

    def __init__(self, fetcher: Fetcher, limits: Limits) -> None:
        super().__init__(persist_cookies_per_session=False)
        self._fetcher = fetcher
        self._limits = limits

    async def crawl(self, request: Request, **_: Any) -> HttpCrawlingResult:  # noqa: ANN401 - crawlee's
        """As `send_request`, for crawlee's own crawlers."""
        answer = await self.send_request(request.url, headers=request.headers)
        return HttpCrawlingResult(http_response=answer)

    async def send_request(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: HttpHeaders | dict[str, str] | None = None,
        timeout: timedelta | None = None,  # noqa: ASYNC109 - crawlee's name
        **_: Any,  # noqa: ANN401 - payload, session and proxy, of which there are none
    ) -> Answer:
        """The answer, whole, of whatever status."""
        fetched = await self._fetcher.fetch(url, self._limits, headers=dict(headers or {}))
        return Answer(fetched)

    def stream(
        self,
        url: str,
        *,
        headers: HttpHeaders | dict[str, str] | None = None,
        **_: Any,  # noqa: ANN401 - as above
    ) -> AbstractAsyncContextManager[HttpResponse]:
        """The answer as it comes."""
        return self._streamed(url, dict(headers or {}))

    async def cleanup(self) -> None:
        """Nothing is held between two fetches."""

    @asynccontextmanager
    async def _streamed(self, url: str, headers: dict[str, str]) -> AsyncIterator[HttpResponse]:
        async with self._fetcher.stream(url, self._limits, headers=headers) as streamed:
            yield _Stream(streamed)
