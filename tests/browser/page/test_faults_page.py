"""What a page at work shows, waited for in the page: veils before acting, placeholders before looking."""

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

VEILED = """<button onclick="document.title = 'saved'">Save</button>
<div id=veil style="position:fixed;inset:0;background:#fffc">{said}</div>
<script>setTimeout(() => veil.remove(), {ms})</script>"""
PLACEHOLDERS = {
    "bars": "<div class='skeleton-line' style='height:20px'></div>",
    "busy": "<table aria-busy=true><tr><td>Orders</td></tr></table>",
    "spinner": "<div role=progressbar style='width:30px;height:30px'></div>",
}
STILL = {
    "named so, with a text": "<div class='skeleton-theme'>Orders</div>",
    "half done": "<div role=progressbar aria-valuenow=40 style='width:30px;height:30px'></div>",
    "hidden": "<div class=skeleton style='display:none;height:20px'></div>",
    "further down": "<p style='height:3000px'>Orders</p><div class=skeleton style='height:20px'></div>",
}


async def save(page: Page, said: str, ms: int) -> dict[str, object]:
    await harness.show(page, VEILED.format(said=said, ms=ms))
    node = harness.find(await harness.observe(page), "Save")
    return await harness.act(page, "click", {"id": node["i"]})


async def test_a_veil_with_nothing_to_press_is_waited_for(page: Page) -> None:
    done = await save(page, "Please wait…", 2_000)
    assert done["status"] == "success", done
    assert await page.title() == "saved"


async def test_a_veil_with_something_to_press_is_told_at_once(page: Page) -> None:
    done = await save(page, "<button>Not now</button>", 60_000)
    assert done["status"] == "failure"
    assert "Not now" in str(done["error"])
    assert await page.title() != "saved"


@pytest.mark.parametrize("kind", PLACEHOLDERS)
async def test_placeholders_say_that_the_page_is_loading(page: Page, kind: str) -> None:
    await harness.show(page, PLACEHOLDERS[kind])
    assert (await harness.request(page, "quiet"))["loading"] is True
    loading = "globalThis.__tabwright.isLoading(performance.now() + 60000)"
    assert await page.evaluate(loading) is False, "what never ends is an ornament"
    looked = await harness.observe(page)
    assert looked["stillLoading"] is True, "but what is not there may yet come"


@pytest.mark.parametrize("kind", STILL)
async def test_what_only_looks_like_one_does_not(page: Page, kind: str) -> None:
    await harness.show(page, STILL[kind])
    assert (await harness.request(page, "quiet"))["loading"] is False
    assert "stillLoading" not in await harness.observe(page)
