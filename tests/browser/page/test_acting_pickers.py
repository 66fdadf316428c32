"""Pickers and sliders whose working part is not the one that is drawn, or that answer late."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# Read-only until it is opened.
LATE = """<input id=i role=combobox readonly aria-label=Extras aria-expanded=false><script>i.onmousedown = () => setTimeout(() => { i.readOnly = false }, 30)</script>"""
SHUT = "<input id=i role=combobox readonly aria-label=Extras>"
# The box is drawn; the field in it, which has the label, cannot be seen.
BOXED = """<label for=f>Doctor</label><div id=w style="position:relative;cursor:pointer;width:200px;height:30px;border:1px solid">
<div style="position:absolute;opacity:0;z-index:-1"><input id=f role=combobox readonly aria-expanded=false style="width:11px"></div><span id=v>Choose</span></div>
<ul id=l hidden><li role=option>Dr Adams<li role=option>Dr Costa</ul><script>w.onclick = () => { l.hidden = false };
for (const li of l.children) li.onclick = () => { v.textContent = li.textContent; l.hidden = true }</script>"""
# A press on a line chooses it; what unfolds it is beside its name.
TREE = """<input id=f aria-label=Department role=combobox aria-expanded=false aria-controls=t><div id=t hidden><div role=treeitem aria-expanded=false id=sales><b id=x style="display:inline-block;width:16px;height:16px;cursor:pointer"></b><span style="cursor:pointer">Sales</span></div><div role=treeitem id=south hidden>South</div></div>
<script>f.onclick = () => { t.hidden = false }; for (const li of [sales, south]) li.onclick = () => { f.value = li.textContent; t.hidden = true };
x.onclick = (e) => { e.stopPropagation(); sales.ariaExpanded = "true"; south.hidden = false }</script>"""
# What was picked stands in place of the field, a button to take it away in it.
TAGS = """<div style="width:300px;height:30px;border:1px solid" onclick="got += 1"><input role=combobox readonly aria-label=Gear style="position:absolute;width:200px;height:20px;z-index:-1">
<div style="background:#eee;width:200px;height:24px">Microphone</div><input tabindex=-1 aria-hidden=true style="display:none"><button>Clear</button></div><script>window.got = 0</script>"""
# It goes to where it was dragged only after a while, and its keys go in wide steps.
FILM = """<div id=s role=slider tabindex=0 aria-label=Progress aria-valuemin=0 aria-valuemax=100 aria-valuenow=0 style="width:455px;height:10px;background:#ccc"></div><script>
let on = false; const put = (to) => setTimeout(() => { s.ariaValueNow = Math.min(100, to).toFixed(2) }, 120);
s.onmousedown = () => { on = true }; s.onmousemove = (e) => { if (on) put((100 * e.offsetX) / 455) }; s.onmouseup = () => { on = false };
s.onkeydown = (e) => { if (e.key === "ArrowRight") put(Number(s.ariaValueNow) + 8.33); if (e.key === "ArrowLeft") put(Number(s.ariaValueNow) - 8.33) }</script>"""
# The line beside the handle takes the keys.
LINE = """<div style="position:relative;width:400px;height:24px"><div id=l tabindex=0 style="height:24px;background:#ddd"></div><span id=n style="position:absolute;top:0">2</span>
<span id=h class=btn style="position:absolute;top:0;left:14%;width:20px;height:20px;background:red;cursor:pointer"><i></i></span></div><script>
l.onkeydown = (e) => setTimeout(() => { const to = Number(n.textContent) + (e.key === "ArrowRight" ? 1 : -1); n.textContent = to; h.style.left = `${to * 7}%` }, 200)</script>"""


async def act(page: Page, html: str, role: str, name: str, **args: Any) -> dict[str, Any]:
    """The action on the first element of that role."""
    await harness.show(page, html)
    seen = await harness.observe(page)
    first = next(node for node in seen["tree"] if node["r"] == role)
    return await harness.act(page, name, {"id": first["i"], **args})


async def test_a_field_that_opens_when_it_is_pressed_takes_text(page: Page) -> None:
    assert (await act(page, LATE, "sel", "setValue", text="Roof"))["status"] == "success"
    assert await page.evaluate("i.value") == "Roof"
    done = await act(page, SHUT, "sel", "setValue", text="Roof")
    assert done["error"]["message"] == '"Extras" is read-only.'


async def test_a_drawn_box_has_the_name_of_the_picker_in_it(page: Page) -> None:
    assert (await act(page, BOXED, "sel", "selectOption", label="Dr Costa"))["status"] == "success"
    assert await page.inner_text("#v") == "Dr Costa"
    seen = await harness.observe(page)
    assert [(n["r"], n["n"], n["v"]) for n in seen["tree"]] == [("sel", "Doctor", "Dr Costa")]


async def test_a_way_through_a_tree_unfolds_its_lines(page: Page) -> None:
    done = await act(page, TREE, "inp", "selectOption", label="Sales / South")
    assert done["status"] == "success", done
    assert await page.evaluate("f.value") == "South"


async def test_a_picker_is_reached_where_its_choices_lie_over_it(page: Page) -> None:
    assert (await act(page, TAGS, "sel", "click"))["status"] == "success"
    assert await page.evaluate("got") == 1


async def test_a_slider_is_left_where_it_was_dragged_to(page: Page) -> None:
    done = await act(page, FILM, "range", "setValue", text="40")
    assert done["status"] == "success", done
    assert abs(float(await page.evaluate("s.ariaValueNow")) - 40) < 0.5


async def test_a_handle_is_moved_by_what_takes_its_keys(page: Page) -> None:
    await harness.show(page, LINE)
    seen = await harness.observe(page)
    handle = next(n for n in seen["tree"] if n["box"][2] == 20)
    done = await harness.act(page, "setValue", {"id": handle["i"], "text": "5"})
    assert (done["status"], await page.inner_text("#n")) == ("success", "5"), done
