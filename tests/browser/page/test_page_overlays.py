"""Targets under, in and behind other things."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BANNER = '<div id=k style="position:fixed;left:0;right:0;bottom:0;height:60%;background:#fff"><p><span>We use cookies</span></p><button>Accept</button></div>'
REACHED = {
    "veil": '<button onclick="document.title=1">Go</button><div id=v style="position:fixed;inset:0;background:#fff">Wait</div><script>const begin = () => setTimeout(() => v.remove(), 250)</script>',
    "slow list": '<button onclick="document.title=1">Go</button><div id=l role=listbox style="position:fixed;inset:0;background:#fff"><div role=option tabindex=0>Red</div></div><script>l.hidden = true; const begin = () => { l.hidden = false; document.onpointerdown = (e) => { if (!l.contains(e.target)) setTimeout(() => l.remove(), 700) } }</script>',
    "slides": '<style>@keyframes in {from {transform:translateX(-2000px)}}</style><div id=s><button onclick="document.title=1">Go</button></div><script>const begin = () => { s.style.animation = "in .3s steps(1)" }</script>',
    "moves": '<style>@keyframes in {to {transform:translateX(300px)}}</style><div style="animation:in .5s infinite alternate"><button onclick="document.title=1">Go</button></div>',
    "sticky": '<div style="position:sticky;top:0;height:300px;background:#fff">Head</div><div style="height:900px"></div><button onclick="document.title=1">Go</button><div style="height:3000px"></div><script>scrollTo(0, 1000)</script>',
    "container": '<div style="height:1500px"></div><div style="height:120px;overflow:auto"><div style="height:100px;overflow:auto"><div style="height:700px"></div><button onclick="document.title=1">Go</button></div></div>',
    "clear": '<button onclick="document.title=1">Go</button><div style="position:fixed;inset:0;pointer-events:none">Snow</div>',
}  # fmt: skip


async def click(page: Page, html: str, name: str = "Go") -> dict[str, Any]:
    await harness.show(page, html)
    node = harness.find(await harness.observe(page), name)
    await page.evaluate("() => { if (typeof begin === 'function') begin() }")
    return await harness.act(page, "click", {"id": node["i"]})


@pytest.mark.parametrize("kind", REACHED)
async def test_a_click_reaches_it(page: Page, kind: str) -> None:
    result = await click(page, REACHED[kind])
    assert result == {"status": "success"}
    assert await page.title() == "1"


async def test_what_covers_it_is_named_as_a_whole_with_the_way_out(page: Page) -> None:
    result = await click(page, f'<div style="height:90vh"></div><button>Go</button>{BANNER}')
    assert result["error"]["code"] == "NOT_INTERACTABLE"
    assert 'div "We use cookies" with "Accept"' in result["error"]["message"]
