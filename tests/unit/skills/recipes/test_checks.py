"""The last step's own check: a page that answers otherwise does not complete the task."""

import pytest

from app.domain.verdict import Verdict
from app.skills import check_ending, plan_recipe
from tests.unit.skills.recipes.made import SITE, node, page, recipe

SURE = Verdict(succeeded=True, task_completed=True, confidence=0.9, reason="The dialog closed")


def last():
    plan = plan_recipe(recipe(), f"{SITE}/patients/new", {"name": "A", "phone": "1"})
    return plan.model_copy(update={"current": len(plan.steps) - 1})


@pytest.mark.parametrize(
    ("seen", "completed"),
    [
        (page(path="/"), True),
        (page(path="/patients/new", successes=("Patient created",)), True),
        (page(node(1, "txt", "Patient was saved"), path="/patients/new"), True),
        (page(path="/patients/new"), False),
        (page(path="/error", successes=("Hello",)), False),
    ],
)
def test_one_of_its_signs_is_enough_and_none_is_not(seen, completed):
    found = check_ending(SURE, last(), seen)
    assert found.task_completed is completed
    assert found.goal_achieved is completed


def test_other_plans_and_earlier_steps_are_left_as_they_are():
    plan = last()
    assert check_ending(SURE, plan.model_copy(update={"current": 0}), page(path="/x")) == SURE
    bare = plan.model_copy(
        update={"steps": tuple(s.model_copy(update={"recorded": None}) for s in plan.steps)}
    )
    assert check_ending(SURE, bare, page(path="/x")) == SURE
