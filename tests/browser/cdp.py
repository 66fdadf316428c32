"""Chromium over its raw debugging protocol: Playwright keeps every tab visible, this does not."""

import asyncio
import itertools
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from app.cli.browser import EXTENSION_DIR, copy_with_access, extension_id, read_manifest
from app.cli.chromium import find_chromium
from tests.browser.runner_backend import until

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)
LOOPBACK = ("http://127.0.0.1/*",)
START_S = 60.0


class Protocol:
    """One websocket to the browser; sessions by id."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            waiting = self._waiting.pop(message.get("id", 0), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)

    async def send(self, method: str, *, session: str = "", **params: Any) -> dict[str, Any]:
        """The result of a command. Raises `AssertionError` with the browser's words."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": params}
        await self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        async with asyncio.timeout(30):
            reply = await self._waiting[number]
        assert "error" not in reply, (method, reply)
        result: dict[str, Any] = reply["result"]
        return result

    async def open(self, url: str, *, background: bool = False) -> "Tab":
        """A new tab, loaded."""
        made = await self.send("Target.createTarget", url=url, background=background)
        target = made["targetId"]
        attached = await self.send("Target.attachToTarget", targetId=target, flatten=True)
        tab = Tab(self, target, attached["sessionId"])
        there = "location.href !== 'about:blank' && document.readyState === 'complete'"
        await until(lambda: tab.value(there))
        return tab

    async def close(self) -> None:
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader


class Tab:
    """One tab, and what its page says."""

    def __init__(self, browser: Protocol, target: str, session: str) -> None:
        self.browser = browser
        self.target = target
        self._session = session

    async def value(self, expression: str) -> Any:
        """The value of an expression in the page; a promise's once it is kept."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        reply = await self.browser.send("Runtime.evaluate", session=self._session, **asked)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    async def activate(self) -> None:
        await self.browser.send("Target.activateTarget", targetId=self.target)


@asynccontextmanager
async def raw_chromium(profile: Path | None = None) -> AsyncIterator[tuple[Protocol, str]]:
    """A new Chromium with the extension, and the extension's id. `profile` may be one used before."""
    with tempfile.TemporaryDirectory(prefix="tabwright-", ignore_cleanup_errors=True) as scratch:
        folder = (profile or Path(scratch)) / "extension"
        home = (profile or Path(scratch)) / "profile"
        if not folder.exists():
            copy_with_access(EXTENSION_DIR, folder, LOOPBACK)
        identity = extension_id(read_manifest(folder))
        (home / "DevToolsActivePort").unlink(missing_ok=True)
        loaded = (f"--disable-extensions-except={folder}", f"--load-extension={folder}")
        child = await asyncio.create_subprocess_exec(
            str(find_chromium(None).path),
            *FLAGS,
            *loaded,
            f"--user-data-dir={home}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with connect(await _address(home), max_size=None) as socket:
                protocol = Protocol(socket)
                try:
                    yield protocol, identity
                finally:
                    with suppress(Exception):
                        await protocol.send("Browser.close")
                    await protocol.close()
        finally:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()


async def _address(home: Path) -> str:
    """Where the browser listens; it writes port and path down once it does."""
    file = home / "DevToolsActivePort"
    await until(lambda: file.exists() and len(file.read_text().split()) == 2, START_S)
    port, path = file.read_text().split()
    return f"ws://127.0.0.1:{port}{path}"
