"""Seeing what is dragged, panned, dropped on or gone through by keys, in pages that do not say so of it."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser.page_harness import look, named

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def texts(observation: dict[str, Any]) -> list[str]:
    return [text["t"] for text in observation["texts"]]


async def test_cells_of_a_grid_stand_in_the_line_of_their_row(page: Page) -> None:
    cells = "".join(
        f"<div role=row><div role=gridcell tabindex=-1>{item}</div><div role=gridcell tabindex=-1>{count}</div><div role=gridcell tabindex=-1>{shelf}</div></div>"
        for item, count, shelf in (("Nails", 12, "A"), ("Glue", 7, "B"))
    )
    seen = await look(
        page,
        f"""<style>[role=row] {{ display: flex }} [role=row] > * {{ width: 80px; height: 24px }}</style>
        <div role=grid><div role=row><div role=columnheader aria-sort=none>Item</div><div role=columnheader aria-sort=none>Count</div><div role=columnheader>Shelf</div></div>{cells}<div role=row><div role=gridcell>Sum</div></div></div>
        <div role=table><div role=row><div role=cell>Only</div><div role=cell>read</div></div></div>""",
    )
    assert [(n["r"], n["n"], n.get("g", "")) for n in seen["tree"] if n["n"] in ("Item", "Count", "Glue", "7", "B")] == [
        ("el", "Item", ""), ("el", "Count", ""), ("el", "Glue", "row: Glue, 7"), ("el", "7", "row: Glue, 7"), ("el", "B", "row: Glue, 7"),
    ]  # fmt: skip
    assert not {"Only", "read", "Shelf", "Sum"} & {name for _, name in named(seen)}


async def test_days_of_a_calendar_and_what_stands_in_them(page: Page) -> None:
    seen = await look(
        page,
        """<style>[role=row] { display: flex } [role=gridcell] { width: 90px; height: 60px }</style>
        <div role=grid aria-label="March"><div role=row><div role=gridcell aria-label="March 10, 2025"><span aria-hidden=true>10</span></div>
        <div role=gridcell aria-label="March 11, 2025"><span aria-hidden=true>11</span><div draggable=true>Stocktaking</div></div></div></div>""",
    )
    assert named(seen) == [
        ("el", "March 10, 2025"),
        ("row", "March 11, 2025"),
        ("el", "Stocktaking"),
    ]


async def test_a_cursor_for_mice_counts_on_any_computer(page: Page) -> None:
    seen = await look(
        page,
        "<style>@media (hover: hover) and (pointer: fine) { .col:hover { cursor: pointer } } @media print { .row:hover { cursor: pointer } }</style><div class=col>Trips</div><div class=row>Paper</div>",
    )
    assert named(seen) == [("el", "Trips")]


async def test_boxes_that_fingers_move_and_boxes_put_somewhere(page: Page) -> None:
    seen = await look(
        page,
        """<style>.pic { touch-action: none; background: #9cf; width: 90px; height: 60px } .spot { position: absolute; top: 200px; width: 80px; height: 30px; background: #cde }
        .badge { position: absolute; right: 0; top: 0; background: red } .tip { width: 90px; height: 40px; background: #eee }</style>
        <div class=pic>Photo</div><div style="position:relative;height:200px"><div class=spot style="left:0">Clock</div><div class=spot style="left:100px">News</div><div class=badge>Sale</div></div>
        <div class=tip>Coloured</div><ul style="touch-action:none"><li>Rake</li><li>Hoe</li></ul><div class="bin dropzone" style="width:90px;height:40px">Basket</div>""",
    )
    assert named(seen) == [
        ("el", "Photo"),
        ("el", "Clock"),
        ("el", "News"),
        ("row", "Rake"),
        ("row", "Hoe"),
        ("el", "Basket"),
    ]
    dragged = [n["n"] for n in seen["tree"] if "draggable" in n.get("s", [])]
    assert dragged == ["Photo", "Clock", "News"]


async def test_a_map_and_slides_are_there_to_be_moved(page: Page) -> None:
    seen = await look(
        page,
        """<style>.frame { overflow: hidden; width: 400px; height: 150px; position: relative } .mark { position: absolute; left: 200px; top: 60px }</style>
        <div class=frame id=map style="cursor:grab;touch-action:none"><img class=mark alt="Depot" role=button tabindex=0 width=20 height=30><a href=#in role=button aria-label="Zoom in">+</a></div>
        <p>Seasons</p><div class=frame style="touch-action:pan-y"><div role=group aria-label="1 / 2" style="width:400px;height:150px">Spring</div></div>
        <p>Others</p><div class=frame>Plain</div><p>Code</p><div class=frame style="touch-action:none"><textarea aria-label=Code></textarea></div>""",
    )
    assert named(seen) == [
        ("img", "map"),
        ("btn", "Depot"),
        ("btn", "Zoom in"),
        ("img", "Spring"),
        ("inp", "Code"),
    ]
    assert all("draggable" in n["s"] for n in seen["tree"] if n["r"] == "img")


async def test_a_shape_is_called_by_its_title(page: Page) -> None:
    seen = await look(
        page,
        """<svg width=200 height=100><rect x=0 y=0 width=40 height=80 fill=blue><title>Apr: 60 visitors</title></rect>
        <g style="cursor:grab"><title>Ada, chief</title><circle cx=100 cy=40 r=16 /><text x=90 y=80>Ada</text></g></svg>""",
    )
    assert named(seen) == [("img", "Apr: 60 visitors"), ("el", "Ada, chief")]
    assert "draggable" in seen["tree"][1]["s"]


async def test_words_that_tell_more_when_rested_on(page: Page) -> None:
    seen = await look(
        page,
        "<p>On <span style='border-bottom:1px dotted'>Food plan B</span> and <span style='cursor:help'>VAT</span>, not <b>bold</b>.</p>",
    )
    assert named(seen) == [("el", "Food plan B"), ("el", "VAT")]


async def test_texts_under_a_layer_are_not_told(page: Page) -> None:
    under = "<p>Under it</p><p>Beside it</p><div style='height:3000px'></div><p>Far below</p>"
    veiled = await look(
        page,
        f"{under}<div style='position:fixed;inset:0;background:rgba(0,0,0,.5)'><div role=dialog aria-modal=true style='margin:200px;background:white'><p>Leave?</p><button>Yes</button></div></div>",
    )
    assert texts(veiled) == ["Leave?"]
    card = "<div style='position:relative'><p>On a card</p><a href=#x style='position:absolute;inset:0' aria-label=Open></a></div>"
    clear = await look(
        page,
        f"{card}{under}<div style='position:absolute;left:0;top:38px;width:300px;height:30px;background:white'>Note</div>",
    )
    assert texts(clear) == ["On a card", "Beside it", "Note"]


async def test_two_handles_of_one_track_and_stars_are_told_apart(page: Page) -> None:
    handles = "".join(
        f"<i role=slider tabindex=0 aria-valuenow={value} style='position:absolute;left:{value}%;width:16px;height:16px'></i>"
        for value in (20, 90)
    )
    stars = "".join(
        f"<li style='display:inline'><span role=radio aria-posinset={at} aria-setsize=3 aria-checked=false tabindex=0>star</span></li>"
        for at in (1, 2, 3)
    )
    seen = await look(
        page,
        f"<div><p>Rent</p><div style='position:relative;width:300px;height:16px'>{handles}</div></div><ul role=radiogroup>{stars}</ul>",
    )
    assert [name for _, name in named(seen)] == [
        "Rent lower",
        "Rent upper",
        "star 1",
        "star 2",
        "star 3",
    ]


async def test_a_control_that_is_cut_off_is_told_where_a_click_reaches_it(page: Page) -> None:
    seen = await look(
        page,
        """<div style="position:absolute;left:100px;top:100px;width:80px;height:60px;overflow:hidden"><div aria-label="Row edge" role=button tabindex=0 style="position:absolute;top:55px;width:80px;height:20px;background:#999"></div></div>""",
    )
    [edge] = [node for node in seen["tree"] if node["n"] == "Row edge"]
    x, y = edge["xy"]
    assert await page.evaluate(f"document.elementFromPoint({x}, {y}).ariaLabel") == "Row edge"
