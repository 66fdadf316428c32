"""What goes wrong under an act: it ends in time, with a reason where it failed, and leaves no button or key down and nothing of ours
on the page."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOST_NODES = 500
# How many of each are still down.
HELD = """<script>window.held = {};
for (const [what, down, ...ups] of [["pointer", "pointerdown", "pointerup", "pointercancel"], ["mouse", "mousedown", "mouseup"], ["key", "keydown", "keyup"], ["finger", "touchstart", "touchend"], ["dragged", "dragstart", "dragend"]]) {
  addEventListener(down, (e) => { held[what] = (held[what] ?? 0) + !e.defaultPrevented });
  for (const up of ups) addEventListener(up, () => { held[what] -= 1 }, true);
}</script>"""
FREE = "Object.values(held).every((down) => down === 0) && !document.querySelector('[popover]')"

TABLE = """<table><tbody id=rows></tbody></table><script>rows.innerHTML = Array.from({length: 20000}, (_, n) =>
`<tr><td>Row ${n}</td><td><b>due</b></td><td><button onclick="this.textContent='Done'">Open ${n}</button></td></tr>`).join("");</script>"""
# Each a layer of its own, taken for the knob of a slider: hits are dear, and all are fields of one box.
CROWD = """<style>i { position:absolute; width:3px; height:3px; cursor:pointer }</style><button onclick="this.textContent='Done'">Open 0</button><div id=box></div>
<script>box.innerHTML = Array.from({length: 60000}, (_, n) => `<i style="left:${(n % 400) * 3}px;top:${Math.floor(n / 400) * 3 + 40}px"></i>`).join("")</script>"""
HEARD = """<div id=box></div><script>box.innerHTML = Array.from({length: 5000}, (_, n) => `<button>Open ${n}</button>`).join("");
for (const one of box.children) for (const type of ["click", "mouseover", "pointerdown"]) one.addEventListener(type, () => { if (type === "click") one.textContent = "Done" });
for (let n = 0; n < 5000; n += 1) document.addEventListener("pointermove", () => {});</script>"""

HUGE = """<canvas id=c width=16384 height=16384 tabindex=0 aria-label=Plan></canvas><script>window.moves = 0;
c.onpointermove = (e) => { moves += e.buttons };</script>"""
FLEEING = """<button id=b style="position:absolute;left:40px;top:40px">Catch</button><script>window.clicks = 0; b.onclick = () => { clicks += 1 };
b.onmouseover = () => { b.style.left = `${parseInt(b.style.left) + 300}px` };</script>"""
REPLACED = """<div id=box><button>Old</button></div><script>window.clicks = 0;
box.onmousedown = () => { box.innerHTML = '<button onclick="clicks += 1">New</button>' };</script>"""
FIELD = """<label>Code <input id=code onkeydown="this.parentElement.remove()"></label><script>code.focus()</script>"""
PIECES = """<style>div { position:absolute; left:0; width:200px; height:60px; background:#cde }</style>
<div id=a tabindex=0 DRAGGED>Piece</div><div id=z tabindex=0 style="top:200px">Place</div><script>WHEN z.remove() });</script>"""
CARRIED = """<div id=a draggable=true style="width:200px;height:60px;background:#cde">Card</div><script>window.at = "";
a.ondragstart = (e) => { e.preventDefault(); };
a.onpointermove = (e) => { if (e.buttons) at = `${e.clientX}, ${e.clientY}` };</script>"""
TEXT = "<p tabindex=0>One <b>two</b> three</p><input value='first second'>"
BUTTON = "<button>Save</button>"


async def act(page: Page, html: str, name: str, **args: Any) -> dict[str, Any]:
    """The action on the first element, or by points; what it leaves is checked."""
    await harness.show(page, HELD + html)
    await harness.observe(page)
    result = await harness.act(page, name, args)
    await page.wait_for_function(FREE)
    return result


@pytest.mark.parametrize("html", [TABLE, CROWD, HEARD], ids=["table", "crowd", "listeners"])
async def test_a_page_with_very_many_elements_is_seen_and_acted_on(page: Page, html: str) -> None:
    await harness.show(page, HELD + html)
    seen = await harness.observe(page)
    assert len(seen["tree"]) <= MOST_NODES
    node = harness.find(seen, "Open 0")
    assert (await harness.act(page, "click", {"id": node["i"]})) == {"status": "success"}
    await page.wait_for_function(FREE)
    assert harness.find(await harness.observe(page), "Done")["i"] == node["i"]


def told(result: dict[str, Any]) -> str:
    """The code and the message of what failed."""
    assert result["status"] == "failure", result
    return f"{result['error']['code']}: {result['error']['message']}"


async def test_a_huge_canvas_is_seen_and_drawn_on(page: Page) -> None:
    await harness.show(page, HUGE)
    (canvas,) = (await harness.observe(page))["tree"]
    assert canvas["box"][2:] == [16384, 16384]
    points = [[100, 100], [400, 300], [200, 500]]
    assert await act(page, HUGE, "draw", points=points) == {"status": "success"}
    assert await page.evaluate("moves > 20")


async def test_what_moves_away_under_the_mouse_is_clicked_once_or_not_at_all(page: Page) -> None:
    assert await act(page, FLEEING, "click", id="1") == {"status": "success"}
    assert await page.evaluate("clicks") == 1


async def test_what_is_put_in_the_place_of_what_is_pressed_is_clicked(page: Page) -> None:
    assert await act(page, REPLACED, "click", id="1") == {"status": "success"}
    assert await page.evaluate("clicks") == 1


@pytest.mark.parametrize("name", ["rightClick", "doubleClick", "press"])
async def test_no_button_stays_down_on_what_is_replaced(page: Page, name: str) -> None:
    assert await act(page, REPLACED, name, id="1", ms=50) == {"status": "success"}


@pytest.mark.parametrize(
    ("name", "args"), [("pressKey", {"key": "x"}), ("setValue", {"id": "1", "text": "x1"})]
)
async def test_no_key_stays_down_in_a_field_that_goes_away(
    page: Page, name: str, args: dict[str, Any]
) -> None:
    await act(page, FIELD, name, **args)
    assert await page.evaluate("'key' in held && !document.querySelector('input')")


OUTSIDE = "NOT_INTERACTABLE: There is nothing at 5000, 10: the window is 1280 by 800 pixels."


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *[(name, {"x": 5000, "y": 10, "ms": 50}) for name in ("clickAt", "hover", "press")],
        *[(name, {"x": 5000, "y": 10}) for name in ("doubleClick", "rightClick")],
        ("drag", {"x1": 20, "y1": 20, "x2": 5000, "y2": 10}),
        ("drag", {"x1": 5000, "y1": 10, "x2": 20, "y2": 20}),
        ("draw", {"points": [[20, 20], [40, 40], [5000, 10]]}),
        ("dragTo", {"id": "1", "x": 5000, "y": 10}),
    ],
)
async def test_a_point_outside_of_the_window_is_told_and_nothing_pressed(
    page: Page, name: str, args: dict[str, Any]
) -> None:
    assert told(await act(page, BUTTON, name, **args)) == OUTSIDE
    assert await page.evaluate("held") == {}


@pytest.mark.parametrize("dragged", ["", "draggable=true"])
@pytest.mark.parametrize(
    "when", ["a.addEventListener('pointerdown', () => {", "addEventListener('DRAG', () => {"]
)
async def test_a_goal_that_goes_away_before_the_drop_is_told(
    page: Page, dragged: str, when: str
) -> None:
    heard = "drag" if dragged else "mousemove"
    html = PIECES.replace("WHEN", when).replace("DRAGGED", dragged)
    if "DRAG" in when:
        html = html.replace("DRAG", heard).replace("z.remove()", "if (event.buttons) z.remove()")
    result = await act(page, html, "dragTo", id="1", targetId="2")
    assert told(result) == (
        'ELEMENT_NOT_FOUND: "Place" disappeared before "Piece" was dropped on it.'
    )


async def test_a_goal_that_goes_away_as_something_is_dropped_on_it_took_it(page: Page) -> None:
    html = PIECES.replace("WHEN", "addEventListener('mouseup', () => {").replace("DRAGGED", "")
    assert await act(page, html, "dragTo", id="1", targetId="2") == {"status": "success"}


async def test_a_page_that_will_not_have_it_carried_hears_the_pointer(page: Page) -> None:
    await act(page, CARRIED, "drag", x1=20, y1=20, x2=120, y2=40)
    assert await page.evaluate("at") == "120, 40"


@pytest.mark.parametrize("element", ["1", "2", "page"])
async def test_text_that_is_not_there_is_told(page: Page, element: str) -> None:
    result = await act(page, TEXT, "selectText", id=element, text="four")
    assert told(result).startswith('VALUE_NOT_ACCEPTED: "four" is no text of "')


async def test_five_hundred_points_are_drawn_in_time(page: Page) -> None:
    points = [[20 + (n * 37) % 1200, 20 + (n * 53) % 700] for n in range(500)]
    assert await act(page, HUGE, "draw", points=points) == {"status": "success"}
    assert await page.evaluate("moves > 1000")


async def test_what_never_shows_is_told(page: Page) -> None:
    result = await act(page, BUTTON, "wait", id="1", shows="Saved", ms=300)
    assert told(result) == 'TIMEOUT: "Saved" did not show in "Save" within 300 ms.'


async def test_a_page_that_is_left_armed_has_its_own_functions_again_in_time(page: Page) -> None:
    late = """<script>window.late = []; const set = setTimeout;
    window.setTimeout = (does, ms, ...more) => { if (ms >= 30000) late.push(does); return set(does, ms, ...more) };</script>"""
    own = "[alert, confirm, document.execCommand, Element.prototype.setPointerCapture].map((one) => /native code/.test(one))"
    await harness.show(page, late)
    await page.evaluate(harness.main_source())
    await page.evaluate("__tabwright.sideEffects.connect('t'); __tabwright.sideEffects.arm(null)")
    assert await page.evaluate(own) == [False] * 4
    await page.evaluate("late.forEach((does) => does())")
    assert await page.evaluate(own) == [True] * 4
