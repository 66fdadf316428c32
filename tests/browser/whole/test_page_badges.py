"""A question in the page: badges on what may be meant, and what a press of one or of its element does."""

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser.page_harness import find, observe, request, show

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROWS = """<style>
  * { border-color: red !important; pointer-events: auto !important; opacity: .9 !important }
  :root { --accent: transparent; --ink: transparent }
</style>
<script>
  globalThis.heard = [];
  const hear = ({type, target}) => heard.push(`${type} ${target.id || target.localName}`);
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown", "keyup"])
    document.addEventListener(type, hear, true);
</script>
<h1>Patients</h1><label>Search <input id=search></label>
<table><tr><td>Jas Patel<td><button id=jas onclick="this.closest('tr').remove()">Delete</button>
<tr><td>Jas Ndiaye<td><button id=jan onclick="this.closest('tr').remove()">Delete</button></table>
<button id=other onclick="heard.push('other pressed')">Refresh</button>"""
LAYOUT = """[jas.getBoundingClientRect().toJSON(), document.documentElement.scrollWidth,
  document.documentElement.scrollHeight, document.activeElement.id]"""
# Of our world, the badges: a page has no way to them.
BADGES = """() => document.querySelectorAll(':popover-open').length"""
AFTER_A_FRAME = (
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
)


def picked(posted: list[dict[str, Any]]) -> list[str]:
    return [one["option"] for one in posted if one["kind"] == "picked"]


async def picks(page: Page) -> list[str]:
    posted: list[dict[str, Any]] = await page.evaluate("globalThis.__posted")
    return picked(posted)


async def ask(page: Page, html: str, *, multiple: bool = False, name: str = "Delete") -> None:
    """Shows the page and a question about its elements of that name."""
    await show(page, html)
    await point(page, multiple=multiple, name=name)


async def point(page: Page, *, multiple: bool = False, name: str = "Delete") -> None:
    seen = await observe(page)
    nodes = [node for node in seen["tree"] if node.get("n") == name]
    items = [
        {"option": str(at), "number": str(at), "label": f"{name} {at}", "elementId": node["i"]}
        for at, node in enumerate(nodes, 1)
    ]
    question = {"hitlId": "h", "approval": False, "multiple": multiple, "chosen": []}
    await request(page, "point", items=items, **question)


async def shown(page: Page) -> bool:
    return bool(await page.evaluate(BADGES))


async def corner(page: Page, selector: str) -> tuple[float, float]:
    """Where the badge of an element stands."""
    box = await page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"], box["y"]


async def badges(page: Page) -> dict[str, bool]:
    """Names of the badges as they are read out, and whether each is pressed."""
    session = await page.context.new_cdp_session(page)
    tree = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    await session.detach()
    buttons = [node for node in tree if node.get("role", {}).get("value") == "button"]
    return {
        str(node["name"]["value"]): any(
            one["name"] == "pressed" and one["value"]["value"] == "true"
            for one in node["properties"]
        )
        for node in buttons
        if node["name"]["value"][:1].isdigit()
    }


async def heard(page: Page) -> list[str]:
    told: list[str] = await page.evaluate("heard.splice(0)")
    return told


async def test_a_press_on_the_element_itself_answers_and_the_page_hears_nothing(page: Page) -> None:
    await ask(page, ROWS)
    await page.click("#jan")
    assert await picks(page) == ["2"]
    assert await heard(page) == []
    assert await page.locator("tr").count() == 2
    await page.click("#other")
    assert "other pressed" in await heard(page)
    await page.locator("#search").press_sequentially("a b")
    assert await page.input_value("#search") == "a b"
    await page.focus("#jas")
    await heard(page)
    await page.keyboard.press("Enter")
    assert await picks(page) == ["2", "1"]
    assert await heard(page) == []
    assert await page.locator("tr").count() == 2


async def test_afterwards_nothing_of_it_stays(page: Page) -> None:
    await show(page, ROWS)
    before, layout = await page.screenshot(), await page.evaluate(LAYOUT)
    await point(page)
    assert await page.screenshot() != before
    assert await page.evaluate(LAYOUT) == layout
    await request(page, "unpoint")
    assert await page.screenshot() == before
    await page.click("#jan")
    assert await picks(page) == []
    assert await page.locator("tr").count() == 1


async def test_a_badge_is_pressed_by_mouse_and_by_key(page: Page) -> None:
    await ask(page, ROWS)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    assert await picks(page) == ["2"]
    await page.mouse.click(*await corner(page, "#jas"))
    assert await picks(page) == ["2", "1"]
    assert await heard(page) == ["keydown body"]  # the first Tab
    assert list(await badges(page)) == ["1: Delete 1", "2: Delete 2"]


async def test_a_page_that_imitates_badges_and_clicks_by_script_picks_nothing(page: Page) -> None:
    await ask(page, ROWS)
    host = "document.querySelector(':popover-open')"
    assert await page.evaluate(f"{host}.shadowRoot") is None
    await page.evaluate(
        """() => {
          const fake = document.createElement('div');
          fake.setAttribute('popover', 'manual');
          fake.innerHTML = '<button aria-label="1: Delete 1">1</button>';
          document.documentElement.append(fake);
          fake.showPopover();
          const {left, top} = jas.getBoundingClientRect();
          const init = {bubbles: true, composed: true, clientX: left, clientY: top, detail: 1};
          for (const el of [jas, fake.firstChild, ...document.querySelectorAll(':popover-open')]) {
            for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
              el.dispatchEvent(new PointerEvent(type, init));
            el.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
          }
        }"""
    )
    assert await picks(page) == []
    await page.locator("[popover] > button").click()
    await page.keyboard.press("1")
    assert await picks(page) == []


async def test_several_are_chosen_one_after_the_other(page: Page) -> None:
    await ask(page, ROWS, multiple=True)
    await page.click("#jas")
    await page.click("#jan")
    assert await picks(page) == ["1", "2"]
    await request(page, "mark", chosen=["1"])
    assert await badges(page) == {"1: Delete 1": True, "2: Delete 2": False}


async def test_a_badge_moves_with_its_element_and_leads_to_what_is_off_the_screen(
    page: Page,
) -> None:
    far = ROWS.replace("<h1>", "<div id=gap></div><h1>").replace(
        "<tr><td>Jas Ndiaye", "<tr><td><div style='height:1200px'></div><tr><td>Jas Ndiaye"
    )
    await ask(page, far)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")  # that of the one far below
    await page.wait_for_function("jan.getBoundingClientRect().bottom < innerHeight")
    await page.keyboard.press("Enter")
    assert await picks(page) == ["2"]
    await page.evaluate("gap.style.height = '180px'")
    await page.evaluate("scrollTo(0, 40)")
    await page.evaluate(AFTER_A_FRAME)
    await page.mouse.click(*await corner(page, "#jas"))
    assert await picks(page) == ["2", "1"]


async def test_a_press_is_decided_by_where_things_are_now(page: Page) -> None:
    """Also where no frame was drawn since they moved, as on a busy machine."""
    far = ROWS.replace("<tr><td>Jas Ndiaye", "<tr height=1500><td>-<tr><td>Jas Ndiaye")
    await ask(page, far)
    await page.evaluate(
        "void ([globalThis.drawing, requestAnimationFrame] = [requestAnimationFrame, () => 1])"
    )
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.wait_for_function("jan.getBoundingClientRect().bottom < innerHeight", polling=20)
    await page.keyboard.press("Enter")
    assert await picks(page) == ["2"]
    await page.evaluate("void (requestAnimationFrame = drawing)")


async def test_an_element_that_is_another_by_now_is_not_picked(page: Page) -> None:
    await ask(page, ROWS)
    await page.evaluate("document.querySelectorAll('td')[0].textContent = 'Ann Lee'")
    await page.click("#jas")
    assert await picks(page) == []
    assert await page.locator("tr").count() == 2  # it was meant as an answer
    # Drawn anew, the row is another element, and the one that was asked about.
    await page.evaluate("document.querySelector('table').outerHTML += ''")
    await page.evaluate("document.querySelectorAll('td')[0].textContent = 'Jas Patel'")
    await page.click("#jas")
    assert await picks(page) == ["1"]


async def test_in_a_modal_dialog_the_badges_are_reached(page: Page) -> None:
    inside = f"<dialog id=d>{ROWS}</dialog><script>d.showModal()</script>"
    await ask(page, inside)
    await page.mouse.click(*await corner(page, "#jan"))
    assert await picks(page) == ["2"]
    again = await observe(page)
    assert [node["n"] for node in again["tree"] if node["r"] == "btn"].count("Delete") == 2
    assert not [node for node in again["tree"] if node.get("n") in {"1", "2"}]
    assert not [node for node in again["tree"] if node.get("occ")]


async def test_what_is_to_be_approved_is_outlined_and_left_to_the_person(page: Page) -> None:
    await show(page, f"{ROWS}<div style='height:3000px'></div><button id=low>Erase</button>")
    seen = await observe(page)
    item = {"option": "", "number": "", "label": "", "elementId": find(seen, "Erase")["i"]}
    question = {"hitlId": "h", "approval": True, "multiple": False, "chosen": []}
    await page.emulate_media(reduced_motion="reduce")
    before = await request(page, "quiet")
    await request(page, "point", items=[item], **question)
    await page.wait_for_function("low.getBoundingClientRect().bottom < innerHeight")
    after = await request(page, "quiet")
    assert after["domQuietMs"] >= before["domQuietMs"]
    assert await shown(page)
    await page.click("#low")
    assert "click low" in await heard(page)
    assert await picks(page) == []
    again = await observe(page, next_id=seen["nextId"])
    assert [n["i"] for n in again["tree"]] == [n["i"] for n in seen["tree"]]
    assert again["recentEvents"] == []


FORM = """<form aria-label="New patient" onsubmit="event.preventDefault()">
<label>Name <input></label> <label>Password <input type=password></label>
<label>Blood group <select><option>A<option>B</select></label>
<label><input type=checkbox> Smoker</label> <button>Save</button></form>
<p>Some words</p><div onclick="1" id=tile>Open chart</div>"""


async def acts(page: Page) -> list[tuple[str, str, str]]:
    """What was told of the person, as (kind, role, name)."""
    posted: list[dict[str, Any]] = await page.evaluate("globalThis.__posted")
    told = [one["act"] for one in posted if one["kind"] == "person"]
    assert all(act["url"] == "about:blank" and act["at"] for act in told)
    return [(act["kind"], act["role"], act["name"]) for act in told]


async def test_what_a_person_does_is_told_by_name_and_without_what_was_typed(page: Page) -> None:
    await show(page, FORM)
    await request(page, "person", on=True)
    await page.get_by_label("Name").press_sequentially("Ja")
    await page.get_by_label("Password").fill("hunter2")
    await page.get_by_label("Blood group").press("ArrowDown")
    await page.get_by_text("Smoker").click()
    await page.get_by_text("Some words").click()
    await page.locator("#tile").click()
    await page.get_by_role("button").click()
    await page.evaluate("tile.click()")
    told = await acts(page)
    assert told[:2] == [("type", "inp", "Name")] * 2  # the runner makes them one
    assert told[2:] == [
        ("type", "inp", "Password"),
        ("choose", "sel", "Blood group"),
        ("choose", "chk", "Smoker"),
        ("click", "el", "Open chart"),
        ("click", "btn", "Save"),
        ("submit", "btn", "Save"),
    ]
    assert "hunter2" not in str(await page.evaluate("globalThis.__posted"))
    await request(page, "person", on=False)
    await page.locator("#tile").click()
    assert len(await acts(page)) == len(told)
