"""Which plans are to be agreed to before they are begun, and which are asked about later or not at all."""

import pytest

from app.domain.action import action
from app.domain.analysis import Analysis
from app.domain.background import Answered, Background
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep, Proposal, Refinement
from app.domain.policy import Approvals, Policy
from app.engines.gates.planner import clarification, confirmation, rest_of, restated, was_refused
from app.engines.reasoner import Situation

PAGE = Observation(
    url="https://crm.example/",
    tree=Tree.of((Node(id="1", role="btn", name="Delete"), Node(id="2", role="btn", name="Next"))),
)
RISKY = Policy(tenant="one")
HIGH = Analysis(risk_level="high")


def plan(*lines, maker="model"):
    steps = tuple(PlanStep(id=str(at), description=line) for at, line in enumerate(lines, 1))
    return Plan(steps=steps, maker=maker)


def at(**known):
    return Situation(goal="Tidy up", page=PAGE, background=Background(**known))


def clicking(node_id):
    made = (Proposal(action=action("click", node_id), description="Click"),)
    return HIGH.model_copy(update={"first": Refinement(outcome="act", proposals=made)})


def test_a_plan_of_high_risk_shows_its_steps():
    asked = confirmation(HIGH, plan("Go <b>on</b>", "Press Next"), at(), RISKY)
    assert (asked.kind, asked.source, asked.return_to) == (
        "approval", "planner", "step_refinement/continue",
    )  # fmt: skip
    assert asked.fields == ("Go on", "Press Next")
    assert asked.approval.description == "1. Go on\n2. Press Next"
    assert (asked.approval.element, asked.approval.site) == (None, "crm.example")


@pytest.mark.parametrize(
    ("analysis", "made", "policy"),
    [
        (Analysis(), plan("Press Next"), RISKY),
        (Analysis(risk_level="medium"), plan("Press Next"), RISKY),
        (HIGH, plan("Press Next", maker="rules"), RISKY),
        (HIGH, plan("Delete the old number"), RISKY),  # asked about at the very control
        (clicking("1"), plan("Tidy up"), RISKY),
        (HIGH, plan("Press Next"), Policy(tenant="one", approvals=Approvals(mode="always"))),
        (HIGH, plan("Press Next"), Policy(tenant="one", approvals=Approvals(never_for=("*.example",)))),
    ],
)  # fmt: skip
def test_plans_that_nobody_is_asked_about(analysis, made, policy):
    assert confirmation(analysis, made, at(), policy) is None


def test_a_plan_is_asked_about_once():
    made = plan("Press Next")
    asked = confirmation(clicking("2"), made, at(), RISKY)
    assert confirmation(HIGH, made, at(approved=(asked.approval,)), RISKY) is None
    assert was_refused(asked, Background(refused=(asked.approval,)))
    other = confirmation(HIGH, plan("Press Next twice"), at(), RISKY)
    assert not was_refused(other, Background(refused=(asked.approval,)))


def test_a_goal_is_asked_about_twice_at_most():
    unclear = Analysis(missing_fields=("intent_unclear",))
    said = Answered(question="?", text="tidy", about="intent_unclear")
    first, again = clarification(unclear, at()), clarification(unclear, at(answers=(said,)))
    assert "'Tidy up'" in first.text
    assert "for example" in again.text
    assert clarification(unclear, at(answers=(said, said))) is None


def test_rules_that_stand_in_for_a_model_do_not_ask_what_is_meant():
    away = Analysis(missing_fields=("intent_unclear",), notice="The model did not answer")
    assert clarification(away, at()) is None


@pytest.mark.parametrize(
    ("about", "text", "words"),
    [
        ("intent_unclear", "click Save", "click Save"),
        ("unsure", "click Save", "click Save"),
        ("turned", "no, open Home instead", "open Home"),
        ("turned", "Nein, öffne Start stattdessen.", "öffne Start"),
        ("", "Jas", None),
    ],
)
def test_the_goal_as_it_was_put_anew(about, text, words):
    found = restated("asdf", Background(answers=(Answered(question="?", text=text, about=about),)))
    assert (found[0] if found else None) == words


def test_what_an_answer_left_open():
    half = Answered(question="?", text="a", fields=("A", "B", "C"), given={"A": "a"}, left=("C",))
    assert rest_of(Background(answers=(half,))) == ("B",)
    none = Answered(question="?", text="What?", fields=("A", "B"))
    assert rest_of(Background(answers=(none,))) == ()
