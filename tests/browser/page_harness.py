"""The page scripts in a plain page, without the extension around them: install, observe, act."""

import json
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from app.cli.browser import EXTENSION_DIR

# What the scripts ask of the browser: a port that keeps what the page posts.
_STUB = """
globalThis.chrome ??= {};
chrome.runtime = {connect: () => ({
  postMessage: (message) => (globalThis.__posted ??= []).push(message),
  onMessage: {addListener: () => {}}, onDisconnect: {addListener: () => {}},
})};
"""


def page_scripts() -> str:
    """The scripts injected into a page, in the order of `PAGE_FILES` in page/manifest.js."""
    manifest = (EXTENSION_DIR / "page" / "manifest.js").read_text("utf-8")
    names = re.findall(r'"(page/[\w/]+\.js)"', manifest)
    return "\n;".join((EXTENSION_DIR / name).read_text("utf-8") for name in names)


@cache
def page_source() -> str:
    """One script that installs them all with a stubbed runtime."""
    return _STUB + page_scripts()


@cache
def main_source() -> str:
    """What the worker puts into the page's own world; armed by `outside` under the name "t"."""
    files = [EXTENSION_DIR / "page/act" / f"{name}_main.js" for name in ("dialogs", "capture")]
    text = "\n".join(file.read_text("utf-8") for file in files)
    plain = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"{{ {plain}; dialogsInPage('t'); capturesInPage('t'); }}"


# Defined in each document of `opened_page`: sending half a megabyte takes longer than most tests.
_INSTALLER = "globalThis.__install = () => {{ {}\n; return true; }}"

# As text: Playwright takes seconds to rebuild a large object.
ANSWER = "async (text) => JSON.stringify(await globalThis.__tabwright.answer(JSON.parse(text)))"

# What Playwright turns off, and a new frame host for each document: without it, loading a page takes
# 43 ms of CPU instead of 61.
_OFF = (
    "ImprovedCookieControls", "LazyFrameLoading", "GlobalMediaControls", "DestroyProfileOnBrowserClose",
    "MediaRouter", "DialMediaRouteProvider", "AcceptCHFrame", "AutoExpandDetailsElement",
    "CertificateTransparencyComponentUpdater", "AvoidUnnecessaryBeforeUnloadCheckSync", "Translate",
    "HttpsUpgrades", "PaintHolding", "ThirdPartyStoragePartitioning", "LensOverlay", "PlzDedicatedWorker",
    "RenderDocument",
)  # fmt: skip
_FLAGS = [
    f"--disable-features={','.join(_OFF)}",
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


@asynccontextmanager
async def plain_chromium() -> AsyncIterator[Browser]:
    """A new headless Chromium: the one on PATH, else Playwright's."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=_FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened_page(browser: Browser) -> AsyncIterator[Page]:
    """A page of a context of its own, 1280 x 800."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    await context.add_init_script(_INSTALLER.format(page_source()))
    try:
        yield await context.new_page()
    finally:
        await context.close()


@asynccontextmanager
async def chromium_page() -> AsyncIterator[Page]:
    """A page of a new headless Chromium."""
    async with plain_chromium() as browser, opened_page(browser) as page:
        yield page


async def show(page: Page, html: str) -> None:
    """Loads this document and injects the page scripts."""
    await page.goto("about:blank")
    await page.set_content(html)
    await install(page)


async def install(page: Page) -> None:
    """Injects the page scripts into the document that is loaded now; harmless when repeated."""
    if not await page.evaluate("globalThis.__install?.()"):
        await page.evaluate(page_source())


async def request(page: Page, kind: str, **fields: Any) -> dict[str, Any]:
    """One request as the runner makes it; the reply's `result`, AssertionError for an error."""
    reply = json.loads(await page.evaluate(ANSWER, json.dumps({"id": 1, "kind": kind, **fields})))
    assert reply["ok"], reply
    return reply["result"]


async def observe(page: Page, task_key: str = "task", next_id: int = 1) -> dict[str, Any]:
    """What the runner would post: `tree`, `pageSummary`, `nextId`, ..."""
    return await request(page, "observe", taskKey=task_key, nextId=next_id)


async def act(page: Page, name: str, args: dict[str, Any]) -> dict[str, Any]:
    """`{"status": "success" | "failure", "error"?, "note"?}` of one action."""
    return await request(page, "act", actionId="a", name=name, args=args)


async def look(page: Page, html: str) -> dict[str, Any]:
    """Loads this document and observes it."""
    await show(page, html)
    return await observe(page)


def named(observation: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and name of each node, in order."""
    return [(node["r"], node.get("n", "")) for node in observation["tree"]]


def find(observation: dict[str, Any], name: str, role: str | None = None) -> dict[str, Any]:
    """The only node of that name (and role); AssertionError with the tree when there is not one."""
    nodes = [n for n in observation["tree"] if n.get("n") == name and role in (None, n["r"])]
    assert len(nodes) == 1, (name, [(n["r"], n.get("n")) for n in observation["tree"]])
    return nodes[0]
