"""What browser tests share: a Chromium a worker, a scripted backend a module, a tab and its panel a test."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser as PlainBrowser
from playwright.async_api import Page, expect

from app.cli.browser import Browser
from tests.browser.console_stage import Console, opened_console, served_console
from tests.browser.desk import ORIGIN, Desk, Places, opened_browser
from tests.browser.outside_desk import Shared, site_up
from tests.browser.page_harness import opened_page, plain_chromium
from tests.browser.panel_stage import Stage, opened_stage
from tests.browser.runner_backend import Backend, serving
from tests.browser.shared_chromium import sharing
from tests.integration.desk import Served

expect.set_options(timeout=30_000)  # only ends a hang


@pytest_asyncio.fixture(loop_scope="session", scope="session", autouse=True)
async def shared_chromium() -> AsyncIterator[None]:
    async with sharing():
        yield


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def backend() -> AsyncIterator[Backend]:
    async with serving(ORIGIN) as up:
        yield up


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    async with opened_browser(backend) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def places(browser: Browser) -> Places:
    return Places(browser)  # what it holds goes with the browser


@pytest_asyncio.fixture(loop_scope="session")
async def desk(places: Places, browser: Browser, backend: Backend) -> Desk:
    place = await places.at(f"{backend.url}/page")
    return Desk(browser, backend, place.tab, place.panel, place.tab_id)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def shared(browser: Browser, backend: Backend, places: Places) -> AsyncIterator[Shared]:
    async with site_up() as site:
        yield Shared(browser, backend, places, site)


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def plain() -> AsyncIterator[PlainBrowser]:
    """A Chromium without the extension."""
    async with plain_chromium() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def plain_page(plain: PlainBrowser) -> AsyncIterator[Page]:
    async with opened_page(plain) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def page(plain_page: Page) -> AsyncIterator[Page]:
    """The one page of the session (a new one costs half a CPU-second), as it was when it was opened."""
    yield plain_page
    await plain_page.unroute_all()
    await plain_page.emulate_media(color_scheme="null")
    await plain_page.context.clear_cookies()
    await plain_page.goto("about:blank")


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def stage() -> AsyncIterator[Stage]:
    async with opened_stage() as opened:
        yield opened


@pytest.fixture(scope="module")
def served(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_console(store_uri, tmp_path_factory.mktemp("console")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def consoles(served: Served, plain: PlainBrowser) -> AsyncIterator[Console]:
    async with opened_console(served, plain) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def console(consoles: Console) -> AsyncIterator[Console]:
    """The module's browser, whose pages end with the test: they would go on asking."""
    yield consoles
    await consoles.leave()
