"""A pass-through to the backend that can act between an observation and the action chosen on it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

_OWN = {
    "host",
    "content-length",
    "connection",
    "accept-encoding",
    "transfer-encoding",
    "date",
    "server",
}
_ACTS = b'"type":"action"'


async def _nothing() -> None:
    """The default: do nothing in between."""


@dataclass
class Between:
    """Passes everything on to the backend at `url`, unchanged. `meddle` is awaited before an answer with
    an action is passed on: after the observation, before the action. `key` replaces the browser's own,
    so that a run can belong to another person. While the backend does not answer, it responds as a
    gateway would.
    """

    url: str
    key: str = ""
    meddle: Callable[[], Awaitable[None]] = _nothing
    answers: list[str] = field(default_factory=list)  # terminal events of the run, as JSON
    _client: httpx.AsyncClient = field(
        default_factory=lambda: httpx.AsyncClient(trust_env=False, timeout=120)
    )

    def app(self) -> Starlette:
        """All paths and methods."""
        methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]
        return Starlette(routes=[Route("/{path:path}", self._pass, methods=methods)])

    async def close(self) -> None:
        """Close the connections to the backend."""
        await self._client.aclose()

    async def _pass(self, request: Request) -> Response:
        """Forward one request."""
        headers = [(k, v) for k, v in request.headers.items() if k not in _OWN]
        if self.key and "authorization" in request.headers:
            headers = [(k, v) for k, v in headers if k != "authorization"]
            headers.append(("authorization", f"Bearer {self.key}"))
        path = f"{self.url}{request.url.path}"
        content = await request.body()
        asked = self._client.build_request(
            request.method, path, params=request.query_params, headers=headers, content=content
        )
        try:
            reply = await self._client.send(asked, stream=True)
        except httpx.HTTPError:
            return Response(status_code=502)
        kept = {k: v for k, v in reply.headers.items() if k not in _OWN}
        body = self._events(reply) if request.url.path.endswith("/interact") else reply.aiter_raw()
        return StreamingResponse(
            body, reply.status_code, kept, background=BackgroundTask(reply.aclose)
        )

    async def _events(self, reply: httpx.Response) -> AsyncIterator[bytes]:
        """Stream the answer; the event with the action waits until `meddle` is done."""
        held = b""
        with suppress(httpx.HTTPError):  # cut off, like the upstream answer
            async for chunk in reply.aiter_raw():
                held += chunk
                while b"\n\n" in held:
                    event, _, held = held.partition(b"\n\n")
                    if b'"type":"status"' not in event and event.startswith(b"data:"):
                        self.answers.append(event[5:].decode())
                    if _ACTS in event:
                        await self.meddle()
                    yield event + b"\n\n"
        yield held


@asynccontextmanager
async def served_here(app: ASGIApp) -> AsyncIterator[str]:
    """Serve `app` on a free loopback port in this event loop; yields the address."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
