"""When a failure soon after a submit is believed, and when a submit may be made again."""

import pytest

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.page.snapshot import pack
from app.recovery import ChainContext
from app.recovery.chain_outcome import NO_TRACE, NOTHING_ANSWERED, SECOND_LOOK
from app.recovery.failed_case import count_attempts, count_failures_in_a_row
from app.recovery.proposals import propose_correction
from tests.unit.recovery.acts import judge_chain
from tests.unit.verification.looks import FORM, alter, form, having, page, saw, toast

SAVE = ("btn", "Save", FORM)
CLICK = action("click", "14")
FILLED = alter(form("Jas"), "11", value="1990-01-05")
PLAN = Plan(steps=(PlanStep(id="1", description="Save"),))
SENT = ActionRecord(
    action=CLICK, action_id="s", description="Press Save", signature=SAVE, url=FILLED.url
)
CHAIN = Chain(actions=(PlannedAction(action_id="s", action=CLICK, description="Press Save"),))
PAUSE = Chain(
    actions=(PlannedAction(action_id="w", action=action("wait", 1000), description="Wait"),)
)
WAITED = ActionRecord(
    action=action("wait", 1000), action_id="w", purpose="correct", strategy=SECOND_LOOK
)
ERROR_PAGE = page(
    url="https://app.example.org/save", title="502 Bad Gateway", summary="502 Bad Gateway"
)
SORRY = "Something went wrong. Please try again."


def first_look(after, **report):
    standing = ChainContext(
        goal="save", instruction=None, plan=PLAN, chain=CHAIN, judged=CHAIN,
        before=pack(FILLED), report=None, records=(SENT,),
    )  # fmt: skip
    return judge_chain(standing, after, ClientReport(**report))


def second_look(first, after):
    standing = ChainContext(
        goal="save", instruction=None, plan=first.plan, chain=PAUSE, judged=CHAIN,
        before=pack(FILLED), report=first.report, records=(*first.records, WAITED),
    )  # fmt: skip
    return judge_chain(standing, after, ClientReport())


def corrected(found, look):
    situation = Situation(goal="save", page=look, plan=found.plan, records=found.records)
    return propose_correction(situation, found.verdict.reason)


PREMATURE = {
    "an error page": ERROR_PAGE,
    "an error that may go": having(FILLED, toast(SORRY, kind="alert"), errors=(SORRY,)),
}


@pytest.mark.parametrize("after", PREMATURE.values(), ids=PREMATURE)
def test_a_failure_that_the_page_does_not_explain_is_looked_at_once_more(after):
    found = first_look(after)
    assert found.verdict.succeeded is None
    assert found.outcome is None
    way = corrected(found, after)
    assert [p.action.text for p in way.proposals] == ["wait(1000)"]
    assert way.strategy == SECOND_LOOK


@pytest.mark.parametrize("after", PREMATURE.values(), ids=PREMATURE)
def test_it_counts_neither_as_a_failure_nor_as_a_try(after):
    found = first_look(after)
    records = (*found.records, WAITED)
    assert count_failures_in_a_row(records) == 0
    assert count_attempts(records, 0) == 0


@pytest.mark.parametrize("after", PREMATURE.values(), ids=PREMATURE)
def test_the_second_look_may_turn_it_into_a_success(after):
    saved = page(successes=("Patient saved",), summary="Jas")
    done = second_look(first_look(after), saved)
    assert done.verdict.succeeded
    assert done.outcome.status == "completed"


@pytest.mark.parametrize("after", PREMATURE.values(), ids=PREMATURE)
def test_else_the_failure_is_believed(after):
    found = second_look(first_look(after), after)
    assert found.verdict.succeeded is False
    assert [d.status for d in found.records if d.action_id == "s"] == ["failure"]


def test_what_the_page_said_at_first_is_not_forgotten_when_the_message_is_gone():
    found = second_look(first_look(PREMATURE["an error that may go"]), FILLED)
    assert found.verdict.succeeded is False
    assert SORRY.rstrip(".") in found.verdict.reason


def test_a_field_that_is_refused_is_believed_at_once():
    marked = alter(FILLED, "11", states=frozenset({"invalid"}))
    assert first_look(marked).verdict.succeeded is False
    named = having(FILLED, toast("Date of birth is not valid", kind="alert"))
    assert first_look(named).verdict.succeeded is False


def test_an_action_that_never_began_is_believed_at_once():
    found = first_look(FILLED, status="failure", error_code="ELEMENT_NOT_FOUND")
    assert found.verdict.succeeded is False


def tried(error, waits, look=FILLED, **more):
    sent = SENT.model_copy(update={"status": "unknown", "error": error} | more)
    pauses = tuple(
        ActionRecord(
            action=action("wait", n), action_id=str(n), purpose="correct", status="success"
        )
        for n in range(waits)
    )
    situation = Situation(goal="save", page=look, plan=PLAN, records=(sent, *pauses))
    return propose_correction(situation, "The page shows no answer")


QUIET = saw(FILLED, network=False, mutated=False)


def test_a_click_that_nothing_answered_is_made_again_after_another_look():
    assert [p.action.name for p in tried(NOTHING_ANSWERED, 0, QUIET).proposals] == ["wait"]
    assert [p.action.text for p in tried(NOTHING_ANSWERED, 1, QUIET).proposals] == ['click("14")']


def test_where_a_request_may_be_on_its_way_unseen_it_gets_as_long_as_a_slow_server():
    for waits in range(3):
        assert [p.action.name for p in tried(NO_TRACE, waits, QUIET).proposals] == ["wait"]
    assert [p.action.text for p in tried(NO_TRACE, 3, QUIET).proposals] == ['click("14")']


@pytest.mark.parametrize(
    ("error", "look"),
    [
        ("", QUIET),
        (NOTHING_ANSWERED, saw(FILLED, network=True)),
        (NO_TRACE, saw(FILLED, network=True)),
    ],
)
def test_what_may_have_been_sent_is_never_sent_again(error, look):
    for waits in range(4):
        names = [p.action.name for p in tried(error, waits, look).proposals]
        assert names in (["wait"], [])
