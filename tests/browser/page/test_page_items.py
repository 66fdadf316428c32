"""Clickable containers and what in them is clicked each for itself."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

HOT = "<style>.hot {cursor:pointer} .gap > * {margin-right:12px}</style>"
SPLIT = [
    ('<div class="hot gap"><span class=reply>Reply</span><span class=forward>Forward</span></div>', "Reply Forward"),
    ("<div onclick='1'><span data-act=b>Bold</span><span data-act=i>Italic</span></div>", "Bold Italic"),
    ("<div class=hot><div><b data-k=1>Day</b> <b data-k=2>Week</b></div></div>", "Day Week"),
    ("<style>p:hover{color:red}</style><div class=hot><p>Cut</p><p>Paste</p></div>", "Cut Paste"),
    ("<style>ul:hover{cursor:pointer}</style><ul><li class=x>Share<li class=y>Copy link</ul>", "Share Copy_link"),
    ("<ul onclick='1'><li>One<li>Two</ul>", "One Two"),
]  # fmt: skip
WHOLE = [
    '<div class="hot"><span class=icon>★</span><span class=label>Save</span></div>',
    '<div class="hot"><h3 data-id=t>Chair</h3><p data-id=d>Of oak</p></div>',
    '<div class="hot gap"><b class=name>Docs</b><span class=count>3 files</span></div>',
    '<div class="hot gap"><span class=name>Docs</span><span class=count>3 files</span></div><div class="hot gap"><span class=name>Music</span><span class=count>9 files</span></div>',
    '<div class="hot btn"><span class=a>Save</span> &nbsp; &nbsp; <span class=b>now</span></div>',
    '<table><tr class="hot"><td data-key=a>Jas</td><td data-key=b>1990</td></tr></table>',
    '<div class="hot gap"><span class=title>Fees</span><span class=mark>Show</span></div><p>Free</p><div class="hot gap"><span class=title>Dates</span><span class=mark>Show</span></div><p>May</p>',
    "<a href=#x class=gap><span class=a>Read</span><span class=b>more</span></a>",
]


async def names(page: Page, html: str) -> list[str]:
    await harness.show(page, HOT + html)
    return [node.get("n", "") for node in (await harness.observe(page))["tree"]]


@pytest.mark.parametrize(("html", "items"), SPLIT)
async def test_items_of_a_clickable_container_are_nodes(page: Page, html: str, items: str) -> None:
    assert await names(page, html) == [item.replace("_", " ") for item in items.split()]


@pytest.mark.parametrize("html", WHOLE)
async def test_what_is_one_thing_stays_one_node(page: Page, html: str) -> None:
    found = await names(page, html)
    assert len(found) == html.count('"hot') + html.count("<a "), found


async def test_a_row_with_its_own_buttons_is_a_node_beside_them(page: Page) -> None:
    html = "<div class=hot>Jas, 1990 <button>Edit</button> <button>Delete</button></div>"
    assert await names(page, html) == ["Jas, 1990", "Edit", "Delete"]
    assert await names(page, html.replace("Jas, 1990", "")) == ["Edit", "Delete"]


async def test_text_drawn_as_a_link_is_one(page: Page) -> None:
    found = await names(
        page,
        """<style>.l {color:#06c; text-decoration:underline} a.m {color:green}</style><p>Read <span class=l>the terms</span> or
        <a class=m>go back</a>, <u>not this</u>, <span style="text-decoration:underline">nor this</span>, <a>nor an anchor</a>
        <a name=top class=m>Top</a> <span class=l style="text-decoration:none">coloured</span></p>
        <a title=Next><span>&gt;</span></a>""",
    )
    assert found == ["the terms", "go back", "Next"]


async def test_a_counter_is_what_the_control_holds(page: Page) -> None:
    html = '<button onclick="n.textContent = 1">Cart <span class=badge id=n>0</span></button>'
    await harness.show(page, html)
    first = await harness.observe(page)
    cart = harness.find(first, "Cart")
    assert cart["v"] == "0"
    await harness.act(page, "click", {"id": cart["i"]})
    second = await harness.observe(page, next_id=first["nextId"])
    assert harness.find(second, "Cart")["i"] == cart["i"]
    assert 'changed: btn "Cart" from "0" to "1"' in second["recentEvents"]


async def test_what_can_be_dragged_is_a_node(page: Page) -> None:
    found = await names(page, "<div draggable=true>Card</div><div class='ui-draggable'>Box</div>")
    assert found == ["Card", "Box"]
