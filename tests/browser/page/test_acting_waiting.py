"""Waiting for what the page will show, within a chain."""

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LATE = """<button id=b disabled>Wait</button><p id=p></p><script>
setTimeout(() => { b.disabled = false; b.textContent = "Go"; p.textContent = "Ready" }, 1_500);
b.onclick = () => { window.pressed = b.textContent };</script>"""


async def act(page: Page, name: str, **args: Any) -> dict[str, Any]:
    return await harness.act(page, name, args)


async def button(page: Page) -> str:
    await harness.show(page, LATE)
    return str((await harness.observe(page))["tree"][0]["i"])


@pytest.mark.parametrize("text", ["go", ""])
async def test_a_chain_goes_on_once_a_control_shows_it(page: Page, text: str) -> None:
    element = await button(page)
    assert (await act(page, "wait", id=element, shows=text, ms=5_000))["status"] == "success"
    assert (await act(page, "click", id=element))["status"] == "success"
    assert await page.evaluate("pressed") == "Go"


async def test_a_text_anywhere_on_the_page(page: Page) -> None:
    await button(page)
    assert (await act(page, "wait", id="page", shows="ready", ms=5_000))["status"] == "success"


async def test_what_never_comes_is_told_in_time(page: Page) -> None:
    element = await button(page)
    result = await act(page, "wait", id=element, shows="Stop", ms=400)
    assert result["error"]["code"] == "TIMEOUT"
    assert result["error"]["message"].startswith('"Stop" did not show in')
