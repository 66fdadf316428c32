"""What a person could click although nothing says so, what only the mouse shows, and what lies out of reach or far away."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness
from tests.browser.page_harness import look

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SIGNS = {
    "glyph": ("<div>Red <span>✕</span></div><p>3 ✕ 4</p><p>3 <span>✕</span> 4</p>", ["✕"]),
    "unselectable": ("<div style='user-select:none'>Sort by name</div><p>Text</p>", ["Sort by name"]),
    "reacting": ("<style>.c:hover {box-shadow:0 0 3px}</style><div class=c>Chair</div><div class=c>Lamp <a href=#x>See</a></div>", ["Chair", "See"]),
    "lines": ("<style>.r:hover {background:#eee}</style><div class=r>From Jas <button>Star</button></div><div class=r>From Ann <button>Star</button></div>", ["From Jas", "Star", "From Ann", "Star"]),
    "layered": ("<style>@layer a {@media screen {.c:hover {color:red}}}</style><div class=c>Chair</div>", ["Chair"]),
    "chosen": ("<div><div class='tab active'>One</div><div class=tab>Two</div></div>", ["One", "Two"]),
    "grabbed": ("<div style='cursor:grab'>Card</div>", ["Card"]),
    "shape": ("<svg width=90 height=40><circle cx=20 cy=20 r=10 style='cursor:pointer'></circle><circle cx=60 cy=20 r=10></circle></svg>", ["black circle"]),
    "map": ("<img usemap=#m width=60 height=40 src='data:,'><map name=m><area coords=0,0,50,30 href=#a alt=North></map>", ["North"]),
    "contents": ("<a href=#a style='display:contents'><div style='height:30px'>Card</div></a>", ["Card"]),
    "empty box": ("<a href=#a style='display:block;height:0;position:relative'><b style='position:absolute'>Over</b></a>", ["Over"]),
    "closed": ("<details><summary>More</summary><button>In</button></details><div style='content-visibility:hidden'><button>Not</button></div>", ["More"]),
    "upload": ("<button>Choose</button><input type=file aria-label=Photo style='display:none'>", ["Choose", "Photo"]),
    "switched off": ("<a href=# style='pointer-events:none'>Off</a><button>On</button>", ["On"]),
}  # fmt: skip
HOVERED = [
    "<style>i {opacity:0} .r:hover i {opacity:1}</style><div class=r>Jas <i><button>Delete</button></i></div>",
    "<style>i {visibility:hidden} .r:hover i {visibility:visible}</style><div class=r>Jas <i><button>Delete</button></i></div>",
    "<style>.x {display:none} .r:hover .x {display:inline}</style><div class=r>Jas <button class=x>Delete</button></div>",
]


def open_names(seen: dict[str, Any]) -> list[str]:
    return [node.get("n", "") for node in seen["tree"] if not node.get("occ")]


@pytest.mark.parametrize("kind", SIGNS)
async def test_what_a_person_would_click(page: Page, kind: str) -> None:
    html, names = SIGNS[kind]
    assert open_names(await look(page, html)) == names


@pytest.mark.parametrize("html", HOVERED)
async def test_what_a_row_shows_under_the_mouse_is_offered(page: Page, html: str) -> None:
    seen = await look(page, html)
    assert "Delete" in open_names(seen)
    await page.evaluate("() => { document.querySelector('button').onclick = () => { document.title = 'gone' } }")  # fmt: skip
    x, y = harness.find(seen, "Delete")["xy"]
    reached = await page.evaluate("() => { const b = document.querySelector('button'); const p = __tabwright.reachablePoint(b, b); return p && p.hit === b || (p && b.contains(p.hit)) }")  # fmt: skip
    assert reached
    assert min(x, y) > 0


async def test_what_nothing_shows_is_not_offered(page: Page) -> None:
    seen = await look(page, HOVERED[0].replace(".r:hover i", ".q:hover i"))
    assert "Delete" not in open_names(seen)


@pytest.mark.parametrize(("veil", "occluded"), [("", True), ("pointer-events:none", False)])
async def test_a_veil_over_the_screen_covers_what_is_below_it_too(
    page: Page, veil: str, occluded: bool
) -> None:
    seen = await look(
        page,
        f"""<button>Here</button><div style="height:1200px"></div><button>Below</button>
        <div style="position:fixed;inset:0;{veil}"><p>Wait</p></div>""",
    )
    assert [(n["n"], n.get("occ", False)) for n in seen["tree"]] == [("Here", occluded), ("Below", occluded)]  # fmt: skip


async def test_far_rows_are_counted_and_come_with_scrolling(page: Page) -> None:
    rows = "".join(f"<tr><td>Name {at}<td><a href=#>Open {at}</a><td><button>Edit {at}</button>" for at in range(500))  # fmt: skip
    seen = await look(page, f"<style>tr {{height:40px}}</style><table>{rows}</table>")
    sent = len(seen["tree"])
    assert 40 <= sent <= 100  # a screen of 20 rows and one more, two controls each
    assert seen["scrollableContainers"] == [f"page: at 0%, {1000 - sent} more below"]
    await page.evaluate("() => scrollTo(0, 8000)")
    after = await harness.observe(page, next_id=seen["nextId"])
    assert "Edit 205" in open_names(after)
    assert after["recentEvents"] == []  # nothing came or went: the page was scrolled
    assert not {n["i"] for n in seen["tree"]} & {n["i"] for n in after["tree"]}
    await page.evaluate("() => scrollTo(0, 0)")
    again = await harness.observe(page, next_id=after["nextId"])
    assert [n["i"] for n in again["tree"]] == [n["i"] for n in seen["tree"]]


async def test_a_container_says_how_much_is_beyond(page: Page) -> None:
    lines = "".join(f"<div style='height:30px'><button>Item {at}</button></div>" for at in range(200))  # fmt: skip
    seen = await look(page, f"<div aria-label=Results style='height:150px;overflow:auto'>{lines}</div>")  # fmt: skip
    sent = len(seen["tree"])
    assert 20 <= sent <= 35  # its five lines and a screen of more
    assert seen["scrollableContainers"] == [f'"Results": at 0%, {200 - sent} more below']


async def test_a_virtual_list_says_how_many_lines_it_has(page: Page) -> None:
    seen = await look(
        page,
        """<div role=grid aria-label=Orders aria-rowcount=5000 style="height:90px;overflow:auto">
        <div role=row><button>First</button></div><div style="height:90000px"></div></div>""",
    )
    assert seen["scrollableContainers"] == ['"Orders": at 0%, 5000 lines in all']


async def test_what_is_fixed_to_the_screen_is_seen_from_far_away(page: Page) -> None:
    links = "".join(f"<p><a href=#>{at}</a></p>" for at in range(100))
    seen = await look(
        page,
        f"""<style>.fab {{position:fixed;right:9px;bottom:9px}}</style>{links}<section style="height:90px">
        <button class=fab>New</button><button>Far</button></section>""",
    )
    assert "New" in open_names(seen)


async def test_the_book_of_ids_forgets_but_gives_no_number_twice(page: Page) -> None:
    seen = await look(page, "<div id=r></div>")
    taken: set[str] = set()
    for turn in range(9):
        await page.evaluate(
            "(turn) => { r.innerHTML = [...Array(400).keys()].map((at) => `<button style='width:9px;height:9px;padding:0'>${turn} ${at}</button>`).join('') }",
            turn,
        )
        seen = await harness.observe(page, next_id=seen["nextId"])
        fresh = {node["i"] for node in seen["tree"]}
        assert not fresh & taken
        taken |= fresh
    known = await page.evaluate("(ids) => ids.filter((id) => __tabwright.observer.ids.get(id)).length", sorted(taken))  # fmt: skip
    assert known <= 3_000 < len(taken)
