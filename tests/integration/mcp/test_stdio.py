"""`tabwright mcp` on the data folder of a running server."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import SecretStr
from typer.testing import CliRunner

from app.cli.__main__ import create_command_line
from app.errors import Unauthenticated
from app.main import serve_mcp
from app.settings import Settings
from tests.integration.desk import KEY, threaded
from tests.integration.mcp.desk import CASE, INFO, VERDICT, over_http, told

ADMIN = {"Authorization": f"Bearer {KEY}"}
RUN = (sys.executable, "-m", "app.cli", "mcp")
ENDS_S = 120.0  # only ends a hang
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "Older assistant", "version": "1"},
}
NO_MESSAGES = (
    b"not json\n",
    b"\n",
    b"\x00\xff\xfe\n",
    b"[]\n",
    b"42\n",
    b'{"jsonrpc":"2.0"}\n',
    b'{"jsonrpc":"2.0","id":7,"method":5}\n',
    b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"\\ud800"}}\n',
    b"[" * 100_000 + b"\n",
    b'{"a":"' + b"x" * 5_000_000 + b'"}\n',
    b"y" * 5_000_000 + b"\n",
)


def environment(folder: Path, key: str) -> dict[str, str]:
    """That of the tests without their settings, for a process on this folder."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("TABWRIGHT")}
    more = {"TABWRIGHT_DATA_DIR": str(folder), "TABWRIGHT_LLM": "rules", "TABWRIGHT_MCP_KEY": key}
    return ours | more


@asynccontextmanager
async def over_stdio(
    server: str, folder: Path, key: str, mode: str = "auto"
) -> AsyncIterator[Client]:
    """A client of a process of its own."""
    how = StdioServerParameters(
        command=RUN[0], args=[*RUN[1:], server], env=environment(folder, key)
    )
    async with Client(stdio_client(how), mode=mode, client_info=INFO) as client:
        yield client


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    """A server on the folder, with the store that it starts for itself and records in files."""
    settings = Settings(_env_file=None, data_dir=folder, api_key=SecretStr(KEY), llm="rules")
    with threaded(settings) as served:
        yield served


async def asked_on(client: Client) -> None:
    """Until it fails: a process remembers a key that opened for three seconds."""
    while True:
        await told(client, "list_submissions")
        await asyncio.sleep(0.05)


async def made_key(url: str, role: str) -> tuple[str, str]:
    """The id and secret of a new key."""
    async with httpx.AsyncClient(base_url=url, headers=ADMIN) as http:
        made = (await http.post("/api/keys", json={"userId": "ann", "role": role})).json()
        return made["key"]["keyId"], made["secret"]


async def test_serves_beside_a_server_on_the_same_folder(url: str, folder: Path) -> None:
    """What is handed in to one process is decided in another; then the key is revoked in a third."""
    key_id, secret = await made_key(url, "operator")
    async with (
        over_stdio("capture", folder, secret) as capture,
        over_http(url, "review", KEY, "legacy") as review,
    ):
        assert capture.protocol_version == "2026-07-28"
        assert await told(capture, "get_submission_status") == {
            "status": "error",
            "message": "submission_id is required",
        }
        refused = await told(capture, "submit_issue_for_review", **CASE | {"impact": "huge"})
        assert refused["status"] == "error"
        handed = await told(capture, "submit_issue_for_review", **CASE)
        kept = list((folder / "review" / "pending").rglob(f"{handed['id']}.json"))
        assert len(kept) == 1
        assert json.loads(kept[0].read_text())["origin"]["user"] == "ann"
        decided = await told(review, "record_review", submission_id=handed["id"], **VERDICT)
        assert decided["location"] == "approved"
        seen = await told(capture, "get_submission_status", submission_id=handed["id"])
        assert seen["review"]["notes"] == VERDICT["review_notes"]

        async with httpx.AsyncClient(base_url=url, headers=ADMIN) as http:
            assert (await http.delete(f"/api/keys/{key_id}")).is_success
        async with asyncio.timeout(ENDS_S):
            with pytest.raises(MCPError, match="Invalid API key"):
                await asked_on(capture)


@asynccontextmanager
async def started(server: str, folder: Path, key: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process to write lines to; killed where it did not end."""
    process = await asyncio.create_subprocess_exec(
        *RUN, server,
        env=environment(folder, key),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=2**24,
    )  # fmt: skip
    try:
        async with asyncio.timeout(ENDS_S):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def test_malformed_lines_and_an_older_client(url: str, folder: Path) -> None:
    """All on one process, that says nothing on standard output but messages, and ends when told to."""
    _, secret = await made_key(url, "operator")
    lines: list[dict[str, Any]] = []
    async with started("review", folder, secret) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write, read = process.stdin, process.stdout

        async def asked(method: str, number: int, **params: Any) -> dict[str, Any]:
            body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            write.write(json.dumps(body).encode() + b"\n")
            while not lines or lines[-1].get("id") != number:
                lines.append(json.loads(await read.readline()))
            return lines[-1]

        answer = await asked("initialize", 1, **HELLO)
        assert answer["result"]["serverInfo"]["name"] == "tabwright-review"
        write.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        for number, line in enumerate(NO_MESSAGES, start=2):
            write.write(line)
            await write.drain()
            listing = await asked("tools/call", number, name="list_submissions", arguments={})
            assert listing["result"]["structuredContent"]["status"] == "ok"
        unknown = await asked("tools/call", 100, name="no_such_tool", arguments={})
        assert "error" in unknown or unknown["result"]["isError"]
        process.terminate()  # while it waits for a line
        rest, log = await process.communicate()
    assert process.returncode == 0, log.decode()[-2_000:]
    assert all(line["jsonrpc"] == "2.0" for line in [*lines, *map(json.loads, rest.splitlines())])
    assert secret not in log.decode()


def test_explains_a_missing_or_invalid_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("TABWRIGHT_MCP_KEY", "TABWRIGHT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for server in ("capture", "review", "tabwright"):
        ended = CliRunner().invoke(
            create_command_line(), ["mcp", server], env={"TABWRIGHT_MCP_KEY": " "}
        )
        assert isinstance(ended.exception, ValueError)
        assert "TABWRIGHT_MCP_KEY" in str(ended.exception)


async def test_rejects_a_key_without_the_scope_at_the_start(url: str, folder: Path) -> None:
    settings = Settings(_env_file=None, data_dir=folder, llm="rules")
    with pytest.raises(Unauthenticated, match="Invalid API key"):
        await serve_mcp("capture", settings, "tw_wrong")
