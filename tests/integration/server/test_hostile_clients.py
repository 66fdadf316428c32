"""Clients that leave, do not read, or send too much hold no resources."""

import asyncio
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from app.api import problems
from app.api.middleware import access_log
from app.server.connection import BoundedProtocol
from tests.fakes.log_lines import capture_module_log
from tests.integration.server.test_hostile_bodies import Line, line, request

__all__ = ["line"]
SEND_S = 0.3


async def test_trailers_are_ignored_and_bounded(line: Line, key: str) -> None:
    chunked = request(b"/api/recipes", key, b"transfer-encoding: chunked")
    await line.say(chunked, b"2\r\n{}\r\n0\r\n", b"x-a: b\r\n" * 8_000)
    status, _, problem = await line.answer()
    assert (status, problem["code"]) == (431, "HEADERS_TOO_LARGE")
    assert await line.ended()


async def test_client_that_does_not_read_is_disconnected(
    base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window of 2 kB, and several megabytes asked for."""
    lost = asyncio.Event()
    losing = BoundedProtocol.connection_lost

    def told(self: BoundedProtocol, exc: Exception | None) -> None:
        losing(self, exc)
        lost.set()

    monkeypatch.setattr(BoundedProtocol, "send_s", SEND_S)
    monkeypatch.setattr(BoundedProtocol, "connection_lost", told)
    parts = urlsplit(base_url)
    loop = asyncio.get_running_loop()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        deaf.setblocking(False)
        await loop.sock_connect(deaf, (parts.hostname, parts.port))
        asked = b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
        await loop.sock_sendall(deaf, asked * 80)
        await asyncio.wait_for(lost.wait(), 60)  # only ends a hang


async def test_client_that_leaves_during_its_body_is_not_a_failure(
    line: Line, key: str, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = capture_module_log(monkeypatch, access_log)
    failures = capture_module_log(monkeypatch, problems)
    chunked = request(b"/api/recipes", key, b"transfer-encoding: chunked")
    await line.say(chunked, b"2\r\n{}\r\nzz\r\n")
    status, _, _ = await line.answer()
    assert (status, await line.ended()) == (400, True)
    while not requests:
        await asyncio.sleep(0.01)
    assert requests[0]["status"] == problems.CLIENT_GONE
    assert (await client.get("/api/me")).status_code == 200
    assert failures == []
