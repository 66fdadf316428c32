"""The ways in which a save fails silently, and success that is not what it seems: none is completed."""

from dataclasses import replace

import pytest

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.page import ClientObservations, ObservedDialog
from app.verification import verify
from app.verification.evidence import EnteredValue, TaskHistory
from tests.unit.verification.looks import (
    CLICK_SAVE,
    FORM,
    SET_NAME,
    alter,
    form,
    having,
    judge,
    n,
    page,
    saw,
    toast,
)

FILLED = form("Jas Patel")
TABLE = "Patients\n# Patients\nName | Date of birth\nAnn Lee | 1980-01-05\nBo Chen | 1971-03-02"
MORE = [n(str(i), "chk", f"Row {i}") for i in range(40, 46)]
LISTED = having(FILLED, summary=TABLE)
NAME = next(one.signature for one in FILLED.tree if one.name == "Name")
TYPED = TaskHistory(entered=(EnteredValue(signature=NAME, value="Jas Patel"),))

FAILED_SILENTLY = {
    "nothing but the page's own ticker": saw(having(FILLED, n("70", "link", "Offer 7")), mutated=False),
    "an empty page": page(),
    "an error page in Polish": page(n("1", "link", "Wróć"), title="Wystąpił błąd"),
    "a server's bare answer": page(summary='{"error": "Internal Server Error"}'),
    "an error page in words that are not known": page(n("1", "link", "Vissza"), summary="Baj van"),
    "a refusal in words that are not known": having(
        FILLED, toast("A 'Jas Patel' foglalt", kind="alert"), summary="A 'Jas Patel' foglalt"
    ),
    "a sign-in without a password": page(
        n("5", "inp", "E-mail"), n("6", "btn", "Zaloguj się"), url="https://app.example.org/login"
    ),
    "a list that does not hold it": having(LISTED, toast("Saved")),
    "a success with an error": having(FILLED, toast("Saved"), errors=("Sync failed",)),
    "a form that no script takes": page(
        *form().tree, url="https://app.example.org/patients?name=Jas+Patel"
    ),
    "the fields are empty again": form(),
    "a question in front of it": having(
        replace(FILLED, tree=FILLED.tree), n("80", "btn", "Igen", group="dialog: Biztos?")
    ),
    "an alert in words that are not known": replace(
        FILLED, dialogs=(ObservedDialog(kind="alert", message="Hiányzik valami", accepted=True),)
    ),
    "still to be answered": replace(
        page(n("1", "link", "Patients", group="nav: Main"), n("30", "row", "Jas Patel")),
        client=ClientObservations(network=True, mutated=True, pending=True),
    ),
}  # fmt: skip


@pytest.mark.parametrize("after", FAILED_SILENTLY.values(), ids=FAILED_SILENTLY.keys())
def test_a_save_that_failed_is_never_completed(after):
    before = LISTED if after.summary == TABLE else FILLED
    verdict = judge(before, after, CLICK_SAVE, history=TYPED)
    assert not verdict.task_completed, verdict
    assert not verdict.succeeded, verdict


def test_a_list_with_pages_may_hold_it_elsewhere():
    after = having(LISTED, toast("Saved"), n("60", "btn", "Next page"))
    verdict = judge(LISTED, after, CLICK_SAVE, history=TYPED)
    assert verdict.goal_achieved
    assert verdict.confidence < 0.8


def test_what_the_form_held_already_need_not_be_listed():
    verdict = judge(LISTED, having(LISTED, toast("Saved")), CLICK_SAVE)
    assert verdict.goal_achieved
    assert "does not show" not in verdict.reason


def test_a_list_that_holds_it_bears_the_message_out():
    after = replace(having(LISTED, toast("Saved")), summary=f"{TABLE}\nJas Patel | 1990-01-05")
    assert judge(LISTED, after, CLICK_SAVE).confidence > 0.9


def test_the_same_toast_again_is_news_when_the_client_heard_it():
    before = replace(FILLED, successes=("Saved",))
    assert judge(before, replace(FILLED, successes=("Saved",)), CLICK_SAVE).goal_achieved
    assert judge(before, FILLED, CLICK_SAVE).succeeded is None


def test_a_message_that_came_before_the_action_counts_for_nothing():
    late = saw(having(FILLED, toast("Saved")), mutated=False, network=True)
    assert not judge(FILLED, late, CLICK_SAVE).succeeded


def test_a_switch_that_is_refused_where_it_is_saved_at_once_completes_nothing():
    before = page(n("1", "chk", "Newsletter"))
    after = having(
        alter(before, "1", states=frozenset({"checked"})), toast("Not saved", kind="alert")
    )
    verdict = judge(before, after, action("setChecked", "1", True))
    assert verdict.succeeded
    assert not verdict.task_completed


@pytest.mark.parametrize("mutated", [False, None])
def test_a_lost_click_on_a_restless_page_is_not_taken_for_one_that_worked(mutated):
    client = ClientObservations(mutated=mutated, restless=mutated is None, network=False)
    before = page(n("1", "btn", "Open"), n("2", "link", "Offer 1"), summary="News of Bo")
    after = page(
        n("1", "btn", "Open"), n("2", "link", "Offer of Ann"), summary="News of Ann", client=client
    )
    assert judge(before, after, action("click", "1")).succeeded is None
    shown = having(after, n("9", "btn", "OK", group="dialog: Welcome"))
    assert judge(before, shown, action("click", "1")).goal_achieved


def test_another_tab_of_the_same_address_decides_nothing():
    before = page(*MORE, title="Patients")
    other = page(*[n(f"x{i}", "link", f"Other {i}") for i in range(6)], title="Mail")
    assert judge(before, saw(other, mutated=False), action("click", "40")).succeeded is None


@pytest.mark.parametrize(
    ("done", "can_fail", "succeeded"),
    [(0, (1,), False), (1, (), False), (1, (2,), True), (None, (), False)],
)
def test_a_chain_that_stopped_before_its_end_did_not_work(done, can_fail, succeeded):
    acts = (SET_NAME, action("setChecked", "13", True), CLICK_SAVE)
    chain = Chain(
        actions=tuple(
            PlannedAction(action_id=str(i), action=a, description=a.text, can_fail=i in can_fail)
            for i, a in enumerate(acts)
        )
    )
    after = alter(FILLED, "13", states=frozenset({"checked"}))
    report = ClientReport(status="failure", error_code="ELEMENT_NOT_FOUND", executed_index=done)
    verdict = verify(form(), after, chain, report, last_step=True, completes_step=True)
    assert verdict.succeeded is succeeded


def test_at_most_eight_lines_are_told_and_what_stopped_the_chain_comes_first():
    boxes = [n(f"b{i}", "chk", f"Box {i}", group=FORM) for i in range(20)]
    before = having(form(), *boxes)
    after = having(form("Jas Patel"), *[replace(b, states=frozenset({"checked"})) for b in boxes])
    report = ClientReport(status="failure", error_code="ELEMENT_NOT_FOUND", executed_index=0)
    told = judge(before, after, SET_NAME, CLICK_SAVE, report=report).observations
    assert len(told) <= 8
    assert told[0].startswith("1 of 2 actions were done")
