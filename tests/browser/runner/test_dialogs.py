"""Dialogs of the browser: answered as decided before the action, reported, never blocking."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Dialog

from tests.browser.outside_desk import Desk, Shared, act, desk_on, node

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGE = """<h1>Patients</h1>
<button onclick="if (confirm('Delete Jas?')) fetch('/deleted', {method: 'POST'})">Delete Jas</button>
<button onclick="const n = prompt('New name', 'Jas'); if (n !== null) fetch('/renamed', {method: 'POST', body: n})">Rename</button>
<button onclick="alert('Could not be saved'); fetch('/after', {method: 'POST'})">Save</button>
<button onclick="setTimeout(() => confirm('Really?') && fetch('/later', {method: 'POST'}), 150)">Later</button>
<form action="/gone" onsubmit="return confirm('Leave?')"><button>Go</button></form>
<iframe src="/inner" width=300 height=60 title=Inner></iframe>"""
INNER = "<button onclick=\"if (parent.confirm('From inside?')) fetch('/inside', {method: 'POST'})\">Inside</button>"


@pytest_asyncio.fixture(loop_scope="session")
async def desk(shared: Shared) -> Desk:
    return await desk_on(shared, PAGE, inner=INNER)


def click(name: str, dialog: dict[str, Any] | None = None) -> Any:
    """A step that clicks what is called so, with a decision about dialogs."""

    def step(body: dict[str, Any]) -> dict[str, Any]:
        event = act(("click", {"id": node(body, name)}))
        if dialog is not None:
            event["actions"][0]["actionDetails"]["dialog"] = dialog
        return event

    return step


@dataclass(frozen=True)
class Case:
    """A click, with what was decided about its dialog, and what becomes of both."""

    name: str
    decision: dict[str, Any] | None
    told: dict[str, Any]
    posts: tuple[str, ...]


YES = {"accept": True}
DELETE = {"type": "confirm", "message": "Delete Jas?"}
CASES = [
    Case("Delete Jas", None, DELETE | {"accepted": False, "foreseen": False}, ()),
    Case("Delete Jas", YES, DELETE | {"accepted": True, "foreseen": True}, ("/deleted",)),
    Case(
        "Delete Jas",
        YES | {"about": ["delete", "jas", "sure"]},
        DELETE | {"accepted": True, "foreseen": True},
        ("/deleted",),
    ),
    Case(
        "Delete Jas",
        YES | {"about": ["delete", "ann"]},
        DELETE | {"accepted": False, "foreseen": False},
        (),
    ),
    Case("Rename", None, {"type": "prompt", "accepted": False}, ()),
    Case("Rename", YES | {"text": "Bo"}, {"accepted": True, "text": "Bo"}, ("/renamed Bo",)),
    Case("Save", None, {"type": "alert", "message": "Could not be saved"}, ("/after",)),
    Case("Later", YES, {"message": "Really?", "accepted": True}, ("/later",)),  # as it settles
    Case("Inside", YES, {"message": "From inside?", "accepted": True}, ("/inside",)),
]


async def test_dialogs_are_answered_as_decided_and_reported(desk: Desk) -> None:
    outcomes = await desk.outcomes(*(click(case.name, case.decision) for case in CASES))
    for case, outcome in zip(CASES, outcomes, strict=True):
        [dialog] = outcome.body["dialogs"]
        assert dialog.items() >= case.told.items(), case
        assert outcome.posts == list(case.posts), case
        assert outcome.body["lastActionStatus"] == "success", case

    mine = "[alert, confirm, prompt, print, open].map((f) => /native code/.test(f))"
    assert await desk.tab.evaluate(mine) == [True] * 5, "the page has its own functions again"
    seen: list[str] = []

    async def answer(dialog: Dialog) -> None:
        seen.append(dialog.message)
        await dialog.dismiss()

    desk.tab.once("dialog", answer)
    await desk.tab.get_by_text("Delete Jas").click()
    assert seen == ["Delete Jas?"]


async def test_a_dialog_of_a_document_that_goes_away_is_reported(desk: Desk) -> None:
    desk.site.pages["gone"] = "<h1>Gone</h1>"
    await desk.run(click("Go", {"accept": True}))
    assert desk.site.count("GET /gone") == 1
    assert desk.last["dialogs"][0]["message"] == "Leave?"
    assert desk.last["lastActionStatus"] == "success"


async def test_leaving_a_page_with_unsaved_work_is_not_asked_about(desk: Desk) -> None:
    desk.site.pages |= {
        "page": "<script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; })</script>"
        "<label>Note <input></label><a href=/next>Next</a>",
        "next": "<h1>Next</h1>",
    }
    await desk.tab.reload()
    await desk.tab.get_by_label("Note").fill("the person typed this")  # or Chrome never asks
    await desk.run(click("Next"))
    assert desk.site.count("GET /next") == 1
    assert desk.last["url"].endswith("/next")
    assert desk.last["dialogs"][0]["type"] == "beforeunload"
