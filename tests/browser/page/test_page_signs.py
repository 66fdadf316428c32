"""What takes clicks, drags or keys and says so by its looks alone: signs, colours, edges, drop areas."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness
from tests.browser.page_harness import look, named

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


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


async def test_a_row_of_drawn_signs_in_a_form_is_seen_and_one_beside_a_text_is_not(
    page: Page,
) -> None:
    style = "<style>i {display:inline-block;width:14px;height:14px} i::before {content:'\\f005'}</style>"
    stars = "".join(f"<i class='icon icon-star' data-value={n}></i>" for n in range(1, 6))
    seen = await look(
        page, f"{style}<form>Rating {stars} <p><i class=icon></i> Note</p></form><p>{stars}</p>"
    )
    assert len(named(seen)) == 5
    assert {(role, "star" in name) for role, name in named(seen)} == {("el", True)}
    xs = [node["box"][0] for node in seen["tree"]]
    assert xs == sorted(set(xs))


async def test_colours_to_choose_from_are_seen_though_nothing_says_so(page: Page) -> None:
    boxes = "".join(
        f"<div style='width:30px;height:30px;background:{c}'></div>"
        for c in ("red", "blue", "#fff")
    )
    same = "<div style='width:30px;height:30px;background:#eee'></div>" * 3
    seen = await look(page, f"<div>{boxes}</div><p><div>{same}</div>")
    board = "<i style='display:inline-block;width:40px;height:40px;border:1px solid'></i>" * 3
    squares = (await look(page, f"<div>{board}</div>"))["tree"]
    assert [square["box"][2] for square in squares] == [42, 42, 42]
    assert [name for _, name in named(seen)] == ["red box", "blue box", "white box"]


async def test_empty_boxes_are_told_apart_by_their_colour(page: Page) -> None:
    colours = {
        "#6699cc": "blue", "#e33": "red", "#3a3": "green", "#fc0": "yellow", "#888": "gray", "#964b00": "brown",
        "#800080": "purple", "#111": "black", "#fff": "white", "#ffc0cb": "pink",
    }  # fmt: skip
    boxes = "".join(
        f'<i class=dot style="cursor:pointer;display:inline-block;width:20px;height:20px;background:{c}"></i>'
        for c in colours
    )
    seen = await look(page, f"{boxes}<button class=dot style='background:red'>Text</button>")
    names = [name for _, name in named(seen)]
    assert names == [*(f"{name} dot" for name in colours.values()), "Text"]


async def test_what_can_be_dragged_says_so(page: Page) -> None:
    seen = await look(
        page,
        """<div draggable=true>Card</div><div style="cursor:move">Title bar</div><a href=#x>Link</a><button>Press</button>
        <div style="cursor:grab;width:90px;height:90px">Map</div><div tabindex=0>Quiet</div>
        <div style="touch-action:pan-y;user-select:none">Swiped line</div>
        <p>Size</p><div style="position:relative;width:200px;height:6px;background:#ccc"><b class=thumb style="position:absolute;left:50px;top:-7px;width:20px;height:20px;background:#27c;cursor:pointer"></b></div>""",
    )
    assert draggable(seen) == ["Card", "Title bar", "Map", "Swiped line", "Size"]
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


async def test_lists_that_things_are_dragged_between_are_seen_though_empty(page: Page) -> None:
    seen = await look(
        page,
        """<style>.col {width:120px;min-height:90px;float:left} .grid div {float:left}</style>
        <div><div class=col><h3>To do</h3><div draggable=true>Tests</div><div draggable=true>Login</div></div>
        <div class=col><h3>Doing</h3><div draggable=true>Logo</div></div><div class=col><h3>Done</h3></div></div>
        <div class=grid><div><img draggable=true alt=One width=20 height=20></div><div><img draggable=true alt=Two width=20 height=20></div></div>""",
    )
    areas = [(node["n"], node["box"][2]) for node in seen["tree"] if node.get("h") == "drop area"]
    assert areas == [("To do", 120), ("Doing", 120), ("Done", 120)]
    assert draggable(seen) == ["Tests", "Login", "Logo", "One", "Two"]


async def test_cells_and_lines_that_only_keys_reach_are_seen(page: Page) -> None:
    seen = await look(
        page,
        """<table><tr><td><td>A<td>B</tr><tr><td>1<td tabindex=-1><td tabindex=-1>40</tr><tr><td>2<td tabindex=-1><td tabindex=-1></tr></table>
        <div><div class="file on" tabindex=0>budget.xlsx</div><div class=file tabindex=-1>holiday.jpg</div><div class=note tabindex=-1>Told after a jump</div></div>
        <div role=grid tabindex=0 aria-activedescendant=r1><div role=row><span role=columnheader>Mail</span></div><div role=row id=r1><span>Ann</span></div><div role=row><span>Bob</span></div></div>""",
    )
    assert named(seen) == [
        ("el", "A 1"), ("el", "40"), ("el", "A 2"), ("el", "B 2"), ("el", "budget.xlsx"), ("el", "holiday.jpg"),
        ("row", "Ann"), ("row", "Bob"),
    ]  # fmt: skip


async def test_menus_without_links_that_the_mouse_opens_are_seen(page: Page) -> None:
    await harness.show(
        page,
        """<style>li {width:90px} ul ul {display:none;position:absolute;left:90px} li:hover > ul {display:block} .tip {display:none} b:hover .tip {display:block}</style>
        <ul><li>Home</li><li>Products<ul><li>Chairs</li><li>Tables<ul><li>Oak</li><li>Glass</li></ul></li></ul></li></ul><b>Word<i class=tip>Told</i></b>""",
    )
    opened = []
    for host in ("", "Products", "Tables"):
        if host:
            await harness.act(
                page, "hover", {"id": harness.find(await harness.observe(page), host)["i"]}
            )
        opened.append(
            [(node["n"], node.get("s", [])) for node in (await harness.observe(page))["tree"]]
        )
    menu, closed = ["haspopup"], ("Products", ["haspopup"])
    assert opened[0] == [closed]
    assert opened[1] == [closed, ("Chairs", []), ("Tables", menu)]
    assert opened[2] == [closed, ("Chairs", []), ("Tables", menu), ("Oak", []), ("Glass", [])]


async def test_options_that_repeat_are_told_and_taken_by_their_group(page: Page) -> None:
    seen = await look(
        page,
        """<label>Room <select id=room><option value="">None<optgroup label=North><option value=n1>Studio 1<option value=n3>Hall</optgroup>
        <optgroup label=South><option value=s1>Studio 1</optgroup></select></label>""",
    )
    node = harness.find(seen, "Room")
    assert node["o"] == ["None", "North / Studio 1", "Hall", "South / Studio 1"]
    args = {"id": node["i"], "label": "South / Studio 1"}
    assert (await harness.act(page, "selectOption", args))["status"] == "success"
    assert await page.evaluate("room.value") == "s1"
    assert harness.find(await harness.observe(page), "Room")["v"] == "South / Studio 1"


async def test_a_field_keeps_its_label_whatever_is_put_beside_it(page: Page) -> None:
    seen = await look(
        page,
        """<style>.chip {background:#def;border-radius:9px} .sw {width:44px;height:24px;position:relative;background:#bbb;cursor:pointer} .sw b {position:absolute;top:2px;left:2px;width:20px;height:20px;background:#fff} .on b {left:22px}</style>
        <div><span>Keywords</span> <span><span class=chip>jazz</span> <span class=chip>open air</span></span> <input></div>
        <div><span class=chip>Amount</span> <input></div>
        <div style="display:flex"><span>Public</span><div class=sw><b></b></div><span>Waiting list</span><div class="sw on"><b></b></div></div>""",
    )
    assert named(seen) == [
        ("inp", "Keywords"),
        ("inp", "Amount"),
        ("el", "Public"),
        ("el", "Waiting list"),
    ]
    assert [node.get("s", []) for node in seen["tree"][2:]] == [[], ["checked"]]


async def test_where_texts_stand_and_how_a_film_plays_is_told(page: Page) -> None:
    seen = await look(
        page,
        """<body style="margin:0"><p style="margin:0;width:100px;font:20px/30px monospace">Two lines of text</p><button>Go</button>
        <video title=Trailer width=200 height=100></video><video autoplay loop muted width=200 height=100></video>""",
    )
    (text,) = seen["texts"]
    assert text["t"] == "Two lines of text"
    assert 0 < text["xy"][0] < 100
    assert 10 <= text["xy"][1] <= 20
    assert named(seen) == [("btn", "Go"), ("el", "Trailer")]
    assert seen["tree"][1]["v"] == "paused 0:00"
