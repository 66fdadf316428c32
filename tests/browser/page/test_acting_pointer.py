"""Double and right clicks, holding, drawing, dragging by points, selecting text: what the page hears of each."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LOGGED = """<button id=b>Open</button><script>window.log = [];
for (const type of ["mousedown", "mouseup", "click", "dblclick", "contextmenu"])
  b.addEventListener(type, (e) => log.push(`${type} ${e.button} ${e.detail}`));</script>"""
# What draws looks at the mouse once a frame, and a moment later than it moves.
SLOW = """<canvas id=c width=300 height=200 style="position:absolute;left:20px;top:30px"></canvas><script>window.line = []; let last = null, on = false;
c.onmousedown = () => { on = true }; c.onmousemove = (e) => { last = [e.offsetX, e.offsetY] }; c.onmouseup = () => { on = false };
const draw = () => { if (on && last) line.push(last.join()); requestAnimationFrame(draw) }; draw();</script>"""
HELD = """<button id=b>Hold me</button><script>window.held = [];
let down = 0; b.onpointerdown = () => { down = performance.now() }; b.onpointerup = () => held.push(performance.now() - down);</script>"""
CANVAS = """<canvas id=c width=300 height=200 style="position:absolute;left:20px;top:30px"></canvas><script>window.line = []; let on = false;
c.onmousedown = (e) => { on = true; line.push(["down", e.offsetX, e.offsetY]) }; c.onmousemove = (e) => { if (on && e.buttons) line.push(["move", e.offsetX, e.offsetY]) };
c.onmouseup = (e) => { on = false; line.push(["up", e.offsetX, e.offsetY]) };</script>"""
TEXT = """<p tabindex=0 id=p>One <b>two</b> three</p><input id=i value="first second">"""


async def act(page: Page, html: str, name: str, **args: Any) -> dict[str, Any]:
    """The action on the first element, or by points."""
    await harness.show(page, html)
    await harness.observe(page)
    return await harness.act(page, name, args)


async def test_a_double_click_is_two_clicks_and_one_of_its_own(page: Page) -> None:
    assert (await act(page, LOGGED, "doubleClick", id="1"))["status"] == "success"
    once, twice = ([f"{kind} 0 {n}" for kind in ("mousedown", "mouseup", "click")] for n in (1, 2))
    assert await page.evaluate("log") == [*once, *twice, "dblclick 0 2"]


async def test_the_other_button_opens_the_menu_and_clicks_nothing(page: Page) -> None:
    assert (await act(page, LOGGED, "rightClick", id="1"))["status"] == "success"
    assert await page.evaluate("log") == ["mousedown 2 1", "contextmenu 2 0", "mouseup 2 1"]


async def test_a_control_is_held_as_long_as_was_said(page: Page) -> None:
    assert (await act(page, HELD, "press", id="1", ms=700))["status"] == "success"
    (held,) = await page.evaluate("held")
    assert 690 <= held < 3_000


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("drag", {"x1": 40, "y1": 60, "x2": 140, "y2": 160}),
        ("draw", {"points": [[40, 60], [140, 60], [140, 160]]}),
    ],
)
async def test_a_line_goes_through_its_points(page: Page, name: str, args: dict[str, Any]) -> None:
    assert (await act(page, CANVAS, name, **args))["status"] == "success"
    line = await page.evaluate("line")
    assert line[0] == ["down", 20, 30]
    assert line[-1] == ["up", 120, 130]
    assert (["move", 120, 30] in line) == (name == "draw")
    assert len(line) > 10


async def test_what_draws_once_a_frame_hears_of_the_whole_line(page: Page) -> None:
    points = [[40, 60], [240, 60], [240, 160]]
    assert (await act(page, SLOW, "draw", points=points))["status"] == "success"
    line = await page.evaluate("line")
    assert len(set(line)) > 12
    assert line[-1] == "220,130"


async def test_nothing_is_dragged_from_outside_of_the_window(page: Page) -> None:
    result = await act(page, CANVAS, "drag", x1=5_000, y1=10, x2=20, y2=40)
    assert result["error"]["code"] == "NOT_INTERACTABLE"


@pytest.mark.parametrize(
    ("element", "text", "chosen"),
    [("1", "two three", "two three"), ("1", "", "One two three"), ("2", "second", "second")],
)
async def test_text_is_selected(page: Page, element: str, text: str, chosen: str) -> None:
    assert (await act(page, TEXT, "selectText", id=element, text=text))["status"] == "success"
    told = "i.matches(':focus') ? i.value.slice(i.selectionStart, i.selectionEnd) : String(getSelection())"
    assert await page.evaluate(told) == chosen


async def test_text_of_the_page_is_selected_wherever_it_stands(page: Page) -> None:
    html = "<main><h1>Bill</h1><p>Due on <i>May 3</i>, not before.</p></main>"
    assert (await act(page, html, "selectText", id="page", text="on May 3"))["status"] == "success"
    assert await page.evaluate("String(getSelection())") == "on May 3"


async def test_the_mouse_is_let_go_where_the_text_that_was_selected_ends(page: Page) -> None:
    html = """<p style="margin-top:3000px">Due on <i id=i>May 3</i>, not before.</p><script>
    document.onmouseup = (e) => { const r = i.getBoundingClientRect();
      window.ends = [e.target === i, Math.abs(e.clientX - r.right) < 3, r.top >= 0 && r.bottom <= innerHeight] };</script>"""
    assert (await act(page, html, "selectText", id="page", text="on May 3"))["status"] == "success"
    assert await page.evaluate("ends") == [True, True, True]


async def test_text_that_is_not_there_is_told(page: Page) -> None:
    result = await act(page, TEXT, "selectText", id="1", text="four")
    assert result["error"]["message"] == '"four" is no text of "One two three".'


async def test_what_is_drawn_on_a_canvas_is_seen_to_change(page: Page) -> None:
    await harness.show(page, CANVAS)
    first, again = [(await harness.observe(page))["tree"][0]["k"] for _ in range(2)]
    await page.evaluate("c.getContext('2d').fillRect(40, 40, 30, 2)")
    drawn = (await harness.observe(page))["tree"][0]["k"]
    assert (first == again, drawn == first) == (True, False)


async def test_what_goes_away_as_it_is_let_go_hears_no_click_and_nothing_else_does(
    page: Page,
) -> None:
    await harness.show(
        page,
        """<div style="position:relative;height:60px"><button id=start style="position:absolute;inset:0" onclick="log.push('start')">Start</button>
        <button id=piece style="position:absolute;inset:0" onmouseup="log.push('up'); this.remove()" onclick="log.push('click')">Piece</button></div><script>log = []</script>""",
    )
    await harness.observe(page)
    piece = harness.find(await harness.observe(page), "Piece")["i"]
    await harness.act(page, "click", {"id": piece})
    assert await page.evaluate("log") == ["up"]
