"""Plans that a model proposed: what is put right, and what is refused."""

import pytest

from app.errors import InvalidAction
from app.reasoners.model.limits import MOST_CONTINGENCIES, MOST_STEPS, MOST_SUBTASKS
from app.reasoners.model.plans import parse_analysis
from app.reasoners.model.reply_schemas import Opening
from app.reasoners.model.writer import Veil
from tests.unit.reasoners.model.scripted import opening
from tests.unit.reasoners.world import at


def plan_of(*, steps=1, **more):
    listed = [{"text": f"Do {number}"} for number in range(steps)]
    reply = Opening.model_validate(opening(steps=listed, ends=False, **more))
    return parse_analysis(reply, at("Order what is missing", planned=False), Veil()).plan


def part(number, *, needs="", gives=""):
    return {"goal": f"Part {number}", "needs": needs, "gives": gives}


def test_two_hundred_steps_are_refused_and_the_model_is_told_the_limit():
    with pytest.raises(InvalidAction, match=f"200 steps; give at most {MOST_STEPS}"):
        plan_of(steps=200)


@pytest.mark.parametrize("count", [1, MOST_STEPS])
def test_a_plan_within_its_limits_is_taken(count):
    statuses = [one.status for one in plan_of(steps=count).steps]
    assert statuses == ["current", *["pending"] * (count - 1)]


def test_too_many_sub_tasks_and_values_named_twice_are_refused():
    with pytest.raises(InvalidAction, match=str(MOST_SUBTASKS)):
        plan_of(parts=[part(number) for number in range(MOST_SUBTASKS + 1)])
    with pytest.raises(InvalidAction, match="'total'"):
        plan_of(parts=[part(1, gives="total"), part(2, gives="total")])


def test_contingencies_are_few_and_say_when_and_what():
    made = plan_of(ifs=[" : a", "nothing", *(f"banner {number}: close it" for number in range(9))])
    triggers = [one.trigger for one in made.contingencies]
    assert triggers == [f"banner {number}" for number in range(MOST_CONTINGENCIES)]
    assert made.contingencies[0].steps == ("close it",)


def test_a_sub_task_needs_only_what_an_earlier_one_gives():
    made = plan_of(
        parts=[
            part(1, needs="late", gives="total"),
            {"goal": " "},
            part(2, needs="total, total", gives="late"),
        ]
    )
    assert [(one.id, one.inputs) for one in made.subtasks] == [("1", ()), ("2", ("total",))]


def test_a_single_sub_task_is_the_goal_itself():
    assert plan_of(parts=[part(1)]).subtasks == ()
