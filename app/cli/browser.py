"""Runs Chromium with a fresh profile and the extension loaded."""

import base64
import hashlib
import json
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Error, Page, ViewportSize, async_playwright

from app.store.scratch import scratch_folder

LOOPBACK = ("http://127.0.0.1/*", "http://localhost/*")
VIEWPORT = ViewportSize(width=1280, height=800)
PANEL_SIZE = (420, 860)  # px; the usual width of a side panel
START_MS = 60_000  # a cold Chromium on a loaded machine takes 10 s; this only ends a hang
_QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@dataclass(frozen=True, slots=True)
class Browser:
    """An open browser; `extension_id` is empty if no extension was loaded."""

    context: BrowserContext
    extension_id: str = ""

    def url(self, path: str) -> str:
        """The URL of one of the extension's files."""
        return f"chrome-extension://{self.extension_id}/{path}"

    async def configure(self, server_url: str, api_key: str) -> None:
        """Write the extension's settings, as its options page does."""
        async with self._extension_page() as probe:
            await probe.evaluate(
                "settings => chrome.storage.local.set({settings})",
                {"serverUrl": server_url, "apiKey": api_key},
            )

    async def open_panel(self, tab_page: Page, *, window: bool = False) -> Page:
        """Open the panel for that tab, in a tab or as a window beside it. Raises `LookupError`."""
        async with self._extension_page() as probe:
            tab_id = await _find_tab(tab_page, probe)
            address = self.url(f"panel/index.html?tabId={tab_id}")
            if window:
                width, height = PANEL_SIZE
                async with self.context.expect_page() as opened:
                    await probe.evaluate(
                        "options => chrome.windows.create(options)",
                        {"url": address, "type": "popup", "width": width, "height": height},
                    )
                panel = await opened.value
                await panel.wait_for_load_state()
                return panel
        panel = await self.context.new_page()
        await panel.bring_to_front()
        await panel.goto(address)
        return panel

    @asynccontextmanager
    async def _extension_page(self) -> AsyncIterator[Page]:
        """A page with the extension's permissions that runs none of its code."""
        page = await self.context.new_page()
        try:
            await page.goto(self.url("manifest.json"))
            yield page
        finally:
            await page.close()


async def _find_tab(tab_page: Page, probe: Page) -> int:
    """Chromium's id of a page's tab. It is looked up as the active one, since two tabs may show the same
    URL.
    """
    await tab_page.bring_to_front()
    tabs = await probe.evaluate(
        "async () => (await chrome.tabs.query({active: true})).map(t => [t.id, t.url ?? ''])"
    )
    for tab_id, url in tabs:
        if url == tab_page.url:
            return int(tab_id)
    raise LookupError(f"No tab shows {tab_page.url}. Does the extension have access to that site?")


@asynccontextmanager
async def open_browser(
    *,
    chromium: Path,
    extension: Path | None,
    headless: bool,
    hosts: Sequence[str] = LOOPBACK,
) -> AsyncIterator[Browser]:
    """Open Chromium with a new profile; both are disposed of on exit.

    `hosts` are match patterns that the extension may read. Raises Playwright's `Error` if Chromium does
    not start.
    """
    with scratch_folder("browser") as scratch:
        folder = scratch / "extension"
        identity = copy_with_access(extension, folder, hosts) if extension else ""
        async with async_playwright() as playwright:
            context = await playwright.chromium.launch_persistent_context(
                scratch / "profile",
                executable_path=chromium,
                headless=False,  # set by `--headless=new`: the old mode loads no extensions
                args=_arguments(folder if extension else None, headless=headless),
                ignore_default_args=["--disable-extensions"],
                viewport=VIEWPORT if headless else None,
                no_viewport=None if headless else True,
                timeout=START_MS,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            try:
                yield Browser(context, identity)
            finally:
                with suppress(Error):  # Ctrl-C reaches the browser too, so it may be gone already
                    await context.close()


def _arguments(folder: Path | None, *, headless: bool) -> list[str]:
    arguments = list(_QUIET)
    if headless:
        arguments.append("--headless=new")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to run as root with its sandbox
    if folder:
        arguments += [f"--disable-extensions-except={folder}", f"--load-extension={folder}"]
    return arguments


EXTENSION_DIR = Path(__file__).resolve().parents[2] / "extension"
_IGNORED = shutil.ignore_patterns("node_modules", "test", "*.map")


def extension_id(manifest: dict[str, Any]) -> str:
    """The id that Chromium derives: SHA-256 of the DER key, 32 hex digits written as a to p.

    Raises `ValueError` for a manifest without a `key`, whose id would depend on its path.
    """
    key = manifest.get("key")
    if not key:
        raise ValueError("The extension's manifest has no `key`, which its id is derived from.")
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def read_manifest(folder: Path = EXTENSION_DIR) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return manifest


def copy_with_access(source: Path, target: Path, hosts: Sequence[str]) -> str:
    """Copy the extension with permission for `hosts`; returns its id.

    A script cannot click the prompt for `optional_host_permissions`, so the copy requires these hosts
    at installation. The optional permissions stay optional.
    """
    shutil.copytree(source, target, ignore=_IGNORED)
    manifest = read_manifest(target)
    manifest["host_permissions"] = list(
        dict.fromkeys([*manifest.get("host_permissions", []), *hosts])
    )
    (target / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return extension_id(manifest)
