"""Choosing from what pages offer instead of a native select."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# The visible options have no roles and lie in a portal, placed after a while; a copy with roles is for screen readers only.
MIRRORED = """<div id=b><input id=i role=combobox readonly aria-label=Country aria-expanded=false aria-controls=m></div>
<div id=m role=listbox style="width:0;height:0;overflow:hidden"><div role=option>Spain</div><div role=option>Germany</div></div>
<div id=p style="display:none;position:absolute;top:-900px"></div><script>
b.onmousedown = () => { clearTimeout(window.t); i.ariaExpanded = "true"; p.style.display = ""; p.innerHTML = "<div title=Spain>Spain</div><div title=Germany>Germany</div>";
  setTimeout(() => { p.style.top = "200px" }, 60) };
p.onclick = (e) => { i.value = e.target.title; i.ariaExpanded = "false"; window.t = setTimeout(() => { p.style.display = "none" }, 60) };</script>"""

LATE = """<div id=c tabindex=0 role=combobox aria-label=City aria-expanded=false>Pick</div><div id=l role=listbox></div><script>
c.onclick = () => { c.ariaExpanded = "true"; l.textContent = "Loading"; setTimeout(() => { l.innerHTML = "<div role=option>Oslo</div><div role=option>Bonn</div>" }, 350) };
l.onclick = (e) => { c.textContent = e.target.textContent; l.innerHTML = "" };</script>"""

FILTER = """<label>City <input id=i role=combobox aria-expanded=false aria-controls=l></label><ul id=l role=listbox></ul><script>
const all = [...Array(200).keys()].map((n) => "Town " + n);
const draw = () => setTimeout(() => { l.innerHTML = all.filter((t) => i.value && t.includes(i.value)).slice(0, 5).map((t) => "<li role=option>" + t).join("") }, 100);
i.oninput = draw; l.onclick = (e) => { i.value = e.target.textContent + "!"; l.innerHTML = "" };</script>"""

SOUP = """<div style="cursor:pointer" id=c><div class=value>Select...</div></div><p>Spain is a country</p><script>
c.onmousedown = () => { const m = document.querySelector(".menu"); if (m) return m.remove();
  c.insertAdjacentHTML("afterend", "<div class=menu><div class=o>Spain</div><div class=o>Italy</div></div>");
  document.querySelector(".menu").onclick = (e) => { document.querySelector(".value").textContent = e.target.textContent; document.querySelector(".menu").remove() } };</script>"""

MULTI = """<div id=c role=combobox tabindex=0 aria-label=Tags aria-expanded=false aria-controls=l>-</div>
<ul id=l role=listbox aria-multiselectable=true hidden><li role=option aria-selected=false>A<li role=option aria-selected=false>B</ul><script>
c.onclick = () => { l.hidden = !l.hidden; c.ariaExpanded = String(!l.hidden) };
l.onclick = (e) => { e.target.ariaSelected = "true"; c.textContent = [...l.querySelectorAll("[aria-selected=true]")].map((o) => o.textContent).join("") };</script>"""

VIRTUAL = """<div id=c role=combobox tabindex=0 aria-label=Number aria-expanded=false aria-controls=l>-</div>
<div id=l role=listbox hidden style="height:100px;overflow:auto"><div id=h style="height:4000px;position:relative"></div></div><script>
const draw = () => { const at = Math.floor(l.scrollTop / 20); h.innerHTML = [...Array(8).keys()].map((k) => `<div role=option style="position:absolute;height:20px;top:${(at + k) * 20}px">No ${at + k}</div>`).join("") };
c.onclick = () => { l.hidden = false; c.ariaExpanded = "true"; draw() }; l.onscroll = draw;
l.onclick = (e) => { c.textContent = e.target.textContent; l.hidden = true };</script>"""


async def choose(page: Page, target: str, label: str) -> dict[str, Any]:
    node = harness.find(await harness.observe(page), target)
    return await harness.act(page, "selectOption", {"id": node["i"], "label": label})


@pytest.mark.parametrize(
    ("html", "target", "label", "shown"),
    [
        (MIRRORED, "Country", "Germany", "i.value"),
        (LATE, "City", "bonn", "c.textContent"),
        (FILTER, "City", "Town 123", "i.value"),
        (SOUP, "Select...", "Spain", "c.textContent"),
        (VIRTUAL, "Number", "No 150", "c.textContent"),
    ],
    ids=["mirrored", "late", "filter", "soup", "virtual"],
)
async def test_an_option_of_an_unusual_list(
    page: Page, html: str, target: str, label: str, shown: str
) -> None:
    await harness.show(page, html)
    result = await choose(page, target, label)
    assert result["status"] == "success", result
    assert label.lower() in (await page.evaluate(shown)).lower()


async def test_one_choice_after_another(page: Page) -> None:
    await harness.show(page, MIRRORED)
    for label in ("Spain", "Germany", "Spain"):
        assert (await choose(page, "Country", label))["status"] == "success"
        assert await page.evaluate("i.value") == label
    missing = await choose(page, "Country", "Mars")
    assert missing["error"]["code"] == "OPTION_NOT_FOUND"
    assert '"Germany"' in missing["error"]["message"]


async def test_several_of_one_list(page: Page) -> None:
    await harness.show(page, MULTI)
    for label in ("A", "B"):
        assert (await choose(page, "Tags", label))["status"] == "success"
    assert await page.evaluate("c.textContent") == "AB"


async def test_an_option_that_takes_no_click_is_told(page: Page) -> None:
    await harness.show(page, LATE.replace("l.onclick", "l.x"))
    result = await choose(page, "City", "Bonn")
    assert result["error"]["code"] == "VALUE_NOT_ACCEPTED"


async def test_radio_groups_and_segments_by_label(page: Page) -> None:
    await harness.show(
        page,
        """<fieldset><legend>Plan</legend><label><input type=radio name=p>Free</label><label><input type=radio name=p id=pro>Pro</label></fieldset>
        <div role=radiogroup aria-label=Size onclick="for (const r of this.children) r.ariaChecked = String(r === event.target)">
        <span role=radio aria-checked=true>Small</span><span role=radio aria-checked=false id=big>Large</span></div>""",
    )
    assert (await choose(page, "Free", "Pro"))["status"] == "success"
    assert (await choose(page, "Small", "large"))["status"] == "success"
    assert await page.evaluate("[pro.checked, big.ariaChecked]") == [True, "true"]
    assert (await choose(page, "Free", "Gold"))["error"]["code"] == "OPTION_NOT_FOUND"
