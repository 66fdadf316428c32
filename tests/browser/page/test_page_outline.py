"""What is about to be touched is outlined, over everything, and nothing of it stays or gets in the way."""

import pytest
from playwright.async_api import Page

from tests.browser.page_harness import show

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DIALOG = """<style>
  * { border: 9px solid red !important; pointer-events: auto !important; opacity: .9 !important }
</style>
<p>Behind</p><dialog id=d><button id=b>Save</button></dialog>
<script>d.showModal(); b.focus()</script>"""
LAYOUT = """[b.getBoundingClientRect().toJSON(), document.documentElement.scrollWidth,
  document.documentElement.scrollHeight, document.activeElement.id]"""
DRAW = "__tabwright.outline([b.getBoundingClientRect()], 60_000)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_is_seen_over_a_modal_dialog_and_shifts_and_catches_nothing(
    page: Page, scheme: str
) -> None:
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    await show(page, DIALOG)
    before, layout = await page.screenshot(), await page.evaluate(LAYOUT)
    await page.evaluate(DRAW)
    assert await page.screenshot() != before
    assert await page.evaluate(LAYOUT) == layout
    assert await page.evaluate("__tabwright.overlay.shadowRoot") is None
    assert await page.evaluate(
        """() => { const {left, top, width, height} = b.getBoundingClientRect();
          const points = [[left, top], [left + width / 2, top + height / 2]];
          return points.every(at => b.contains(document.elementFromPoint(...at))); }"""
    )
    await page.evaluate("__tabwright.clearOutline()")
    assert await page.screenshot() == before


async def test_it_goes_by_itself(page: Page) -> None:
    await show(page, DIALOG)
    await page.evaluate("__tabwright.outline([b.getBoundingClientRect()], 1)")
    await page.wait_for_function("!__tabwright.overlay.isConnected")
