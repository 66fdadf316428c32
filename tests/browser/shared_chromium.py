"""One Chromium with the extension for each set of sites it may read, shared by all tests of a worker.

Starting one takes longer than most tests. Whoever borrows it gets it as it was at its start: the pages of
the borrower before are closed, what the extension stored is gone, and its worker starts anew.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from playwright.async_api import Error

from app.cli.browser import EXTENSION_DIR, LOOPBACK, Browser, open_browser
from app.cli.chromium import find_chromium

CLEAR = """async () => {
  if (await chrome.offscreen.hasDocument()) await chrome.offscreen.closeDocument();
  await chrome.storage.local.clear();
  await chrome.storage.session.clear();
  await chrome.alarms.clearAll();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
}"""

_stack: AsyncExitStack | None = None
_shared: dict[tuple[str, ...], Browser] = {}


@asynccontextmanager
async def sharing() -> AsyncIterator[None]:
    """While inside, `chromium` lends what it opened before; all is closed on leaving."""
    global _stack
    async with AsyncExitStack() as _stack:
        try:
            yield
        finally:
            _stack = None
            _shared.clear()


@asynccontextmanager
async def chromium(
    server_url: str, api_key: str, hosts: Sequence[str] = LOOPBACK
) -> AsyncIterator[Browser]:
    """A Chromium whose extension may read `hosts` and talks to that server. Outside of `sharing` it is
    closed on leaving.
    """
    if _stack is None:
        async with _opened(hosts) as browser:
            await browser.configure(server_url, api_key)
            yield browser
        return
    browser = _shared.get(tuple(hosts)) or await _stack.enter_async_context(_opened(hosts))
    _shared[tuple(hosts)] = browser
    try:
        await browser.configure(server_url, api_key)
        yield browser
    finally:
        try:
            await _restore(browser)
        except Error:  # a test ended it: the next borrower gets another
            del _shared[tuple(hosts)]


@asynccontextmanager
async def _opened(hosts: Sequence[str]) -> AsyncIterator[Browser]:
    path = find_chromium(None).path
    async with open_browser(
        chromium=path, extension=EXTENSION_DIR, headless=True, hosts=hosts
    ) as browser:
        yield browser


async def _restore(browser: Browser) -> None:
    """Put back the browser as it was at its start."""
    probe = await browser.context.new_page()
    await probe.goto(browser.url("manifest.json"))
    for page in browser.context.pages:
        if page is not probe:
            await page.close()
    await browser.context.clear_cookies()
    await browser.context.clear_permissions()
    session = await browser.context.new_cdp_session(probe)
    await session.send("ServiceWorker.enable")
    await session.send("ServiceWorker.stopAllWorkers")
    await probe.evaluate(CLEAR)
    await session.detach()
    await (
        browser.context.new_page()
    )  # a window of its own: the last page's end would end the browser
    await probe.close()
