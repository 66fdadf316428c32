"""Success and failure told in several languages and shapes, and what is no message; the summary; the changes."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FIXED = "position:fixed;right:9px;bottom:9px;width:220px;padding:8px"


async def after(page: Page, html: str) -> dict[str, Any]:
    """What is observed after a click put this into the page."""
    await harness.show(page, "<meta charset=utf-8><button>Go</button><div id=h></div>")
    await page.evaluate("(html) => { document.querySelector('button').onclick = () => h.insertAdjacentHTML('beforeend', html) }", html)  # fmt: skip
    seen = await harness.observe(page)
    await harness.act(page, "click", {"id": harness.find(seen, "Go")["i"]})
    return await harness.observe(page, next_id=seen["nextId"])


TOLD = [
    (f"<div style='{FIXED}'><b>Patient saved</b></div>", [], ["Patient saved"]),
    (f"<div style='{FIXED}'>Speichern fehlgeschlagen</div>", ["Speichern fehlgeschlagen"], []),
    ("<div role=status>Le patient a été enregistré</div>", [], ["Le patient a été enregistré"]),
    ("<div role=status>No se pudo guardar</div>", ["No se pudo guardar"], []),
    ("<div role=status>Alterações salvas</div>", [], ["Alterações salvas"]),
    ("<div role=status>הפרטים נשמרו</div>", [], ["הפרטים נשמרו"]),
    ("<div class=toast>The record was not saved</div>", ["The record was not saved"], []),
    ("<div role=status>Checked, 0 errors. Saved.</div>", [], ["Checked, 0 errors. Saved."]),
]
SILENT = [
    "<nav><a href=# class=error-codes>Error codes</a></nav>",
    "<table><tr><td><span class='badge badge-success'>Active</span><td><span class='text-danger'>Invalid since May</span></table>",
    "<label>Name <span class='required text-danger'>*</span><input></label>",
    f"<div style='{FIXED}'>We use cookies. Your choice is saved. <button>Accept</button></div>",
    "<div role=status>12 results</div>",
    "<div role=log aria-live=polite><div class=message>I failed my exam</div></div>",
    "<span class='chip chip-error'>3</span>",
    "<dialog open style='position:fixed'><p>The record is removed.</p><form method=dialog><button>Keep</button><button>Delete</button></form></dialog>",
    "<div role=alertdialog><p>The record is removed. This cannot be undone.</p><button>Keep</button><button>Delete</button></div>",
    f"<div style='{FIXED}'><p>The record will be deleted.</p><button>Keep</button><button>Delete</button></div>",
    f"<div style='{FIXED}'>Das Löschen kann nicht rückgängig gemacht werden</div>",
]


@pytest.mark.parametrize(("html", "errors", "successes"), TOLD)
async def test_messages(page: Page, html: str, errors: list[str], successes: list[str]) -> None:
    seen = await after(page, html)
    assert (seen["errors_detected"], seen["success_messages"]) == (errors, successes)


@pytest.mark.parametrize("html", SILENT)
async def test_what_is_no_message(page: Page, html: str) -> None:
    seen = await after(page, html)
    assert (seen["errors_detected"], seen["success_messages"]) == ([], [])


async def test_what_the_browser_says_of_a_form_it_did_not_send(page: Page) -> None:
    await harness.show(page, "<form><label>Name <input required></label><button>Save</button></form>")  # fmt: skip
    seen = await harness.observe(page)
    assert not seen["hasErrors"]
    await page.get_by_role("button").click()
    seen = await harness.observe(page, next_id=seen["nextId"])
    assert [text.split(":")[0] for text in seen["errors_detected"]] == ["Name"]
    assert "invalid" in harness.find(seen, "Name", "inp")["s"]


async def test_the_summary_keeps_what_is_nearest(page: Page) -> None:
    rows = "".join(f"<tr><td>Patient {n}<td>{n} years<td>" for n in range(1000))
    html = f"<nav>{'<p>Nav entry of every page</p>' * 3}</nav><h1>Patients</h1><ul><li>One <b>of</b> two</ul><table>{rows}</table><p hidden>Hidden</p>"
    await harness.show(page, html)
    await page.evaluate("scrollTo(0, 9000)")
    summary = (await harness.observe(page))["pageSummary"]
    at = await page.evaluate("document.elementFromPoint(60, 400).closest('tr').rowIndex")
    assert f"Patient {at} | {at} years" in summary.splitlines()
    assert len(summary) <= 4000
    assert "Hidden" not in summary
    await page.evaluate("scrollTo(0, 0)")
    top = (await harness.observe(page))["pageSummary"].splitlines()
    assert {"# Patients", "- One of two", "Patient 0 | 0 years"} <= set(top)


async def test_rows_drawn_anew_are_no_change_and_many_are_counted(page: Page) -> None:
    await harness.show(page, "<table id=t aria-label=Patients></table>")
    await page.evaluate("globalThis.draw = (n) => { t.innerHTML = Array.from({length: n}, (_, i) => `<tr><td>Patient ${i}<td><button>Edit</button>`).join('') }; draw(2)")  # fmt: skip
    seen = await harness.observe(page)
    await page.evaluate("draw(2)")
    seen = await harness.observe(page, next_id=seen["nextId"])
    assert seen["recentEvents"] == []
    await page.evaluate("draw(9)")
    seen = await harness.observe(page, next_id=seen["nextId"])
    assert seen["recentEvents"] == ["added: 7 rows in list: Patients"]
