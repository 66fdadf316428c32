"""The MCP servers over HTTP: keys, sessions, bad bodies and disconnects."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
from mcp import MCPError

from app.domain.access import Principal
from app.settings import Settings
from tests.integration.conftest import running
from tests.integration.desk import KEY, Served
from tests.integration.mcp.desk import CASE, MODES, keys_of, over_http, told

PATHS = [f"/mcp/{name}{end}" for name in ("capture", "review", "tabwright") for end in ("", "/")]
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
MODERN, OLDER = "2026-07-28", "2025-11-25"
HELLO = {
    "protocolVersion": OLDER,
    "capabilities": {},
    "clientInfo": {"name": "Test assistant", "version": "1.2"},
}


def rpc(method: str, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}} | more


def modern(tool: str, arguments: Any) -> tuple[dict[str, str], bytes]:
    """The headers and body of a call in the newer protocol, written by hand."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = rpc("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return headers, orjson.dumps(body)


@dataclass(frozen=True)
class House:
    served: Served
    ann: str
    ben: str


@pytest.fixture(scope="module")
def house(served: Served) -> House:
    holders = [Principal(tenant="one", user=user) for user in ("ann", "ben")]
    return House(served, *keys_of(served.settings, holders))


@pytest.fixture
async def http(house: House) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {house.ann}", **ACCEPT}
    async with httpx.AsyncClient(base_url=house.served.url, headers=headers, timeout=20) as made:
        yield made


async def opened(http: httpx.AsyncClient, path: str = "/mcp/capture") -> dict[str, str]:
    """The header of a session of the older protocol."""
    hello = await http.post(path, json=rpc("initialize", HELLO))
    assert hello.status_code == 200, hello.text
    session = {"Mcp-Session-Id": hello.headers["mcp-session-id"], "MCP-Protocol-Version": OLDER}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await http.post(path, json=ready, headers=session)).status_code == 202
    return session


async def alive(house: House) -> None:
    """The server answers a call of either generation."""
    for mode in MODES:
        async with over_http(house.served.url, "capture", house.ben, mode) as client:
            assert (await told(client, "list_submissions"))["status"] == "ok"


async def test_every_path_needs_a_key_with_or_without_a_slash(
    http: httpx.AsyncClient,
) -> None:
    for path in PATHS:
        for given in ("", "Bearer wrong", "Bearer", "Basic YTpi"):
            refused = await http.post(
                path, json=rpc("initialize", HELLO), headers={"Authorization": given}
            )
            assert refused.status_code == 401
            assert refused.headers["content-type"] == "application/problem+json"
            assert refused.headers["www-authenticate"] == "Bearer"
        hello = await http.post(path, json=rpc("initialize", HELLO))
        assert (hello.status_code, hello.history) == (200, [])
        assert path.split("/")[2] in hello.text
    assert (await http.post("/mcp/other", json=rpc("ping"))).status_code == 404


async def test_session_belongs_to_the_key_that_opened_it(
    http: httpx.AsyncClient, house: House
) -> None:
    session = await opened(http)
    listing = rpc("tools/list")
    assert (await http.post("/mcp/capture", json=listing, headers=session)).status_code == 200
    stranger = session | {"Authorization": f"Bearer {house.ben}"}
    refused = await http.post("/mcp/capture", json=listing, headers=stranger)
    unknown = await http.post(
        "/mcp/capture", json=listing, headers=session | {"Mcp-Session-Id": "0" * 32}
    )
    assert (refused.status_code, refused.text) == (unknown.status_code, unknown.text)
    assert refused.status_code == 404
    assert (await http.delete("/mcp/capture", headers=stranger)).status_code == 404
    assert (await http.post("/mcp/review", json=listing, headers=session)).status_code == 404
    assert (await http.post("/mcp/capture", json=listing, headers=session)).status_code == 200
    assert (await http.delete("/mcp/capture", headers=session)).status_code == 200
    assert (await http.post("/mcp/capture", json=listing, headers=session)).status_code == 404


async def test_revoked_key_loses_its_session(http: httpx.AsyncClient) -> None:
    admin = {"Authorization": f"Bearer {KEY}"}
    made = (await http.post("/api/keys", json={"userId": "cleo"}, headers=admin)).json()
    hers = {"Authorization": f"Bearer {made['secret']}"}
    async with httpx.AsyncClient(base_url=http.base_url, headers=ACCEPT | hers) as cleo:
        session = await opened(cleo)
        assert (await cleo.post("/mcp/capture", json=rpc("tools/list"), headers=session)).is_success
        gone = await http.delete(f"/api/keys/{made['key']['keyId']}", headers=admin)
        assert gone.is_success, gone.text
        refused = await cleo.post("/mcp/capture", json=rpc("tools/list"), headers=session)
        assert refused.status_code == 401


async def test_rejects_foreign_hosts_and_origins(http: httpx.AsyncClient) -> None:
    body = rpc("initialize", HELLO)
    strange = await http.post("/mcp/capture", json=body, headers={"Host": "evil.example"})
    page = await http.post("/mcp/capture", json=body, headers={"Origin": "https://evil.example"})
    assert (strange.status_code, page.status_code) == (421, 403)
    port = urlsplit(str(http.base_url)).port
    own = await http.post("/mcp/capture", json=body, headers={"Host": f"localhost:{port}"})
    assert own.status_code == 200


BODIES = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"not json",
    b"{",
    b"null",
    b"[]",
    b"42",
    b'"text"',
    b"{}",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"9" * 10_000,
    b'{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":1,"method":7}',
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":[]}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_submissions","arguments":3}}',
    b'{"jsonrpc":"2.0","id":1e999,"method":"tools/list"}',
    b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
    orjson.dumps(rpc("no/such/method")),
    orjson.dumps(rpc("tools/call", {"name": "no_such_tool", "arguments": {}})),
    orjson.dumps(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}
    ),
]


async def test_rejects_malformed_messages(http: httpx.AsyncClient, house: House) -> None:
    session = await opened(http)
    newer = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "x"}
    odd = {"MCP-Protocol-Version": "x" * 4_000, "Mcp-Session-Id": "../../\x7f"}
    for body in BODIES:
        for headers in ({}, session, newer, session | odd, {"Content-Type": "text/plain"}):
            answered = await http.post("/mcp/capture", content=body, headers=headers)
            assert answered.status_code < 500, (body[:80], headers, answered.text)
    for method in ("PUT", "PATCH", "HEAD", "OPTIONS", "GET", "DELETE"):
        answered = await http.request(method, "/mcp/capture", headers={"Accept": "text/plain"})
        assert answered.status_code < 500, (method, answered.text)
    listing = await http.post("/mcp/capture", json=rpc("tools/list"), headers=session)
    assert listing.status_code == 200
    await alive(house)


async def test_rejects_malformed_arguments(http: httpx.AsyncClient) -> None:
    for arguments in ({"submission_id": "HITL-\ud800"}, {"submission_id": ["x"]}, {"\ud800": 1}):
        headers, _ = modern("get_submission_status", {})
        body = modern("get_submission_status", {})[1].replace(
            b'"arguments":{}', b'"arguments":' + _escaped(arguments)
        )
        answered = await http.post("/mcp/capture", content=body, headers=headers)
        assert answered.status_code < 500, answered.text
        assert answered.json()["result"]["structuredContent"]["status"] in ("error", "not_found")


def _escaped(value: Any) -> bytes:
    return json.dumps(value).encode()


async def test_rejects_a_large_body_before_reading_it(
    http: httpx.AsyncClient, house: House
) -> None:
    large = orjson.dumps(rpc("tools/call", {"name": "x", "arguments": {"a": "x" * 5_000_000}}))
    for headers in ({}, {"MCP-Protocol-Version": MODERN}):
        refused = await http.post("/mcp/capture", content=large, headers=headers)
        assert refused.status_code == 413
        assert refused.headers["content-type"] == "application/problem+json"
    await alive(house)


async def test_survives_clients_that_disconnect(house: House) -> None:
    """Whole records or none; and the server answers on."""
    at = urlsplit(house.served.url)
    headers, body = modern("submit_issue_for_review", CASE)
    lines = {"Host": at.netloc, "Authorization": f"Bearer {house.ann}", **ACCEPT, **headers}
    head = "POST /mcp/capture HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items())
    whole = head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body

    def hang_up(after: int) -> None:
        with socket.create_connection((at.hostname, at.port)) as line:
            line.sendall(whole[:after])

    for after in (10, len(head), len(whole) - 1, *(len(whole),) * 5):
        await asyncio.to_thread(hang_up, after)
    async with over_http(house.served.url, "capture", house.ann) as client:
        found = await told(client, "list_submissions", limit=100)
        assert all(
            one["reported_symptom"] == CASE["reported_symptom"] for one in found["submissions"]
        )
    await alive(house)


@pytest.mark.parametrize("mode", MODES)
async def test_cancelling_a_call_ends_only_that_call(house: House, mode: str) -> None:
    async with over_http(house.served.url, "capture", house.ben, mode) as client:
        for turns in (0, 5, 10, 20, 40, 80):
            call = asyncio.create_task(client.call_tool("submit_issue_for_review", CASE))
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait({call})
        found = await told(client, "list_submissions", limit=100)
        for one in found["submissions"]:
            assert (await told(client, "get_submission_status", submission_id=one["id"]))[
                "location"
            ] == "pending"


async def test_closing_a_session_completes_its_responses(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    listing = rpc("tools/call", {"name": "list_submissions", "arguments": {}})
    heard = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}
    for _ in range(4):
        session = await opened(http)
        calls = [listing | {"id": n} for n in range(6)] + [heard] * 2
        answered = await asyncio.gather(
            *(http.post("/mcp/capture", json=call, headers=session) for call in calls),
            http.delete("/mcp/capture", headers=session),
        )
        assert {one.status_code for one in answered} <= {200, 202, 404}
    assert [one.getMessage() for one in caplog.records if one.levelname == "ERROR"] == []


async def test_workers_are_stateless_and_share_rate_limits(
    server_settings: Settings,
) -> None:
    several = server_settings.model_copy(update={"workers": 2, "rate_limit_mcp": "40/minute"})
    key = (await asyncio.to_thread(keys_of, several, [Principal(tenant="one", user="ann")]))[0]
    async with running(several) as url:
        for mode in MODES:
            async with over_http(url, "capture", key, mode) as client:
                assert (await told(client, "list_submissions"))["count"] == 0
        headers = {"Authorization": f"Bearer {key}", **ACCEPT}
        async with httpx.AsyncClient(base_url=url, headers=headers) as http:
            asked = [
                await http.post("/mcp/capture", json=rpc("initialize", HELLO)) for _ in range(41)
            ]
        assert "mcp-session-id" not in asked[0].headers
        assert asked[-1].status_code == 429
        assert int(asked[-1].headers["retry-after"]) >= 1
        with pytest.raises((MCPError, ExceptionGroup, httpx.HTTPError)):
            async with over_http(url, "capture", key, "legacy"):
                pass
