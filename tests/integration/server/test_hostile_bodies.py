"""Malformed and slow requests over a raw socket: rejected in time, never a 5xx."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson
import pytest

from app.server.connection import BoundedProtocol
from app.settings import EXTENSION_ORIGIN
from tests.integration.desk import INTERACT

HEAD_S = 0.4
BODY_S = 0.5
HANG_S = 60.0  # only ends a hang


@pytest.fixture
def server_settings(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(BoundedProtocol, "head_s", HEAD_S)
    return settings.model_copy(update={"request_timeout_s": BODY_S})


class Line:
    """A connection that says what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, *parts: bytes) -> None:
        self.writer.writelines(parts)
        await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], dict[str, Any]]:
        """Status, headers and problem of the next answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = (line.split(": ", 1) for line in head[1:] if line)
        headers = {name.lower(): value for name, value in fields}
        body = await self.reader.readexactly(int(headers["content-length"]))
        return int(head[0].split()[1]), headers, orjson.loads(body)

    async def ended(self) -> bool:
        return await self.reader.read() == b""


@pytest.fixture
async def line(base_url: str) -> AsyncIterator[Line]:
    parts = urlsplit(base_url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    yield Line(reader, writer)
    writer.close()


def request(path: bytes, key: str, *more: bytes, verb: bytes = b"POST") -> bytes:
    lines = (b"host: localhost", f"authorization: Bearer {key}".encode(), *more)
    return b"\r\n".join((verb + b" " + path + b" HTTP/1.1", *lines, b"", b""))


@pytest.mark.parametrize(
    "sent",
    [
        (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n", b"x-big: " + b"a" * 40_000),
        (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n", b"x-a: b\r\n" * 8_000, b"\r\n"),
        (b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",),
    ],
    ids=["one header without end", "many headers", "a path"],
)
async def test_huge_headers_are_refused(line: Line, sent: tuple[bytes, ...]) -> None:
    await line.say(*sent)
    status, headers, problem = await line.answer()
    assert (status, problem["code"]) == (431, "HEADERS_TOO_LARGE")
    assert headers["content-type"] == "application/problem+json"
    assert await line.ended()


async def test_slow_headers_are_rejected(line: Line) -> None:
    await line.say(b"GET /healthz HTTP/1.1\r\n")
    async with dripping(line, b"x-a: b\r\n"):
        status, _, problem = await line.answer()
        assert (status, problem["code"]) == (408, "REQUEST_TIMEOUT")
        assert await line.ended()


async def test_idle_connection_is_closed(line: Line) -> None:
    assert await line.ended()


@asynccontextmanager
async def dripping(line: Line, piece: bytes) -> AsyncIterator[asyncio.Task[None]]:
    """What is sent again and again, until the other side takes no more of it."""

    async def drip() -> None:
        with suppress(ConnectionError):
            while True:
                await line.say(piece)
                await asyncio.sleep(0.02)

    task = asyncio.create_task(drip())
    try:
        yield task
    finally:
        task.cancel()


async def test_slow_body_is_rejected(line: Line, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedProtocol, "linger_s", HEAD_S)
    await line.say(request(INTERACT.encode(), key, b"content-length: 100000"))
    async with dripping(line, b" ") as drips:
        status, headers, problem = await line.answer()
        assert (status, problem["code"]) == (408, "REQUEST_TIMEOUT")
        assert headers["x-content-type-options"] == "nosniff"
        assert await line.ended()  # in order, and not by a reset that could take the answer with it
        await drips  # what drips on holds no connection


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"NONSENSE\r\n\r\n", 400),
        (b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: b\rx-c: d\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx\x00a: b\r\n\r\n", 400),
        (
            b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
            400,
        ),
        (
            b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n"
            b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
    ],
)
async def test_malformed_requests_are_rejected(line: Line, sent: bytes, status: int) -> None:
    await line.say(sent)
    found, headers, problem = await line.answer()
    assert (found, problem["status"]) == (status, status)
    assert "server" not in headers


TRICKS = [
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "a%00b",
    "%0d%0aSet-Cookie:%20a=b",
    "%ff%fe",
    "%ed%a0%80",
    "%E2%80%AE12345678",
    "%7B%24ne%3A1%7D",
    "a" * 8_000,
    "%252e%252e%252f",
    "☃",
]


async def test_path_tricks_in_ids_are_not_found(client: httpx.AsyncClient) -> None:
    for trick in TRICKS:
        for way in ("GET /api/task/{}", "GET /api/task/{}/audit", "POST /api/task/{}/cancel",
                    "POST /api/task/{}/pause", "GET /api/session/{}/messages", "GET /api/hitl/{}",
                    "DELETE /api/keys/{}", "GET /api/recipes/{}", "GET /console/{}",
                    "GET /api/task/{}/events"):  # fmt: skip
            verb, path = way.format(trick).split(" ", 1)
            reply = await client.request(verb, path)
            assert reply.status_code in (404, 405, 409, 422, 429), (way, trick, reply.text)
            assert "set-cookie" not in reply.headers


BOMB = gzip.compress(b" " * 20_000_000)
DEEP = 100_000


async def test_compressed_bodies_are_rejected(client: httpx.AsyncClient) -> None:
    for packed in ("gzip", "deflate", "br", "gzip, identity", "x-nothing"):
        reply = await client.post(INTERACT, content=BOMB, headers={"Content-Encoding": packed})
        found = (reply.status_code, reply.json()["code"])
        assert found == (415, "UNSUPPORTED_ENCODING"), packed


JSON_BOMBS = {
    "depth": b"[" * DEEP,
    "objects": b'{"a":' * DEEP,
    "number": b'{"url":' + b"9" * 1_000_000 + b"}",
    "width": b'{"viewport":{"width":' + b"9" * 1_000_000 + b',"height":1}}',
    "keys": b"{" + b",".join(b'"%d":0' % n for n in range(150_000)) + b"}",
    "duplicates": b"{" + b",".join([b'"url":"x"'] * 100_000) + b"}",
    "escapes": b'{"url":"' + b"\\u0041" * 300_000 + b'"}',
    "exponent": b"1e" + b"9" * 100_000,
}


async def test_json_bombs_are_refused(client: httpx.AsyncClient) -> None:
    for name, body in JSON_BOMBS.items():
        for path in (INTERACT, "/api/pairing/claim", "/api/recipes"):
            async with asyncio.timeout(HANG_S):
                reply = await client.post(path, content=body)
            found = (reply.status_code, reply.json()["code"])
            assert found == (422, "INVALID_REQUEST"), (name, path)


SAFE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


async def test_every_response_has_the_security_headers(
    client: httpx.AsyncClient, base_url: str
) -> None:
    for path in ("/healthz", "/api/sessions", "/api/nothing", "/openapi.json", "/console/"):
        reply = await client.get(path)
        assert {name: reply.headers.get(name) for name in SAFE} == SAFE, path
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "server" not in reply.headers
        assert "strict-transport-security" not in reply.headers
    assert (await client.get("/api/sessions")).headers["cache-control"] == "no-store"
    assert (await client.get("/docs")).status_code == 404


async def test_foreign_host_on_the_loopback_is_rejected(
    client: httpx.AsyncClient,
) -> None:
    for host in ("evil.example", "evil.example:8787", "127.0.0.1.evil.example", "[::1", "10.0.0.1"):
        reply = await client.get("/healthz", headers={"Host": host})
        assert (reply.status_code, reply.json()["code"]) == (421, "HOST_REFUSED"), host
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:8787", "[::1]:8787", "127.1.2.3"):
        assert (await client.get("/healthz", headers={"Host": host})).status_code == 200, host


async def test_other_origins_cannot_make_changes(client: httpx.AsyncClient) -> None:
    own = str(client.base_url).rstrip("/")
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "chrome-extension://abc"):
        reply = await client.post("/api/pairing", headers={"Origin": origin})
        assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN"), origin
        assert "access-control-allow-origin" not in reply.headers
    for origin in (EXTENSION_ORIGIN, own):
        reply = await client.post("/api/pairing", headers={"Origin": origin})
        assert reply.status_code == 200, origin


async def test_extension_can_read_rejections(client: httpx.AsyncClient) -> None:
    headers = {"Origin": EXTENSION_ORIGIN, "Content-Encoding": "gzip"}
    replies = [
        await client.post(INTERACT, content=b"x", headers=headers),
        await client.get("/api/nothing", headers=headers),
        await client.get("/healthz", headers={"Origin": EXTENSION_ORIGIN, "Host": "evil.example"}),
    ]
    assert [reply.status_code for reply in replies] == [415, 415, 421]
    for reply in replies:
        assert reply.headers["access-control-allow-origin"] == EXTENSION_ORIGIN
