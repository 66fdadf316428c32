"""Dragging: lists, drop zones and things that follow the pointer; the page's own record of it."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest

from tests.browser.framework_pages import App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


LISTS = """<ul id=a><li tabindex=0>A one<li tabindex=0>A two<li tabindex=0>A three</ul><ul id=b><li tabindex=0>B one<li tabindex=0>B two<li tabindex=0>B three</ul>
<ul id=c style="width:200px"><li tabindex=0>C one<li tabindex=0>C two<li tabindex=0>C three</ul><script>
window.got = {}; const read = (list, key) => () => { got[key] = [...list.children].map((item) => item.textContent.trim().slice(2)).join() };
Sortable.create(a, {animation: 300, onEnd: read(a, "A")}); Sortable.create(b, {forceFallback: true, onEnd: read(b, "B")}); $(c).sortable({update: read(c, "C")});</script>"""

CARD = """<div draggable=true id=card tabindex=0 style="width:90px">Card</div><div id=zone tabindex=0 style="width:200px;height:80px;border:1px solid">Zone</div><script>
window.log = []; card.ondragstart = (e) => { e.dataTransfer.setData("text/plain", "the card"); log.push("start") };
zone.ondragenter = () => log.push("enter"); zone.ondragover = (e) => e.preventDefault(); card.ondragend = () => log.push("end");
zone.ondrop = (e) => { log.push(e.dataTransfer.getData("text/plain")); zone.append(card) };</script>"""

BALL = """<div id=ball tabindex=0 style="position:absolute;left:60px;top:20px;width:50px;height:50px;background:red">Ball</div>
<div id=goal tabindex=0 style="position:absolute;left:500px;top:300px;width:100px;height:100px;border:1px solid">Goal</div><script>
ball.onpointerdown = (down) => { ball.setPointerCapture(down.pointerId); const box = ball.getBoundingClientRect();
  ball.onpointermove = (e) => { ball.style.left = box.left + e.clientX - down.clientX + "px"; ball.style.top = box.top + e.clientY - down.clientY + "px" };
  ball.onpointerup = () => { ball.onpointermove = null; window.left = [ball.offsetLeft, ball.offsetTop] } };</script>"""

SPLIT = """<div id=split style="display:flex;width:400px;height:80px"><div style="width:100px">List</div><div id=bar tabindex=0 style="width:8px;cursor:col-resize">Bar</div><div>Text</div></div>
<div id=goal tabindex=0 style="position:absolute;left:250px;top:300px;width:100px;height:50px">Goal</div><script>window.log = []; let on = false;
bar.onpointerdown = (e) => { on = true; bar.setPointerCapture(e.pointerId) };
bar.onpointermove = (e) => { if (on && bar.hasPointerCapture(e.pointerId)) split.firstElementChild.style.width = e.clientX + "px" };
for (const type of ["gotpointercapture", "lostpointercapture"]) bar.addEventListener(type, (e) => { log.push(`${type} ${e.pointerId}`); on = type.startsWith("got") });
goal.onpointermove = goal.onmousemove = goal.onmouseup = () => log.push("astray")</script>"""

GRID = """<ul id=g style="list-style:none;width:150px;margin:0;padding:0"></ul><script>
for (const name of "abcdefghi") g.innerHTML += `<li tabindex=0 style="float:left;width:40px;height:40px">Tile ${name}</li>`;
$(g).sortable({update: () => { window.got = [...g.children].map((one) => one.textContent.slice(-1)).join("") }});</script>"""

STUCK = "<div tabindex=0>Rock</div><div tabindex=0 style='margin:50px'>Hill</div>"


async def test_an_item_takes_the_place_of_another(app: App) -> None:
    await app.show(
        LISTS, "sortablejs/Sortable.js", "jquery/dist/jquery.min.js", "jquery-ui-dist/jquery-ui.js"
    )
    for key in "ABC":
        for goal, order in (("three", "two,three,one"), ("two", "one,two,three")):
            result = await app.drag(f"{key} one", f"{key} {goal}")
            assert result["status"] == "success", (key, result)
            await app.until(f"got['{key}'] === '{order}'")


async def test_a_tile_of_a_grid_takes_the_place_of_another(app: App) -> None:
    await app.show(GRID, "jquery/dist/jquery.min.js", "jquery-ui-dist/jquery-ui.js")
    for source, goal, order in (("i", "e", "abcdiefgh"), ("h", "d", "abchdiefg")):
        assert (await app.drag(f"Tile {source}", f"Tile {goal}"))["status"] == "success"
        await app.until(f"got === '{order}'")


async def test_a_drop_carries_its_data(app: App) -> None:
    await app.show(CARD)
    assert await app.drag("Card", "Zone") == {"status": "success"}
    assert await app.state("log") == ["start", "enter", "the card", "end"]


async def test_what_holds_the_pointer_is_let_go_where_it_was_taken(app: App) -> None:
    await app.show(BALL)
    assert await app.drag("Ball", "Goal") == {"status": "success"}
    left, top = await app.state("window.left")
    assert 500 <= left + 25 <= 600
    assert 300 <= top + 25 <= 400


async def test_what_captured_the_pointer_has_all_of_its_events(app: App) -> None:
    await app.show(SPLIT)
    assert await app.drag("Bar", "Goal") == {"status": "success"}
    assert await app.state("log") == ["gotpointercapture 1", "lostpointercapture 1"]
    assert await app.state("split.firstElementChild.offsetWidth") == 300
    assert not await app.state("bar.hasPointerCapture(1)")
    await app.world("__tabwright.sideEffects.disarm()")
    assert "native code" in await app.state("String(bar.setPointerCapture)")


async def test_nothing_moved_is_told(app: App) -> None:
    await app.show(STUCK)
    result = await app.drag("Rock", "Hill")
    assert result["error"]["code"] == "VALUE_NOT_ACCEPTED"
