"""Fields that a page hides and draws something else for: one line, by the label, done where it is drawn."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# The picker keeps its choice to itself and hears nothing of its hidden select.
PICKERS = """<style>[role=combobox] {display:inline-block; width:200px; height:24px; border:1px solid} ul {margin:0} .list:not(.open) ul {display:none}</style>
<div><label for=a>Course</label><select id=a hidden><option>Starter<option>Dessert</select><span class=list><span role=combobox aria-expanded=false tabindex=0>Starter</span><ul><li role=option>Starter<li role=option>Dessert</ul></span></div>
<div><label for=b>Season</label><span class=list role=combobox aria-expanded=false tabindex=0><span><select id=b multiple style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"><option>Spring<option>Autumn<option>Winter</select><i></i></span><ul><li role=option>Spring<li role=option>Autumn<li role=option>Winter</ul></span></div>
<div><label for=c>Plain</label><select id=c hidden><option>x<option>y</select></div><script>window.got = [];
for (const list of document.querySelectorAll(".list")) {
  const box = list.matches("[role=combobox]") ? list : list.querySelector("[role=combobox]");
  box.onclick = (e) => { if (!e.target.matches("li")) list.classList.toggle("open") };
  for (const li of list.querySelectorAll("li")) li.onclick = (e) => { e.stopPropagation(); got.push(li.textContent); (list.querySelector("i") ?? box).textContent += ` ${li.textContent}`; list.classList.remove("open") };
}</script>"""

EDITORS = """<label for=t>Terms</label><textarea id=t style="display:none">old</textarea><div><div><button>Bold</button></div><div><div contenteditable id=e style="height:40px">old</div></div></div>
<label for=s>Story</label><textarea id=s style="display:none">old</textarea><div><iframe srcdoc="<body contenteditable aria-label='Rich text'>old"></iframe></div>
<label for=n>Notes</label><textarea id=n></textarea>"""


async def show(page: Page, html: str) -> dict[str, Any]:
    """What is seen of the page."""
    await harness.show(page, html)
    return await harness.observe(page)


async def test_a_choice_is_made_in_the_picker_drawn_for_a_hidden_select(page: Page) -> None:
    seen = await show(page, PICKERS)
    assert [(n["r"], n.get("n")) for n in seen["tree"]] == [
        ("sel", "Course"),
        ("sel", "Season"),
        ("sel", "Plain"),
    ]
    for name, label in (("Course", "Dessert"), ("Season", "Autumn")):
        done = await harness.act(
            page, "selectOption", {"id": harness.find(seen, name)["i"], "label": label}
        )
        assert done["status"] == "success", done
    several = {"id": harness.find(seen, "Season")["i"], "text": "Spring, Winter"}
    assert (await harness.act(page, "setValue", several))["status"] == "success"
    assert await page.evaluate("got") == ["Dessert", "Autumn", "Spring", "Winter"]


async def test_a_click_on_a_hidden_select_opens_its_picker(page: Page) -> None:
    seen = await show(page, PICKERS)
    await harness.act(page, "click", {"id": harness.find(seen, "Course")["i"]})
    harness.find(await harness.observe(page), "Dessert", "opt")


async def test_an_editor_has_the_name_of_the_field_it_took_the_place_of(page: Page) -> None:
    await show(page, EDITORS)
    await page.locator("iframe").content_frame.locator("body").wait_for()
    seen = await harness.observe(page)
    assert [n["n"] for n in seen["tree"] if n["r"] == "inp"] == ["Terms", "Notes"]
    terms = {"id": harness.find(seen, "Terms")["i"], "text": "new"}
    assert (await harness.act(page, "setValue", terms))["status"] == "success"
    assert await page.inner_text("#e") == "new"
    frame = page.frames[1]
    await frame.evaluate(harness.page_source())
    assert (await harness.observe(frame))["tree"][0]["n"] == "Story"  # type: ignore[arg-type]


async def test_a_text_area_that_is_not_shown_is_not_written(page: Page) -> None:
    seen = await show(page, "<label for=t>Terms</label><textarea id=t>old</textarea>")
    await page.evaluate("t.onmousedown = () => { t.hidden = true }")
    done = await harness.act(page, "setValue", {"id": seen["tree"][0]["i"], "text": "new"})
    assert done["error"]["code"] == "NOT_INTERACTABLE"
    assert await page.evaluate("t.value") == "old"
