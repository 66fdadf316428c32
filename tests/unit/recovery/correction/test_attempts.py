"""How tries are numbered, and what a correction is called."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.chain_outcome import SECOND_LOOK
from app.recovery.failed_case import FailedCase, count_attempts, find_limit_error, make_correction

CLICK, WAIT = action("click", "5"), action("wait", 1_000)
FAILED = ActionRecord(action=CLICK, status="failure")


def tried(act, strategy, status="unknown"):
    return ActionRecord(action=act, status=status, purpose="correct", strategy=strategy)


WAITED = tried(WAIT, "wait", "success")
BOTH = (tried(WAIT, "wait and retry", "success"), tried(CLICK, "wait and retry"))


@pytest.mark.parametrize(
    ("records", "number"),
    [
        ((), 0),
        ((tried(WAIT, SECOND_LOOK, "success"),), 0),
        ((WAITED,), 0),
        ((WAITED, tried(CLICK, "retry")), 1),
        (BOTH, 1),
        ((*BOTH, tried(CLICK, "re-find"), tried(CLICK, "alternative element")), 3),
    ],
)
def test_a_wait_belongs_to_the_try_that_it_prepares(records, number):
    assert count_attempts((FAILED, *records), 0) == number


@pytest.mark.parametrize(
    ("found", "strategy"),
    [
        (Decision(outcome="missing", reason="nothing is left"), None),
        (Decision(outcome="act", strategy=SECOND_LOOK, source="strategy"), None),
        (Decision(outcome="act", strategy="re-find", source="strategy"), "re-find"),
    ],
)
def test_giving_up_is_no_correction(found, strategy):
    page = Observation(url="https://a.example/", tree=Tree())
    plan = Plan(steps=(PlanStep(id="1", description="x"),))
    told = make_correction(found, Situation(goal="", page=page, plan=plan, records=(FAILED,)))
    assert (told.strategy if told else None) == strategy


@pytest.mark.parametrize(
    ("role", "name", "is_it"),
    [
        ("btn", "Export", True),
        ("btn", "Export again", True),
        ("btn", "Delete all", False),
        ("inp", "Export", False),
    ],
)
def test_an_id_that_now_is_another_controls_is_not_acted_on(role, name, is_it):
    failed = ActionRecord(action=CLICK, status="failure", signature=("btn", "Export", ""))
    tree = Tree((Node(id="5", role=role, name=name),))
    case = FailedCase(record=failed, page=Observation(url="", tree=tree), attempts=(failed,))
    assert (case.node is not None) is is_it


def test_the_wait_before_the_third_try_does_not_take_it():
    two = (
        FAILED,
        WAITED,
        tried(CLICK, "retry"),
        WAITED,
        tried(action("pressKey", "Enter"), "keyboard"),
    )
    assert find_limit_error((*two, WAITED), 0) is None
    third = tried(action("clickAt", 1, 1), "click at centre")
    assert find_limit_error((*two, WAITED, third), 0) is not None
