"""What a person chose is known again, and nothing else is done in its place."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.directive import Candidate, Directive, Target
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Situation
from app.plans import (
    apply_choice,
    choice_question,
    chosen_nodes,
    decide_lost_choice,
    restrict_to_choice,
    with_choice,
)
from app.plans.choice import carry_choices
from app.plans.hierarchy import replace_remaining
from app.reasoners.commands.actions.decisions import act_once

JAS, COHEN, ANN = "row: Jas Patel, 1990", "row: Jas Cohen, 1985", "row: Ann Lee, 1970"
DELETE = PlanStep(
    id="1",
    description="Delete 'Jas'",
    status="current",
    directive=Directive(verb="delete", target=Target(phrase="Jas")),
)
LATER = PlanStep(id="2", description="Click 'Home'", depends_on=("1",))


def row(first: int, group: str) -> tuple[Node, ...]:
    return tuple(
        Node(id=str(first + at), role="btn", name=name, group=group)
        for at, name in enumerate(("Edit", "Delete"))
    )


def page_of(*rows: tuple[Node, ...]) -> Observation:
    return Observation(url="https://crm.example/", tree=Tree(sum(rows, ())))


def ids(page: Observation) -> list[str]:
    return [node.id for node in page.tree]


PAGE = page_of(row(1, JAS), row(11, COHEN), row(21, ANN))
TWINS = page_of(row(1, JAS), row(11, JAS))


def asked(page: Observation, *targets: str):
    shown = tuple(
        Candidate(id=i, role="btn", name="Delete", group=page.tree.by_id[i].group, score=0.9)
        for i in targets
    )
    found = Decision(outcome="ambiguous", candidates=shown, about="Jas")
    return choice_question(found, page, DELETE).model_copy(update={"hitl_id": "h"})


def chosen(page: Observation, *numbers: int, of: tuple[str, ...] = ("2", "12")) -> Plan:
    question = asked(page, *of)
    options = [question.options[number - 1] for number in numbers]
    return with_choice(Plan(steps=(DELETE, LATER)), question, options)


def at(plan: Plan, page: Observation, *records: ActionRecord) -> Situation:
    return Situation(goal="Delete Jas", page=page, plan=plan, records=records)


def test_one_choice_is_held_on_its_step():
    plan = chosen(PAGE, 2)
    assert [step.id for step in plan.steps] == ["1", "2"]
    assert [node.id for node in chosen_nodes(plan, PAGE)] == ["12"]
    assert plan.steps[1].chosen is None


def test_several_are_a_step_each_named_and_in_their_order():
    plan = chosen(PAGE, 1, 2)
    assert [(step.id, step.status) for step in plan.steps] == [
        ("1.1", "current"), ("1.2", "pending"), ("2", "pending"),
    ]  # fmt: skip
    assert [step.description for step in plan.steps[:2]] == [
        "Delete 'Jas': Delete (row: Jas Patel, 1990)", "Delete 'Jas': Delete (row: Jas Cohen, 1985)",
    ]  # fmt: skip
    assert plan.steps[2].depends_on == ("1.2",)
    assert [node.id for node in chosen_nodes(plan, PAGE)] == ["2", "12"]
    assert [node.id for node in chosen_nodes(plan.advanced(), PAGE)] == ["12"]


def test_of_those_that_look_the_same_the_last_comes_first():
    plan = chosen(TWINS, 1, 2)
    assert [node.id for node in chosen_nodes(plan, TWINS)] == ["12", "2"]
    left = page_of(row(51, JAS))
    assert [node.id for node in chosen_nodes(plan.advanced(), left)] == ["52"]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (PAGE, ["12"]),
        (page_of(row(31, ANN), row(41, COHEN), row(51, JAS)), ["42"]),  # drawn anew
        (page_of(row(11, JAS), row(1, COHEN)), ["2"]),  # ids that changed hands
        (page_of(row(1, JAS)), []),
        (page_of(row(1, JAS), row(31, COHEN), row(41, COHEN)), []),  # one more looks like it
    ],
)
def test_it_is_known_by_id_and_looks_or_by_looks_where_as_many_have_them(page, found):
    assert [node.id for node in chosen_nodes(chosen(PAGE, 2), page)] == found


def test_what_was_not_chosen_is_out_of_reach_with_its_whole_record():
    assert ids(restrict_to_choice(at(chosen(PAGE, 2), PAGE)).page) == ["11", "12", "21", "22"]
    assert ids(restrict_to_choice(at(chosen(TWINS, 2), TWINS)).page) == ["1", "11", "12"]
    assert restrict_to_choice(at(Plan(steps=(DELETE,)), PAGE)).page is PAGE


def test_where_it_is_gone_the_others_are_asked_about_or_nothing_is_done():
    plan = chosen(PAGE, 2)
    assert decide_lost_choice(at(plan, PAGE)) is None
    gone = decide_lost_choice(at(plan, page_of(row(1, JAS), row(21, ANN))))
    assert (gone.outcome, "not on the page any more" in gone.reason) == ("missing", True)
    more = page_of(row(1, JAS), row(31, COHEN), row(41, COHEN))
    again = decide_lost_choice(at(plan, more))
    assert again.outcome == "ambiguous"
    assert "changed since you chose" in choice_question(again, more, plan.step).text


def test_once_something_was_done_to_it_it_may_be_gone():
    plan, left = chosen(PAGE, 2), page_of(row(1, JAS))
    done = ActionRecord(
        action=action("click", "12"), signature=("btn", "Delete", COHEN), status="success", step=0
    )
    assert decide_lost_choice(at(plan, left, done)) is None
    assert ids(restrict_to_choice(at(plan, left, done)).page) == [], "and what is left is not meant"
    failed = done.model_copy(update={"status": "failure"})
    assert decide_lost_choice(at(plan, left, failed)).outcome == "missing"


def test_nothing_with_other_words_is_taken_for_it():
    renamed = page_of(row(31, "row: Jas Patel, 1990, active"))
    other = act_once(action("click", "32"), "Press the 'Delete' button")
    assert apply_choice(other, at(chosen(PAGE, 2), renamed)).outcome == "missing"
    assert apply_choice(other, at(Plan(steps=(DELETE,)), renamed)) is other


def test_a_plan_made_anew_keeps_what_was_chosen_for_the_same_words():
    plan = chosen(PAGE, 1, 2).advanced()
    anew = replace_remaining(plan, Plan(steps=(replace_id(DELETE, "9"), LATER)))
    assert [node.id for node in chosen_nodes(anew, PAGE)] == ["12"]
    other = DELETE.model_copy(update={"description": "Delete the patient"})
    assert carry_choices(plan, Plan(steps=(other,))).step.chosen is None


def replace_id(step: PlanStep, step_id: str) -> PlanStep:
    return step.model_copy(update={"id": step_id, "status": "pending"})
