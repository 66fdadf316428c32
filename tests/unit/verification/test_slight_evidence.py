"""Effects that are small but plain, and pages that are only at work."""

import pytest

from app.domain.action import ActionRecord, ClientReport, action
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.proposals import propose_correction
from tests.unit.verification.looks import judge, n, page, saw

PLUS = n("31", "btn", "+")
MINUS = n("32", "btn", "-")


def counter(number: int, *more, text: str = "Guests {}"):
    return page(PLUS, MINUS, *more, summary=text.format(number))


@pytest.mark.parametrize(
    ("control", "after", "completed"),
    [("31", 3, True), ("31", 1, False), ("31", 9, False), ("32", 1, True), ("32", 3, False)],
)
def test_a_counter_that_goes_one_on_the_way_its_control_says_is_evidence(control, after, completed):
    verdict = judge(counter(2), counter(after), action("click", control))
    assert verdict.goal_achieved is completed


def test_a_count_in_brackets_is_one_too():
    add = n("31", "btn", "Add to cart", group="section: Lamp")
    before, after = page(add, summary="Cart (0)"), page(add, summary="Cart (1)")
    assert judge(before, after, action("click", "31")).goal_achieved


def test_a_page_that_only_says_it_is_at_work_has_not_done_it_yet():
    verdict = judge(
        page(n("31", "btn", "Load data"), summary="Data"),
        page(n("31", "btn", "Load data"), summary="Data\nLoading…"),
        action("click", "31"),
    )
    assert verdict.succeeded is None
    assert verdict.reason.startswith("Still going on")


def test_what_goes_on_is_waited_for_and_not_clicked_again():
    look = page(n("31", "btn", "Load data", center=(10.0, 10.0)), summary="Loading…")
    record = ActionRecord(
        action=action("click", "31"),
        status="unknown",
        signature=("btn", "Load data", ""),
        description="x",
    )
    plan, reason = Plan(steps=(PlanStep(id="1", description="x"),)), "Still going on: Loading…"
    pause = ActionRecord(action=action("wait", 1), status="success", purpose="correct")
    for waits, outcome in ((0, "act"), (1, "act"), (2, "act"), (3, "missing")):
        records = (record, *(pause.model_copy() for _ in range(waits)))
        made = propose_correction(Situation(goal="", page=look, plan=plan, records=records), reason)
        assert made.outcome == outcome
        assert {proposal.action.name for proposal in made.proposals} <= {"wait"}


def test_the_cursor_sent_to_another_field_is_an_effect():
    reply = n("31", "link", "Reply")
    before = page(reply, n("40", "inp", "Comment"))
    after = page(reply, n("40", "inp", "Comment", "focused"))
    assert judge(before, after, action("click", "31")).goal_achieved


def test_a_button_of_a_card_without_fields_hands_nothing_in():
    def card(name: str):
        return n(name, "btn", "Add to cart", group=f"section: {name}")

    box = n("5", "chk", "Clothing")
    before = page(box, card("Lamp"), card("Sock"), summary="Nothing chosen")
    after = page(box, card("Lamp"), card("Sock"), summary="Lamp chosen")
    assert judge(before, after, action("click", "Lamp")).succeeded is True


@pytest.mark.parametrize(
    ("after", "succeeded"),
    [(page(PLUS, summary="One"), False), (page(PLUS, summary="Two"), True)],
)
def test_a_click_that_nothing_answered_did_not_work_unless_the_page_shows_it(after, succeeded):
    silent = ClientReport(unanswered=True)
    before = page(PLUS, summary="One")
    assert judge(before, before, action("click", "31")).succeeded is None
    assert judge(before, after, action("click", "31"), report=silent).succeeded is succeeded


@pytest.mark.parametrize(
    ("said", "network", "completed"),
    [
        ("Jas Ndiaye was checked in", True, True),
        ("Jas Ndiaye was checked in", False, False),
        ("Ann Lee was checked in", True, False),
        ("Jason Ndiayes is here", True, False),
    ],
)
def test_an_answer_that_came_late_is_one_where_it_names_the_record_after_a_request(
    said, network, completed
):
    row = n("31", "btn", "Check in", group="row: Jas Ndiaye")
    others = (n("32", "btn", "Check in", group="row: Ann Lee"), n("90", "txt", said, "status"))
    before = page(row, others[0], summary="Patients")
    after = saw(page(row, *others, summary=f"Patients\n{said}"), network=network, mutated=True)
    found = judge(before, after, action("click", "31"), report=ClientReport(unanswered=True))
    assert found.goal_achieved is completed


def test_an_old_complaint_drawn_anew_is_no_effect():
    store = n("31", "btn", "Store")
    said = "'type' is required"
    before = page(store, n("90", "txt", said, "alert"), summary=said, errors=(said,))
    after = page(store, n("91", "txt", said, "alert"), summary=f"Type\n{said}", errors=(said,))
    verdict = judge(before, after, action("click", "31"))
    assert not verdict.succeeded
    assert not verdict.goal_achieved


def test_words_that_are_not_known_beside_a_form_that_keeps_its_values_prove_nothing():
    form = (n("11", "inp", "Last day", value="2026-05-01", group="form"),)
    ask = n("31", "btn", "Request leave", group="form")
    told = n("90", "txt", "Last day is before the first day", "status")
    verdict = judge(page(ask, *form), page(ask, *form, told), action("click", "31"))
    assert verdict.succeeded is None
