"""What is tried after a failure, in which order, and when it ends."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.directive import Candidate
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.errors import MaxConsecutiveFailures, MaxRetriesExceeded
from app.recovery.failed_case import (
    count_attempts,
    count_failures_in_a_row,
    describe_attempts,
    find_limit_error,
)
from app.recovery.proposals import propose_correction
from tests.unit.verification.looks import FORM, form, having, n, page, toast

EXPORT = ("btn", "Export", "toolbar: Top")


def record(act, status="failure", signature=EXPORT, **more):
    return ActionRecord(
        action=act,
        description=more.pop("description", act.text),
        status=status,
        signature=signature,
        **more,
    )


def ask(look, *records, reason="nothing happened", alternatives=(), plan=None):
    plan = plan or Plan(steps=(PlanStep(id="1", description="x"),))
    return propose_correction(
        Situation(goal="", page=look, plan=plan, records=records), reason, alternatives=alternatives
    )


def texts(refinement):
    return [p.action.text for p in refinement.proposals]


def export(id="5", **more):
    return n(id, "btn", "Export", group="toolbar: Top", center=(100.0, 100.0), **more)


CLICK = action("click", "5")
WAITED = record(action("wait", 1000), "success", purpose="correct")
AGAIN = record(CLICK, purpose="correct")


def test_first_it_waits_and_tries_once_more():
    found = ask(page(export()), record(CLICK))
    assert texts(found) == ["wait(1000)", 'click("5")']
    assert found.completes_step
    assert all(p.purpose == "correct" for p in found.proposals)


def test_a_click_that_left_no_trace_is_waited_for_before_it_is_repeated():
    unknown = record(CLICK, "unknown")
    assert texts(ask(page(export()), unknown)) == ["wait(1000)"]
    found = ask(page(export()), unknown, WAITED)
    assert texts(found) == ['click("5")']
    assert found.strategy == "retry"


def test_a_control_with_a_new_id_is_found_again():
    found = ask(page(export("8")), record(CLICK), WAITED)
    assert texts(found) == ['click("8")']


def test_a_control_out_of_view_is_scrolled_to():
    low = n("5", "btn", "Export", group="toolbar: Top", center=(100.0, 1900.0))
    found = ask(page(low), record(CLICK), WAITED)
    assert texts(found) == ['scroll("page", "down")', 'click("5")']


@pytest.mark.parametrize("name", ["Close", "Reject all", "Nur notwendige", "Plus tard", "Ahora no"])
def test_what_covers_the_control_is_dismissed(name):
    front = (
        n("70", "btn", "Accept all", group="dialog: Cookies"),
        n("71", "btn", name, group="dialog: Cookies"),
    )
    found = ask(page(export(occluded=True), *front), record(CLICK), WAITED)
    assert texts(found) == ['click("71")']
    assert not found.completes_step


def test_a_dialog_without_a_close_button_gets_escape():
    front = n("70", "btn", "Delete everything", group="dialog: Offer")
    found = ask(page(export(occluded=True), front), record(CLICK), WAITED)
    assert texts(found) == ['pressKey("Escape")']


def test_the_dialog_the_action_works_in_is_not_dismissed():
    inside = ("btn", "Details", "dialog: Edit")
    look = page(
        n("5", "btn", "Details", group="dialog: Edit", center=(1.0, 1.0)),
        n("6", "btn", "Close", group="dialog: Edit"),
    )
    found = ask(look, record(CLICK, signature=inside), WAITED)
    assert 'click("6")' not in texts(found)


def test_another_candidate_is_tried_but_never_a_risky_one():
    look = page(export(), n("6", "btn", "Delete export"), n("7", "btn", "Export list"))
    offers = tuple(Candidate(id=i, role="btn", name="", score=0.6) for i in ("5", "6", "7"))
    found = ask(look, record(CLICK), WAITED, alternatives=offers)
    assert texts(found) == ['click("7")']


def test_nothing_is_tried_twice_and_the_end_says_what_was_tried():
    records = [record(CLICK, description="Click Export")]
    look, seen = page(export()), []
    for _ in range(10):
        found = ask(look, *records)
        if found.outcome != "act":
            break
        seen.append(tuple(texts(found)))
        records += [
            record(p.action, "success" if p.action.name == "wait" else "failure", purpose="correct")
            for p in found.proposals
        ]
    assert found.outcome == "missing"
    assert len(seen) == len(set(seen)) <= 3
    assert "Click Export" in found.reason


SAVE = ("btn", "Save", FORM)
CLICK_SAVE = action("click", "14")


def test_an_unknown_submit_is_waited_for_and_never_repeated():
    filled, records = (
        form("Jas"),
        [record(CLICK_SAVE, "unknown", SAVE, description="Save the patient")],
    )
    for pause in (1000, 3000, 8000):
        found = ask(filled, *records)
        assert texts(found) == [f"wait({pause})"]
        assert not found.completes_step
        records.append(record(action("wait", pause), "success", purpose="correct"))
    found = ask(filled, *records)
    assert found.outcome == "missing"
    assert "cannot be told" in found.reason
    assert "Save the patient" in found.reason


def test_a_refused_submit_names_the_field():
    look = having(form("Jas"), toast("Date of birth is required", kind="alert"))
    told = "The page says: 'Date of birth is required'"
    found = ask(look, record(CLICK_SAVE, "failure", SAVE), reason=told)
    assert found.outcome == "missing"
    assert "Date of birth is required" in found.reason


def test_a_submit_that_never_began_is_taken_again_under_its_new_id():
    look = page(n("10", "inp", "Name", value="Jas", group=FORM), n("44", "btn", "Save", group=FORM))
    found = ask(
        look,
        record(CLICK_SAVE, "failure", SAVE, error="ELEMENT_NOT_FOUND"),
        WAITED,
        reason="element not found",
    )
    assert texts(found) == ['click("44")']


def test_words_that_say_it_never_began_are_no_proof_of_it():
    """A reason may be the page's, or a model's who read the page."""
    look = page(n("10", "inp", "Name", value="Jas", group=FORM), n("44", "btn", "Save", group=FORM))
    told = "The element is not there: not interactable, covered, gone"
    found = ask(look, record(CLICK_SAVE, "failure", SAVE, note=told), WAITED, reason=told)
    assert found.outcome == "missing"


def test_a_failed_risky_click_without_a_reason_is_not_repeated():
    look = page(n("5", "btn", "Delete", center=(1.0, 1.0)))
    found = ask(look, record(CLICK, "unknown", ("btn", "Delete", "")))
    assert texts(found) == ["wait(1000)"]


def test_a_step_without_anything_done_waits_then_looks_further_down():
    assert texts(ask(page(), reason="no such button")) == ["wait(1000)"]
    assert texts(ask(page(), WAITED, reason="no such button")) == ['scroll("page", "down")']
    scrolled = record(action("scroll", "page", "down"), "success", purpose="correct")
    end = ask(page(), WAITED, scrolled, reason="no such button")
    assert end.outcome == "missing"
    assert end.reason.startswith("no such button")


def test_the_limits():
    three = (record(CLICK), *([AGAIN] * 3))
    assert count_attempts(three, 0) == 3
    assert isinstance(find_limit_error(three, 0), MaxRetriesExceeded)
    five = tuple(record(CLICK, step=i) for i in range(5))
    assert count_failures_in_a_row(five) == 5
    assert isinstance(find_limit_error(five, 4), MaxConsecutiveFailures)
    assert find_limit_error((*five[:4], record(CLICK, "success")), 0) is None


def test_a_wait_and_the_retry_after_it_are_one_try():
    assert count_attempts((record(CLICK), WAITED, AGAIN), 0) == 1


def test_what_was_tried_is_told_in_words():
    told = describe_attempts(
        (record(CLICK, description="Click Export", note="nothing happened"), WAITED)
    )
    assert told == "Tried: Click Export (failed: nothing happened); wait(1000) (done)."
    assert describe_attempts(()) == ""
