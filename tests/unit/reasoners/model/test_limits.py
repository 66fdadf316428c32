"""Plans that a model proposed: what is put right, and what is refused."""

import pytest

from app.domain.plan import Contingency, Plan, PlanStep, SubTask
from app.reasoners.model.limits import (
    MOST_ASIDE,
    MOST_CONTINGENCIES,
    MOST_STEPS,
    MOST_SUBTASKS,
    find_plan_flaw,
    tidy_plan,
)


def step(number, words=None, *, after=(), shows=""):
    return PlanStep(
        id=str(number), description=words or f"Do {number}", depends_on=after, expected=shows
    )


def part(number, *, needs=(), gives=()):
    return SubTask(id=str(number), goal=f"Part {number}", inputs=needs, outputs=gives)


def order(*steps):
    return [one.id for one in tidy_plan(Plan(steps=steps)).steps]


def test_two_hundred_steps_are_refused_and_the_model_is_told_the_limit():
    why = find_plan_flaw(Plan(steps=tuple(step(n) for n in range(200))))
    assert "200" in why
    assert str(MOST_STEPS) in why


@pytest.mark.parametrize("count", [1, MOST_STEPS])
def test_a_plan_within_its_limits_is_taken(count):
    assert find_plan_flaw(Plan(steps=tuple(step(n) for n in range(count)))) is None


def test_too_many_sub_tasks_and_values_named_twice_are_refused():
    many = tuple(part(n) for n in range(MOST_SUBTASKS + 1))
    assert str(MOST_SUBTASKS) in find_plan_flaw(Plan(subtasks=many))
    twice = (part(1, gives=("total",)), part(2, gives=("total",)))
    assert "'total'" in find_plan_flaw(Plan(subtasks=twice))


def test_steps_come_after_what_they_depend_on_and_otherwise_as_they_were():
    assert order(step(1, after=("3",)), step(2), step(3)) == ["2", "3", "1"]
    assert order(step(1), step(2), step(3)) == ["1", "2", "3"]


def test_dependencies_on_nothing_on_itself_and_in_circles_are_dropped():
    circle = Plan(steps=(step(1, after=("2", "9")), step(2, after=("1", "2")), step(3)))
    made = tidy_plan(circle).steps
    assert [one.id for one in made] == ["3", "1", "2"]
    assert [one.depends_on for one in made] == [(), (), ("1",)]


def test_only_the_first_step_is_current():
    assert [one.status for one in tidy_plan(Plan(steps=(step(1), step(2)))).steps] == [
        "current",
        "pending",
    ]


def test_two_steps_of_one_id_get_one_each():
    assert len(set(order(step(1, "Open it"), step(1, "Close it"), step(2, "Look")))) == 3


def test_contingencies_are_few_short_and_say_when_and_what():
    many = [Contingency(trigger=f"banner {n}", steps=("a", "b", " ", "c", "d")) for n in range(9)]
    made = tidy_plan(
        Plan(contingencies=(Contingency(trigger=" ", steps=("a",)), *many))
    ).contingencies
    assert len(made) == MOST_CONTINGENCIES
    assert [one.trigger for one in made[:2]] == ["banner 0", "banner 1"]
    assert made[0].steps == ("a", "b", "c")[:MOST_ASIDE]


def test_a_sub_task_needs_only_what_an_earlier_one_gives():
    parts = (
        part(7, needs=("late",), gives=("total",)),
        part(7, needs=("total", "total"), gives=("late",)),
    )
    made = tidy_plan(Plan(subtasks=parts)).subtasks
    assert [(one.id, one.inputs) for one in made] == [("1", ()), ("2", ("total",))]


def test_a_single_sub_task_is_the_goal_itself():
    assert tidy_plan(Plan(subtasks=(part(1),))).subtasks == ()
