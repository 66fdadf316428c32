"""What tests of plain pages share: a page for each module."""

import pytest_asyncio
from playwright.async_api import Page

from tests.browser.framework_pages import App, app_on


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def app(page: Page) -> App:
    """The module's page, with interface libraries."""
    return await app_on(page)
