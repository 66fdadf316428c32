"""Connection limits, and the end of rejected connections."""

import asyncio
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.server.connection import BoundedProtocol, http_options
from app.settings import Settings
from tests.fakes.serving import serve_in_loop
from tests.integration.conftest import running
from tests.integration.server.test_hostile_bodies import HANG_S, Line

GREEDY = "127.0.0.2"  # any address of 127.0.0.0/8 is this machine's
HALF = b"GET /healthz HTTP/1.1\r\n"
WHOLE = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"


@asynccontextmanager
async def connected(url: str, address: str = GREEDY) -> AsyncIterator[Line]:
    """A connection that comes from that address."""
    parts = urlsplit(url)
    line = Line(*await asyncio.open_connection(parts.hostname, parts.port, local_addr=(address, 0)))
    try:
        async with asyncio.timeout(HANG_S):
            yield line
    finally:
        line.writer.close()


async def status_of(url: str, address: str = "127.0.0.1") -> int:
    async with connected(url, address) as line:
        await line.say(WHOLE)
        return (await line.answer())[0]


@contextmanager
def many_files() -> Iterator[None]:
    """Both ends of each connection are open in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4_096)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_one_address_cannot_exhaust_the_server(base_url: str) -> None:
    parts = urlsplit(base_url)
    loop = asyncio.get_running_loop()
    with many_files(), ExitStack() as held:
        for _ in range(1_005):
            half = held.enter_context(socket.socket())
            half.setblocking(False)
            half.bind((GREEDY, 0))
            await loop.sock_connect(half, (parts.hostname, parts.port))
            await loop.sock_sendall(half, HALF)
        async with httpx.AsyncClient(base_url=base_url) as client:
            assert (await client.get("/healthz")).status_code == 200
        async with connected(base_url) as line:
            status, headers, problem = await line.answer()
            assert (status, problem["code"]) == (429, "TOO_MANY_CONNECTIONS")
            assert headers["retry-after"] == "5"
            assert await line.ended()
    async with asyncio.timeout(HANG_S):
        while await status_of(base_url, GREEDY) != 200:
            await asyncio.sleep(0.05)


async def test_proxies_have_no_limit_of_their_own(settings: Settings) -> None:
    limits = {"connections": 8, "connections_per_address": 2, "trusted_proxies": (GREEDY,)}
    async with answering(settings.model_copy(update=limits)) as up, held_by(up.url, GREEDY, 7):
        async with connected(up.url) as last:
            await last.say(WHOLE)
            assert (await last.answer())[0] == 200
            async with connected(up.url, "127.0.0.3") as late:
                status, headers, problem = await late.answer()
        assert (status, problem["code"]) == (503, "TOO_MANY_CONNECTIONS")
        assert headers["retry-after"] == "5"


async def test_address_regains_its_share(settings: Settings) -> None:
    limits = {"connections": 8, "connections_per_address": 2}
    async with answering(settings.model_copy(update=limits)) as up:
        async with held_by(up.url, GREEDY, 2):
            assert await status_of(up.url, GREEDY) == 429
            assert await status_of(up.url) == 200
        async with asyncio.timeout(HANG_S):
            while await status_of(up.url, GREEDY) != 200:
                await asyncio.sleep(0.05)


@asynccontextmanager
async def held_by(url: str, address: str, count: int) -> AsyncIterator[None]:
    """So many connections that were answered, and stay open."""
    if not count:
        yield
        return
    async with connected(url, address) as line, held_by(url, address, count - 1):
        await line.say(WHOLE)
        assert (await line.answer())[0] == 200
        yield


class Answering:
    """An app that answers once `release` is set, and what became of its connections."""

    def __init__(self) -> None:
        self.url = ""
        self.release = asyncio.Event()
        self.release.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.release.wait()
        head = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"{}"})


@asynccontextmanager
async def answering(settings: Settings) -> AsyncIterator[Answering]:
    app = Answering()
    async with serve_in_loop(
        app, log_level="critical", lifespan="off", **http_options(settings)
    ) as app.url:
        try:
            yield app
        finally:
            app.release.set()


@pytest.fixture
async def up(settings: Settings) -> AsyncIterator[Answering]:
    async with answering(settings) as made:
        yield made


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once something was refused."""
    happened = asyncio.Event()
    refusing = BoundedProtocol._refuse

    def refuse(self: BoundedProtocol, status: int) -> None:
        refusing(self, status)
        happened.set()

    monkeypatch.setattr(BoundedProtocol, "_refuse", refuse)
    return happened


@pytest.mark.parametrize(
    ("more", "status"),
    [(b"NONSENSE\r\n\r\n", 400), (HALF, 408), (HALF + b"a: b\r\n" * 100_000, 431)],
)
async def test_earlier_requests_are_answered_first(
    up: Answering, refused: asyncio.Event, monkeypatch: pytest.MonkeyPatch, more: bytes, status: int
) -> None:
    monkeypatch.setattr(BoundedProtocol, "head_s", 0.2)
    up.release.clear()
    async with connected(up.url) as line:
        await line.say(WHOLE, more)
        await refused.wait()
        up.release.set()
        found = [(await line.answer())[0] for _ in range(2)]
        assert found == [200, status]
        assert await line.ended()


async def test_pipelined_requests_are_answered_before_a_slow_one_is_rejected(
    up: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedProtocol, "head_s", 0.2)
    async with connected(up.url) as line:
        await line.say(WHOLE * 3, HALF)
        assert [(await line.answer())[0] for _ in range(4)] == [200, 200, 200, 408]
        assert await line.ended()
        await line.say(b"a: b\r\n" * 100)  # that it goes on resets nothing either


async def test_our_own_delay_does_not_count_against_a_client(
    up: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind two whole requests nothing more is read until the first is answered."""
    monkeypatch.setattr(BoundedProtocol, "head_s", 0.1)
    up.release.clear()
    waited = asyncio.Event()
    too_slow = BoundedProtocol._on_timeout

    def told(self: BoundedProtocol) -> None:
        too_slow(self)
        waited.set()

    monkeypatch.setattr(BoundedProtocol, "_on_timeout", told)
    async with connected(up.url) as line:
        await line.say(WHOLE * 2, HALF)
        await waited.wait()
        monkeypatch.setattr(BoundedProtocol, "head_s", HANG_S)
        waited.clear()
        await waited.wait()
        await line.say(WHOLE.removeprefix(HALF))
        up.release.set()
        assert [(await line.answer())[0] for _ in range(3)] == [200] * 3


async def test_rejected_upload_receives_its_response(base_url: str, key: str) -> None:
    """Read only once all of it was sent, or could not be: far more than buffers hold."""
    async with connected(base_url, "127.0.0.1") as line:
        head = (
            b"POST /api/recipes HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n"
            b"authorization: Bearer " + key.encode() + b"\r\n\r\n"
        )
        await line.say(head)
        piece = b"10000\r\n" + b" " * 65_536 + b"\r\n"
        for _ in range(400):
            await line.say(piece)
        status, headers, problem = await line.answer()
        assert (status, problem["code"]) == (413, "TOO_LARGE")
        assert headers["connection"] == "close"
        assert await line.ended()


async def test_default_limits_serve_a_panel(
    server_settings: Settings,
) -> None:
    """Streams of a panel's tabs, and assistants: all come from one address."""
    async with running(server_settings) as url, held_by(url, "127.0.0.1", 64):
        assert await status_of(url) == 200
