"""What a verified correction teaches."""

import pytest

from app.domain.action import action
from app.domain.page import MASK, Node
from app.domain.verdict import Verdict
from app.reasoners.commands import parse
from app.skills.lessons import ALTERNATIVE, DISMISS, FILL, extract_lessons
from app.skills.lessons import WAIT as WAITS
from tests.unit.skills.lessons.world import GOAL, PATIENT, SEARCH, WORKED, chain, record

FAILED = record(action("click", "2"), PATIENT, "failure", error="ELEMENT_NOT_INTERACTABLE")
LOST = record(action("click", "2"), PATIENT, "unknown")
WAIT = record(action("wait", 1000), purpose="correct", strategy="wait")
SAVE = Node(id="22", role="btn", name="Save", group="form: New patient")
BIRTHDAY = Node(id="21", role="inp", name="Birthday", group="form: New patient")
CLOSE = Node(id="70", role="btn", name="Close", group="dialog: News")


def taught(*records, last=1, goal=GOAL, verdict=WORKED, **more):
    """What is learned when the last `last` records were the chain that is judged."""
    judged = chain(*records[-last:], **more)
    return extract_lessons(records, judged, verdict, goal=goal, instruction=parse(goal))


def again(node=PATIENT, name="2", **more):
    known = {"action_id": "again", "purpose": "correct"}
    return record(action("click", name), node, **known | more)


def test_another_control_that_did_it():
    (lesson,) = taught(FAILED, record(action("click", "10"), SEARCH, purpose="correct"))
    assert lesson.goal == "Add a new patient with name …"
    assert lesson.failed_state.error_type == "ELEMENT_NOT_INTERACTABLE"
    assert lesson.failed_state.element_description == 'btn "Patient" in nav: Main'
    assert lesson.successful_action.strategy == ALTERNATIVE
    assert lesson.successful_action.element.name == "New/Search"


def test_a_lost_click_teaches_to_wait_as_long_as_it_took():
    more = record(action("wait", 3000), purpose="correct", action_id="more")
    (lesson,) = taught(LOST, WAIT, more, again(strategy="retry"))
    assert lesson.failed_state.error_type == "VERIFICATION_FAILED"
    assert lesson.successful_action.strategy == WAITS
    assert lesson.successful_action.action == "wait(4000)"


def test_a_control_that_was_gone_is_looked_up_after_the_wait():
    gone = FAILED.model_copy(update={"error": "ELEMENT_NOT_FOUND"})
    (lesson,) = taught(gone, again(name="102", strategy="re-find"))
    assert lesson.successful_action.strategy == WAITS


def test_what_closed_the_overlay_is_learned_when_the_click_then_worked():
    closed = record(action("click", "70"), CLOSE, purpose="correct", strategy="dismiss overlay")
    assert taught(FAILED, closed, completes_step=False) == ()
    worked = record(action("click", "2"), PATIENT, action_id="worked")
    (lesson,) = taught(FAILED, closed, worked, purpose="work")
    assert lesson.successful_action.strategy == DISMISS
    assert lesson.successful_action.element.name == "Close"


def test_of_another_press_before_it_worked_nothing_is_learned():
    other = record(action("click", "9"), SEARCH, purpose="correct", strategy="alternative element")
    worked = record(action("click", "2"), PATIENT, action_id="worked")
    assert taught(LOST, WAIT, other, worked, purpose="work") == ()


@pytest.mark.parametrize(
    "between",
    [
        record(action("goBack"), purpose="correct", strategy="go back"),
        record(action("wait", 1000), purpose="correct", strategy="re-plan"),
        record(action("wait", 1000), purpose="correct", strategy="answer the dialog"),
    ],
)
def test_of_another_page_plan_or_answer_nothing_is_learned(between):
    assert taught(FAILED, between, again()) == ()


def test_a_retry_in_vain_before_it_worked_is_no_way_of_its_own():
    (lesson,) = taught(LOST, WAIT, again(action_id="vain", status="unknown"), again())
    assert lesson.successful_action.strategy == WAITS


def test_what_was_missing_in_the_form():
    refused = record(action("click", "22"), SAVE, "failure")
    entered = record(action("setValue", "21", "12 May 1990"), BIRTHDAY, purpose="correct")
    saved = record(action("click", "22"), SAVE, action_id="saved", purpose="correct")
    (lesson,) = taught(refused, entered, saved, last=2)
    assert lesson.successful_action.strategy == FILL
    assert lesson.successful_action.element.name == "Birthday"
    assert "1990" not in lesson.model_dump_json()
    assert MASK in lesson.successful_action.action


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(succeeded=None, confidence=0.9),
        Verdict(succeeded=False, confidence=0.9),
        Verdict(succeeded=True, confidence=0.6),
    ],
)
def test_nothing_is_learned_of_what_is_not_sure_to_have_worked(verdict):
    assert taught(FAILED, again(), verdict=verdict) == ()


def test_nothing_is_learned_without_a_failure_before():
    assert taught(record(action("click", "2"), PATIENT), purpose="work") == ()
    other = record(action("click", "10"), SEARCH, purpose="correct")
    assert taught(FAILED.model_copy(update={"step": 4}), other) == ()
    fine = FAILED.model_copy(update={"status": "success"})
    assert taught(fine, other) == ()


def test_several_actions_of_a_model_are_no_single_remedy():
    some = [
        record(action("click", "10"), SEARCH, purpose="correct"),
        record(action("click", "1"), CLOSE, purpose="correct"),
    ]
    assert taught(FAILED, *some, last=2) == ()


def test_what_a_skill_proposed_is_counted_and_not_learned_again():
    used = record(action("click", "10"), SEARCH, purpose="correct", skill="x")
    assert taught(FAILED, used) == ()


def test_a_control_that_goes_by_the_persons_value_teaches_nothing():
    goal = "Delete patient 'Jas Patel'"
    mine = Node(id="5", role="btn", name="Delete Jas Patel")
    failed = record(action("click", "5"), mine, "failure")
    assert taught(failed, again(mine, "5"), goal=goal) == ()
    row = Node(id="6", role="btn", name="Delete", group="row: Jas Patel")
    (lesson,) = taught(record(action("click", "6"), row, "failure"), again(row, "6"), goal=goal)
    assert "Jas" not in lesson.model_dump_json()


def test_the_time_is_bounded():
    vain = again(action_id="vain", status="unknown")
    (lesson,) = taught(LOST, WAIT, vain, again())
    assert lesson.successful_action.action == "wait(1000)"
    long = record(action("wait", 8000), purpose="correct", action_id="long")
    (lesson,) = taught(LOST, WAIT, long, again())
    assert lesson.successful_action.action == "wait(8000)"
