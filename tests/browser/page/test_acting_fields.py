"""Codes in boxes, several of a list, lists of keys alone, search fields, editors that write their field late, copies."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CODE = """<fieldset id=code><legend>Code</legend><input maxlength=1><input maxlength=1><input maxlength=1><input maxlength=1></fieldset><script>
const all = [...code.querySelectorAll("input")]; window.sent = ""; all.forEach((box, at) => { box.oninput = () => { all[at + 1]?.focus(); if (all.every((one) => one.value)) { sent = all.map((one) => one.value).join(""); } } });</script>"""
SEVERAL = """<select id=s multiple aria-label=Gear><option selected>Board</option><option>Screen</option><option>Light, small</option></select><script>window.told = 0; s.onchange = () => { told += 1 };</script>"""
KEYS = """<div id=list role=listbox tabindex=0 aria-label=Country><div role=option id=o0>Austria</div><div role=option id=o1>Belgium</div><div role=option id=o2>Croatia</div></div><script>let at = -1; window.chosen = "";
list.onkeydown = (e) => { if (e.key === "ArrowDown") at = Math.min(2, at + 1); if (e.key === "ArrowUp") at = Math.max(0, at - 1); list.setAttribute("aria-activedescendant", `o${at}`);
  if (e.key === "Enter") { chosen = list.children[at].textContent; [...list.children].forEach((one, n) => one.setAttribute("aria-selected", n === at)) } };</script>"""
SEARCH = """<form onsubmit="return false"><input id=q type=search value=old aria-label=Find></form><script>window.told = []; q.addEventListener("search", () => told.push(q.value));</script>"""
LATE = """<form id=form onsubmit="saved = new FormData(form).get('body'); return false"><input type=hidden name=token value=abc123><input type=hidden name=body value="&lt;p&gt;Old words&lt;/p&gt;">
<div id=editor contenteditable aria-label=Body><p>Old words</p></div><button>Save</button></form><script>window.saved = ""; let timer = 0;
editor.oninput = () => { clearTimeout(timer); timer = setTimeout(() => { form.body.value = editor.innerHTML }, 250) };</script>"""
COPY = """<button id=b>Copy</button><input id=f aria-label=Voucher><script>b.onclick = async () => { HOW; b.textContent = "Copied" };</script>"""
WAYS = [
    'await navigator.clipboard.writeText("SPRING-1")',
    'const t = document.createElement("textarea"); t.value = "SPRING-1"; document.body.append(t); t.select(); document.execCommand("copy"); t.remove()',
    'document.addEventListener("copy", (e) => { e.clipboardData.setData("text/plain", "SPRING-1"); e.preventDefault() }, {once: true}); document.execCommand("copy")',
]


# Cells that become a field, and a field that is laid over them.
INSIDE = """<table><tr><td tabindex=0 id=cell>41</table><script>
cell.ondblclick = () => setTimeout(() => { const was = cell.textContent; cell.innerHTML = "<input>"; const field = cell.firstChild; field.value = was; field.focus();
field.onblur = () => { if (field.isConnected) cell.textContent = was }; field.onkeydown = ({ key }) => { if (key === "Enter") cell.textContent = field.value } }, 50)</script>"""
OVER = """<div role=grid><div role=row><span role=gridcell tabindex=0 id=cell>41</span></div></div><textarea id=field style="display:none;position:absolute"></textarea><script>
cell.ondblclick = () => { const { left, top } = cell.getBoundingClientRect(); Object.assign(field.style, { display: "block", left: `${left}px`, top: `${top}px` }); field.value = cell.textContent; field.focus() };
field.onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); cell.textContent = field.value; field.style.display = "none" } }</script>"""


async def act(page: Page, html: str, *actions: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """One after the other; the last result."""
    await harness.show(page, html)
    await harness.observe(page)
    result: dict[str, Any] = {}
    for name, args in actions:
        result = await harness.act(page, name, args)
    return result


@pytest.mark.parametrize("text", ["4826", "48-26"])
async def test_a_code_is_spread_over_its_boxes(page: Page, text: str) -> None:
    assert (await act(page, CODE, ("setValue", {"id": "1", "text": text})))["status"] == "success"
    assert await page.evaluate("sent") == "4826"


async def test_a_code_of_more_characters_than_boxes_is_refused(page: Page) -> None:
    result = await act(page, CODE, ("setValue", {"id": "1", "text": "48261"}))
    assert "takes at most 1 characters" in result["error"]["message"]


@pytest.mark.parametrize(
    ("name", "args", "chosen"),
    [
        ("setValue", {"text": "Screen"}, "Screen"),
        ("setValue", {"text": "Board, Screen"}, "Board|Screen"),
        ("setValue", {"text": "Light, small"}, "Light, small"),
        ("setValue", {"text": ""}, ""),
        ("selectOption", {"label": "Screen"}, "Board|Screen"),
    ],
)
async def test_exactly_those_are_chosen_or_one_more(
    page: Page, name: str, args: Any, chosen: str
) -> None:
    assert (await act(page, SEVERAL, (name, {"id": "1", **args})))["status"] == "success"
    shown = '[[...s.selectedOptions].map((one) => one.text).join("|"), told]'
    assert await page.evaluate(shown) == [chosen, 1]


async def test_nothing_is_chosen_where_one_of_them_is_not_offered(page: Page) -> None:
    result = await act(page, SEVERAL, ("setValue", {"id": "1", "text": "Screen, Chair"}))
    assert result["error"]["code"] == "OPTION_NOT_FOUND"
    assert await page.evaluate("told") == 0


@pytest.mark.parametrize(("name", "args"), [("click", {}), ("selectOption", {"label": "Croatia"})])
async def test_a_list_of_keys_alone_is_gone_through(page: Page, name: str, args: Any) -> None:
    await harness.show(page, KEYS)
    found = harness.find(await harness.observe(page), "Croatia", "opt")
    assert await harness.act(page, name, {"id": found["i"], **args}) == {"status": "success"}
    assert await page.evaluate("chosen") == "Croatia"


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([("setValue", {"id": "1", "text": ""})], [""]),
        ([("click", {"id": "1"}), ("pressKey", {"key": "Enter"})], ["old"]),
        ([("click", {"id": "1"}), ("pressKey", {"key": "Escape"})], [""]),
    ],
)
async def test_a_search_field_tells_of_searching(page: Page, actions: Any, told: list[str]) -> None:
    await act(page, SEARCH, *actions)
    assert await page.evaluate("told") == told


async def test_what_an_editor_writes_late_is_saved(page: Page) -> None:
    await harness.show(page, LATE)
    seen = await harness.observe(page)
    body, save = (harness.find(seen, name)["i"] for name in ("Body", "Save"))
    await harness.act(page, "setValue", {"id": body, "text": "New words"})
    await harness.act(page, "click", {"id": save})
    assert "New words" in await page.evaluate("saved")


@pytest.mark.parametrize("how", WAYS)
async def test_what_the_page_copied_is_pasted(page: Page, how: str) -> None:
    # The clipboard is there in secure contexts only.
    html = COPY.replace("HOW", how)
    await page.route(
        "https://copy.test/", lambda to: to.fulfill(body=html, content_type="text/html")
    )
    await page.goto("https://copy.test/")
    await harness.install(page)
    await page.evaluate(harness.main_source())
    await page.evaluate("__tabwright.sideEffects.connect('t'); __tabwright.sideEffects.arm(null)")
    seen = await harness.observe(page)
    copy, field = (harness.find(seen, name)["i"] for name in ("Copy", "Voucher"))
    await harness.act(page, "click", {"id": copy})
    await page.wait_for_function("b.textContent === 'Copied'")
    await harness.act(page, "click", {"id": field})
    await harness.act(page, "pressKey", {"key": "Control+V"})
    assert await page.evaluate("f.value") == "SPRING-1"
    await page.evaluate("__tabwright.sideEffects.disarm()")
    assert "native code" in await page.evaluate("String(document.execCommand)")
    await page.unroute_all()


@pytest.mark.parametrize("html", [INSIDE, OVER])
async def test_a_cell_is_written_in_the_field_that_two_presses_open(page: Page, html: str) -> None:
    done = await act(page, html, ("setValue", {"id": "1", "text": "42"}))
    assert (done["status"], await page.inner_text("#cell")) == ("success", "42")


async def test_a_cell_without_a_field_says_that_none_came(page: Page) -> None:
    plain = "<table><tr><td tabindex=0>41</table>"
    done = await act(page, plain, ("setValue", {"id": "1", "text": "42"}))
    assert done["error"]["message"] == '"41" takes no text, and pressed twice it shows no field.'
