"""What was foreseen: when it is met, and where its steps go."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Contingency, Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.plan_revision import find_contingency, insert_contingency, is_aside

SAVE = Node(id="1", role="btn", name="Save", group="form: Patient")
COVERED = Node(id="1", role="btn", name="Save", group="form: Patient", occluded=True)
STEPS = tuple(PlanStep(id=str(n), description=f"Step {n}") for n in (1, 2, 3))


def at(*nodes, trigger="a cookie banner appears", records=(), used=False, **page):
    foreseen = Contingency(trigger=trigger, steps=("Click Accept", "Wait"), used=used)
    plan = Plan(steps=STEPS, current=1, maker="model", contingencies=(foreseen,))
    seen = Observation(url="https://a.example/", tree=Tree.of(nodes), **page)
    return Situation(goal="g", page=seen, plan=plan, records=records)


def met(situation, *, failed=False):
    return find_contingency(situation, failed=failed) is not None


COOKIES = Node(id="5", role="btn", name="Accept all cookies")
TWICE = ("Duplicate patient found",)
DIALOG = Node(id="6", role="btn", name="Stay", group="dialog: Your session is about to expire")


@pytest.mark.parametrize(
    ("situation", "in_the_way", "after_failure"),
    [
        (at(SAVE), False, False),
        (at(SAVE, COOKIES), False, True),  # it is there, and disturbs nobody yet
        (at(COVERED, COOKIES), True, True),
        (at(SAVE, Node(id="7", role="link", name="Cookie policy", group="nav: Footer")), False, False),
        (at(SAVE, DIALOG, trigger="the session expires"), True, True),
        (at(SAVE, DIALOG, trigger="session expiry warning"), False, False),
        (at(SAVE, DIALOG, trigger="a dialog appears"), False, True),
        (at(SAVE, trigger="a duplicate patient is reported", errors=TWICE), False, True),
        (at(SAVE, trigger="an error says duplicate patient", errors=TWICE), False, True),
        (at(SAVE, trigger="a duplicate invoice is reported", errors=TWICE), False, False),
        (at(SAVE, trigger="an error message appears", errors=TWICE), False, True),
        (at(SAVE, trigger="an error message appears"), False, False),
        (at(SAVE, trigger="a dialog appears", errors=TWICE), False, False),
        (at(SAVE, trigger="the page asks to sign in", summary="# Sign in\nUser"), False, True),
        (at(SAVE, trigger="no results found", summary="Results\nNo results found."), False, True),
        (at(SAVE, trigger="no results found", summary="Results found: 3"), False, False),
        (at(COVERED, COOKIES, used=True), False, False),
    ],
)  # fmt: skip
def test_when_it_is_met(situation, in_the_way, after_failure):
    assert met(situation) is in_the_way
    assert met(situation, failed=True) is after_failure


def test_the_dialog_that_the_work_is_done_in_is_no_disturbance():
    field = Node(id="8", role="inp", name="Session name", group="dialog: New session")
    typed = ActionRecord(
        action=action("setValue", "8", "x"), signature=field.signature, status="success", step=1
    )
    assert met(at(field, trigger="a session dialog appears"))
    assert not met(at(field, trigger="a session dialog appears", records=(typed,)))
    assert not met(at(field, trigger="a dialog appears", records=(typed,)), failed=True)


def test_its_steps_come_before_the_current_one_once_and_the_records_follow_it():
    records = tuple(ActionRecord(action=action("click", "1"), step=n) for n in (-1, 0, 1))
    situation = at(COVERED, COOKIES, records=records)
    plan, kept = insert_contingency(situation, find_contingency(situation, failed=False))
    assert [(s.description, s.status) for s in plan.steps] == [
        ("Step 1", "pending"), ("Click Accept", "current"), ("Wait", "pending"),
        ("Step 2", "pending"), ("Step 3", "pending"),
    ]  # fmt: skip
    assert plan.current == 1
    assert [is_aside(s) for s in plan.steps] == [False, True, True, False, False]
    assert [record.step for record in kept] == [-1, 0, 3]
    again = Situation(goal="g", page=situation.page, plan=plan)
    assert find_contingency(again, failed=True) is None
