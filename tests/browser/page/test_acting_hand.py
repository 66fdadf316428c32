"""Wheel, finger, what moves and what draws: how the mouse of a person differs from its plain events."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PLAN = """<div id=plan tabindex=0 aria-label=Plan style="height:200px;width:300px">Plan</div><div style="height:3000px"></div><script>window.wheel = [];
plan.addEventListener("wheel", (e) => { e.preventDefault(); wheel.push([e.deltaY < 0, Math.round(e.offsetX), Math.round(e.offsetY)]) }, {passive: false});</script>"""
TOUCHED = """<div id=row tabindex=0 style="padding:20px">Message <p id=menu hidden>Options</p></div><script>window.heard = []; let timer = 0;
row.addEventListener("touchstart", (e) => { heard.push(e.touches.length); timer = setTimeout(() => { menu.hidden = false }, 400) }, {passive: true});
row.addEventListener("touchmove", (e) => { clearTimeout(timer); heard.push(e.touches[0].clientX) }, {passive: true});
row.addEventListener("touchend", (e) => { clearTimeout(timer); heard.push(e.touches.length, "up"); row.title = "touched" });</script>"""
BOTH = """<div id=row tabindex=0 style="padding:20px">Message</div><script>window.count = 0;
row.addEventListener("touchend", () => { count += 1; row.title = count }); row.addEventListener("click", () => { count += 1; row.title = count });</script>"""
MENU = """<div id=row tabindex=0 style="padding:20px">Message</div><p id=menu hidden>Options</p><script>row.oncontextmenu = (e) => { e.preventDefault(); menu.hidden = false };</script>"""
DRAWN = """<canvas id=c width=300 height=200 style="position:absolute;left:0;top:0"></canvas><script>window.line = []; let on = false;
c.onpointerdown = () => { on = true }; c.onpointerup = () => { on = false };
c.onpointermove = (e) => { for (const one of e.getCoalescedEvents()) if (on) line.push([one.offsetX, one.offsetY, one.pressure]) };</script>"""
MOVING = """<button id=b style="position:absolute;left:0;top:40px">Catch</button><script>window.at = -1; const began = performance.now();
(function step() { const share = Math.min(1, (performance.now() - began) / 700); b.style.left = `${300 * share}px`; if (share < 1) requestAnimationFrame(step) })();
b.onclick = (e) => { at = parseFloat(b.style.left) };</script>"""
RESTLESS = """<style>@keyframes sway { from {left: 0} to {left: 200px} } b { position:absolute; top:40px; animation: sway 2s linear infinite alternate }</style><b id=b tabindex=0>Swaying</b><script>window.clicks = 0; b.onclick = () => { clicks += 1 };</script>"""
LOST = """<div id=a tabindex=0 style="position:absolute;left:0;top:0;width:200px;height:60px">Piece</div><div id=z tabindex=0 style="position:absolute;left:0;top:200px;width:200px;height:60px">Place</div><script>window.pressed = false; window.ups = 0;
a.addEventListener("pointerdown", () => { pressed = true; HOW });
addEventListener("pointerup", () => { pressed = false; ups += 1 });</script>"""
FILM = """<video id=film controls muted aria-label=Film style="width:300px;height:150px"></video><script>const c = document.createElement("canvas"); const x = c.getContext("2d");
setInterval(() => x.fillRect(Math.random() * 99, 0, 9, 9), 50); film.srcObject = c.captureStream(20);</script>"""
SLIDER = """<div id=track style="position:relative;width:200px;height:8px;margin:40px;background:#ccc"><div id=knob style="position:absolute;width:20px;height:20px;top:-6px;margin-left:-10px;background:#27c;cursor:grab"></div></div><script>let on = false; knob.style.left = "40px";
knob.onmousedown = () => { on = true }; document.onmouseup = () => { on = false };
document.onmousemove = (e) => { if (on) knob.style.left = `${Math.round(e.clientX - track.getBoundingClientRect().left)}px` };</script>"""

TUNED = """<div><p>Bass</p><div style="position:relative;width:200px;height:8px"><i id=knob tabindex=0 style="position:absolute;width:14px;height:14px;margin-left:-7px"></i></div><b id=shown></b></div><script>
let at = 5; const put = () => { knob.style.left = `${(at + 10) * 10}px`; shown.textContent = at }; put();
knob.onkeydown = ({ key }) => { at = Math.max(-10, Math.min(10, at + (key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0))); put() };</script>"""

SPAN = """<style>.knob{position:absolute;top:-3px;width:14px;height:14px;margin-left:-7px}</style><div><label>Price</label><div style="position:relative;width:200px;height:8px"><div class=knob id=low role=slider tabindex=0 aria-valuenow=30 aria-valuemax=200 style="left:15%"></div><div class=knob id=high style="left:60%"></div></div></div><script>
let held = null; document.onmousedown = (e) => { held = e.target.closest(".knob") }; document.onmouseup = () => { held = null };
low.onkeydown = () => { low.style.left = "0%" };
document.onmousemove = (e) => { if (held) held.style.left = `${Math.round((e.clientX - held.parentElement.getBoundingClientRect().left) / 2)}%` };</script>"""


async def act(page: Page, html: str, name: str, **args: Any) -> dict[str, Any]:
    await harness.show(page, html)
    await harness.observe(page)
    return await harness.act(page, name, args)


async def test_what_takes_the_wheel_is_not_scrolled(page: Page) -> None:
    result = await act(page, PLAN, "scroll", id="1", direction="up")
    assert result == {"status": "success"}
    assert await page.evaluate("[wheel, scrollY]") == [[[True, 150, 100]], 0]


async def test_what_leaves_the_wheel_alone_is_scrolled(page: Page) -> None:
    await act(page, PLAN.replace("e.preventDefault();", ""), "scroll", id="1", direction="down")
    assert await page.evaluate("scrollY > 300 && wheel.length === 1")


async def test_a_finger_holds_what_does_not_answer_the_mouse(page: Page) -> None:
    await act(page, TOUCHED, "press", id="1", ms=600)
    assert await page.evaluate("[heard, menu.hidden]") == [[1, 0, "up"], False]


async def test_a_finger_taps_what_does_not_answer_the_mouse(page: Page) -> None:
    result = await act(page, TOUCHED, "click", id="1")
    assert result == {"status": "success"}
    assert await page.evaluate("heard") == [1, 0, "up"]


async def test_a_finger_drags_what_does_not_answer_the_mouse(page: Page) -> None:
    await act(page, TOUCHED, "drag", x1=100, y1=30, x2=40, y2=30)
    heard = await page.evaluate("heard")
    assert (heard[0], heard[-3:]) == (1, [40, 0, "up"])


@pytest.mark.parametrize("action", ["click", "press"])
async def test_what_hears_mouse_and_finger_is_clicked_once(page: Page, action: str) -> None:
    await act(page, BOTH, action, id="1", ms=100)
    assert await page.evaluate("count") == 1


async def test_holding_opens_the_menu_of_what_does_nothing_else(page: Page) -> None:
    await act(page, MENU, "press", id="1", ms=600)
    assert await page.evaluate("menu.hidden") is False


async def test_a_drawn_line_has_the_places_between_frames(page: Page) -> None:
    # Told of in secure contexts only.
    await page.route(
        "https://hand.test/", lambda to: to.fulfill(body=DRAWN, content_type="text/html")
    )
    await page.goto("https://hand.test/")
    await harness.install(page)
    await harness.act(page, "draw", {"points": [[20, 30], [120, 30]]})
    line = await page.evaluate("line")
    assert line[-1] == [120, 30, 0.5]
    assert len(line) > 5


async def test_what_moves_is_clicked_where_it_comes_to_rest(page: Page) -> None:
    assert (await act(page, MOVING, "click", id="1"))["status"] == "success"
    assert await page.evaluate("at") == 300


async def test_what_moves_on_a_busy_machine_is_awaited_too(page: Page) -> None:
    slow = "const draw = requestAnimationFrame; window.requestAnimationFrame = (f) => setTimeout(() => draw(f), 250)"
    assert (await act(page, f"<script>{slow}</script>{MOVING}", "click", id="1"))[
        "status"
    ] == "success"
    assert await page.evaluate("at") == 300


async def test_what_never_rests_is_clicked_all_the_same(page: Page) -> None:
    assert (await act(page, RESTLESS, "click", id="1"))["status"] == "success"
    assert await page.evaluate("clicks") == 1


@pytest.mark.parametrize("how", ["a.remove()", "throw new Error('oh')"])
@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("press", {"id": "1", "ms": 50}),
        ("drag", {"x1": 50, "y1": 30, "x2": 90, "y2": 150}),
        ("draw", {"points": [[50, 30], [90, 90], [50, 150]]}),
        ("dragTo", {"id": "1", "targetId": "2"}),
    ],
)
async def test_nothing_stays_pressed(page: Page, how: str, action: str, args: Any) -> None:
    await act(page, LOST.replace("HOW", how), action, **args)
    assert await page.evaluate("ups > 0 && !pressed")


async def test_a_film_is_seen_to_play_and_is_stopped_again(page: Page) -> None:
    await harness.show(page, FILM)
    await page.wait_for_function("film.readyState > 2")
    for state in ("paused", "playing", "paused"):
        node = harness.find(await harness.observe(page), "Film")
        assert node["v"].startswith(f"{state} 0:0")
        await harness.act(page, "click", {"id": node["i"]})


async def test_a_slider_placed_in_pixels_is_one(page: Page) -> None:
    await harness.show(page, SLIDER)
    node = next(n for n in (await harness.observe(page))["tree"] if n["r"] == "range")
    assert node["v"] == "20 %"
    result = await harness.act(page, "setValue", {"id": node["i"], "text": "75"})
    assert (result["status"], result["note"]) == ("success", "It stands at 75 % of its way.")
    assert await page.evaluate("knob.style.left") == "150px"


@pytest.mark.parametrize(("text", "shown"), [("-9", "-9"), ("60 %", "2")])
async def test_a_bare_slider_is_set_in_its_unit_or_in_per_cent(
    page: Page, text: str, shown: str
) -> None:
    await harness.show(page, TUNED)
    node = next(n for n in (await harness.observe(page))["tree"] if n["r"] == "range")
    result = await harness.act(page, "setValue", {"id": node["i"], "text": text})
    assert (result["status"], await page.inner_text("#shown")) == ("success", shown)


async def test_the_second_handle_of_a_range_is_seen_and_set(page: Page) -> None:
    await harness.show(page, SPAN)
    node = harness.find(await harness.observe(page), "Price upper", "range")
    assert node["v"] == "60 %"
    result = await harness.act(page, "setValue", {"id": node["i"], "text": "80"})
    assert result["status"] == "success"
    assert await page.evaluate("[low.style.left, high.style.left]") == ["15%", "80%"]


async def test_a_piece_on_a_board_is_no_slider(page: Page) -> None:
    await harness.show(page, SLIDER.replace("height:8px", "height:200px"))
    assert "range" not in {n["r"] for n in (await harness.observe(page))["tree"]}
