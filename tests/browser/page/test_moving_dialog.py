"""A dialog that comes up is waited for: before, its controls have neither their look nor their place."""

import asyncio

import pytest
from playwright.async_api import Page

from tests.browser import page_harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DIALOG = """<style>@keyframes come { from { opacity: 0; transform: scale(0.2) } }
[role=dialog] { width: 400px; height: 200px; animation: come 800ms }</style>
<div role="dialog" aria-modal="true" aria-label="Edit"><input aria-label="Driver"></div>"""
MOVING = "document.querySelector('[role=dialog]').getAnimations()[0]"


async def until_quiet(page: Page) -> None:
    async with asyncio.timeout(30):
        while (await page_harness.request(page, "quiet"))["domQuietMs"] == 0:
            await asyncio.sleep(0.01)


async def test_the_page_is_not_quiet_while_a_dialog_comes_up(page: Page) -> None:
    await page_harness.show(page, DIALOG.replace("800ms", "800ms paused"))
    await page_harness.install(page)
    await page.evaluate(f"{MOVING}.playbackRate = 0.01, {MOVING}.play()")
    assert (await page_harness.request(page, "quiet"))["domQuietMs"] == 0
    await page.evaluate(f"{MOVING}.finish()")
    await until_quiet(page)


async def test_an_ornament_that_never_ends_is_not_waited_for(page: Page) -> None:
    await page_harness.show(page, DIALOG.replace("800ms", "800ms infinite"))
    await page_harness.install(page)
    await until_quiet(page)


async def test_a_dialog_that_cannot_fade_in_is_seen_in_a_hidden_tab(page: Page) -> None:
    await page_harness.show(page, DIALOG.replace("animation: come 800ms", "opacity: 0"))
    await page_harness.install(page)
    assert not [n for n in (await page_harness.observe(page))["tree"] if n["n"] == "Driver"]
    await page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    await page.evaluate("document.querySelector('[role=dialog]').title = 'x'")
    assert [n for n in (await page_harness.observe(page))["tree"] if n["n"] == "Driver"]
