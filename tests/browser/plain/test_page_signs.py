"""What takes clicks, drags or keys and says so by its looks alone: signs, colours, edges, drop areas."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def look(page: Page, html: str) -> dict[str, Any]:
    await harness.show(page, html)
    return await harness.observe(page)


def named(observation: dict[str, Any]) -> list[tuple[str, str]]:
    return [(node["r"], node.get("n", "")) for node in observation["tree"]]


def draggable(observation: dict[str, Any]) -> list[str]:
    return [node["n"] for node in observation["tree"] if "draggable" in node.get("s", [])]


async def test_what_a_style_sheet_draws_alone_is_seen(page: Page) -> None:
    seen = await look(
        page,
        """<style>.row * {display:inline-block;width:20px;height:20px;cursor:pointer} .a::before {content:"♥"}
        .masked {mask-image:linear-gradient(#000,#fff)}</style>
        <div class=row><span class=a></span> <span class=a></span> <span class=masked></span> <span></span></div>""",
    )
    assert named(seen) == [("el", "♥"), ("el", "♥"), ("el", "masked")]


async def test_empty_boxes_are_told_apart_by_their_colour(page: Page) -> None:
    colours = "#6699cc #e33 #3a3 #fc0 #888 #964b00 #800080 #111 #fff #ffc0cb".split()
    boxes = "".join(
        f'<i class=dot style="cursor:pointer;display:inline-block;width:20px;height:20px;background:{c}"></i>'
        for c in colours
    )
    seen = await look(page, f"{boxes}<button class=dot style='background:red'>Text</button>")
    names = [name for _, name in named(seen)]
    assert names == [f"{c} dot" for c in "blue red green yellow gray brown purple black white pink".split()] + ["Text"]


async def test_what_can_be_dragged_says_so(page: Page) -> None:
    seen = await look(
        page,
        """<div draggable=true>Card</div><div style="cursor:move">Title bar</div><a href=#x>Link</a><button>Press</button>
        <div style="cursor:grab;width:90px;height:90px">Map</div><div tabindex=0>Quiet</div>
        <div style="touch-action:pan-y;user-select:none">Swiped line</div>
        <div style="position:relative;width:200px;height:6px;background:#ccc"><b class=thumb style="position:absolute;left:50px;top:-7px;width:20px;height:20px;background:#27c;cursor:pointer"></b></div>""",
    )
    assert draggable(seen) == ["Card", "Title bar", "Map", "Swiped line", "blue thumb"]
    assert len(seen["tree"]) == 8


async def test_edges_and_corners_to_resize_by_are_seen(page: Page) -> None:
    seen = await look(
        page,
        """<style>.split {display:flex;height:80px} .x {width:6px;background:#999;cursor:col-resize} .y {height:5px;cursor:ns-resize}
        .box {position:relative;width:90px;height:60px} .box i {position:absolute;right:0;bottom:0;width:10px;height:10px;cursor:nwse-resize}</style>
        <div class=split><div>Folders</div><div class=x></div><div>Mails</div></div><div class=y></div><div class=box>Note<i></i></div>""",
    )
    assert named(seen) == [("el", "column edge"), ("el", "row edge"), ("el", "corner")]
    assert draggable(seen) == ["column edge", "row edge", "corner"]
