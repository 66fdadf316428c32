"""Dialogs of the browser: answered as decided before the action, reported, never blocking."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

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
    return await desk_on(shared, PAGE)


def click(name: str, dialog: dict[str, Any] | None = None) -> Any:
    """A step that clicks what is called so, with a decision about dialogs."""

    def step(body: dict[str, Any]) -> dict[str, Any]:
        event = act(("click", {"id": node(body, name)}))
        if dialog is not None:
            event["actions"][0]["actionDetails"]["dialog"] = dialog
        return event

    return step


async def test_a_confirm_is_accepted_where_that_was_decided(desk: Desk) -> None:
    await desk.run(click("Delete Jas", {"accept": True}))
    assert desk.site.count("POST /deleted") == 1
    told = {"type": "confirm", "message": "Delete Jas?", "accepted": True, "foreseen": True}
    assert desk.last["dialogs"] == [told]
    assert desk.last["lastActionStatus"] == "success"


@pytest.mark.parametrize(
    ("about", "done"), [(["delete", "jas", "sure"], 1), (["delete", "ann"], 0)]
)
async def test_a_yes_in_advance_is_for_what_it_was_about(
    desk: Desk, about: list[str], done: int
) -> None:
    await desk.run(click("Delete Jas", {"accept": True, "about": about}))
    assert desk.site.count("POST /deleted") == done
    told = {"type": "confirm", "message": "Delete Jas?", "accepted": done == 1}
    assert desk.last["dialogs"] == [told | {"foreseen": done == 1}]


async def test_an_unforeseen_confirm_is_dismissed_and_reported(desk: Desk) -> None:
    await desk.run(click("Delete Jas"))
    assert desk.site.count("POST /deleted") == 0
    told = {"type": "confirm", "message": "Delete Jas?", "accepted": False, "foreseen": False}
    assert desk.last["dialogs"] == [told]


async def test_a_prompt_gets_the_text_that_was_decided(desk: Desk) -> None:
    await desk.run(click("Rename", {"accept": True, "text": "Bo"}))
    assert desk.site.heard[-1] == "POST /renamed Bo"
    assert desk.last["dialogs"][0]["text"] == "Bo"


async def test_an_unforeseen_prompt_is_cancelled(desk: Desk) -> None:
    await desk.run(click("Rename"))
    assert desk.site.count("POST /renamed") == 0


async def test_an_alert_does_not_stop_the_page_and_is_reported(desk: Desk) -> None:
    await desk.run(click("Save"))
    assert desk.site.count("POST /after") == 1
    assert desk.last["dialogs"][0]["message"] == "Could not be saved"


async def test_a_dialog_that_comes_while_the_page_settles_is_answered_too(desk: Desk) -> None:
    await desk.run(click("Later", {"accept": True}))
    assert desk.site.count("POST /later") == 1
    assert [told["message"] for told in desk.last["dialogs"]] == ["Really?"]


async def test_a_dialog_of_a_document_that_goes_away_is_reported(desk: Desk) -> None:
    desk.site.pages["gone"] = "<h1>Gone</h1>"
    await desk.run(click("Go", {"accept": True}))
    assert desk.site.count("GET /gone") == 1
    assert desk.last["dialogs"][0]["message"] == "Leave?"
    assert desk.last["lastActionStatus"] == "success"


async def test_a_frame_asks_through_its_parent(desk: Desk) -> None:
    desk.site.pages["inner"] = INNER
    await desk.tab.reload()
    await desk.run(click("Inside", {"accept": True}))
    assert desk.site.count("POST /inside") == 1
    assert desk.last["dialogs"][0]["message"] == "From inside?"


async def test_afterwards_the_page_has_its_own_functions_again(desk: Desk) -> None:
    mine = "[alert, confirm, prompt, print, open].map((f) => /native code/.test(f))"
    await desk.run(click("Save"))
    assert await desk.tab.evaluate(mine) == [True] * 5
    seen: list[str] = []

    async def answer(dialog: Dialog) -> None:
        seen.append(dialog.message)
        await dialog.dismiss()

    desk.tab.once("dialog", answer)
    await desk.tab.get_by_text("Delete Jas").click()
    assert seen == ["Delete Jas?"]


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
