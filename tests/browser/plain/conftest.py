"""What tests of plain pages share: one Chromium for all of them, and in it a page for each module."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.browser.framework_pages import App, app_on
from tests.browser.page_harness import opened_page, plain_chromium


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def plain() -> AsyncIterator[Browser]:
    async with plain_chromium() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def page(plain: Browser) -> AsyncIterator[Page]:
    async with opened_page(plain) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def app(page: Page) -> App:
    """The module's page, with interface libraries."""
    return await app_on(page)
