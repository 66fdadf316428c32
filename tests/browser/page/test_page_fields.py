"""Fields whose page has its own idea of the value: controlled inputs, masks, editors."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# As React does: the element's own setter notes what the page wrote; an input event that brings nothing new is ignored,
# and after each event the page's state is written back.
CONTROLLED = """<label>Field <input id=x {attributes}></label><script>
const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
let seen = "", state = ""; const format = {format};
Object.defineProperty(x, "value", {{configurable: true, get() {{ return own.get.call(x) }}, set(v) {{ seen = v; own.set.call(x, v) }}}});
x.addEventListener("input", () => {{ const now = own.get.call(x); if (now === seen) return; state = format(now); queueMicrotask(() => {{ x.value = state; window.state = state }}) }});
</script>"""

# As old masks do: the value is made of keys, and anything written at once is thrown away.
KEYED = """<label>Field <input id=x placeholder="{placeholder}"></label><script>let kept = "";
x.onkeypress = (e) => { e.preventDefault(); if (/\\d/.test(e.key) && kept.length < 8) kept += e.key; show() };
const show = () => { x.value = kept.replace(/(\\d\\d)(\\d\\d)(\\d+)/, "$1.$2.$3") };
x.oninput = () => { if (x.value === "") kept = ""; show() };</script>"""


async def write(page: Page, html: str, text: str) -> dict[str, Any]:
    await harness.show(page, html)
    node = harness.find(await harness.observe(page), "Field")
    return await harness.act(page, "setValue", {"id": node["i"], "text": text})


DATE = 'v => { const d = v.replace(/\\D/g, "").slice(0, 8); return d.length > 4 ? `${d.slice(0, 2)}/${d.slice(2, 4)}/${d.slice(4)}` : d }'


@pytest.mark.parametrize(
    ("attributes", "format_", "text", "held"),
    [
        ("", "v => v", "Jas", "Jas"),
        (
            "",
            'v => v.replace(/\\D/g, "").replace(/(...)(...)(....)/, "($1) $2-$3")',
            "555 010 9999",
            "(555) 010-9999",
        ),
        ("placeholder=MM/DD/YYYY", DATE, "12 March 1990", "03/12/1990"),
        ("placeholder=DD/MM/YYYY", DATE, "1990-03-12", "12/03/1990"),
        ("placeholder=DD/MM/YYYY", DATE, "05/06/1990", "05/06/1990"),
        ("type=number", "v => v", "1,200", "1200"),
    ],
)
async def test_controlled_inputs(
    page: Page, attributes: str, format_: str, text: str, held: str
) -> None:
    result = await write(page, CONTROLLED.format(attributes=attributes, format=format_), text)
    assert result["status"] == "success", result
    assert await page.evaluate("[x.value, window.state]") == [held, held]


async def test_a_mask_made_of_keys(page: Page) -> None:
    result = await write(page, KEYED.replace("{placeholder}", "DD.MM.YYYY"), "1990-03-12")
    assert result["status"] == "success", result
    assert await page.evaluate("x.value") == "12.03.1990"


async def test_an_editor_with_lines_that_rewrites_itself(page: Page) -> None:
    result = await write(
        page,
        """<div id=x contenteditable role=textbox aria-label=Field><p>old</p></div><script>
        x.oninput = () => { window.text = x.innerText };</script>""",
        "First line\nsecond",
    )
    assert result["status"] == "success", result
    assert [line for line in (await page.evaluate("text")).split("\n") if line] == [
        "First line",
        "second",
    ]
