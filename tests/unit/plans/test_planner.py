"""What must be clear before a goal is planned, and what an answer leaves open."""

import pytest

from app.approvals.requested_fields import strip_redirection
from app.domain.access import Policy
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Analysis, Plan, PlanStep
from app.domain.reasoner import Background, GivenAnswer, Situation
from app.plans.analysis import find_clarification, remaining_fields

PAGE = Observation(
    url="https://crm.example/",
    tree=Tree.of((Node(id="1", role="btn", name="Delete"), Node(id="2", role="btn", name="Next"))),
)
RISKY = Policy(tenant="one")


def plan(*lines, maker="model"):
    steps = tuple(PlanStep(id=str(at), description=line) for at, line in enumerate(lines, 1))
    return Plan(steps=steps, maker=maker)


def at(**known):
    return Situation(goal="Tidy up", page=PAGE, background=Background(**known))


def test_a_goal_is_asked_about_twice_at_most():
    unclear = Analysis(missing_fields=("intent_unclear",))
    said = GivenAnswer(question="?", text="tidy", about="intent_unclear")
    first, again = (
        find_clarification(unclear, at()),
        find_clarification(unclear, at(answers=(said,))),
    )
    assert "'Tidy up'" in first.text
    assert "for example" in again.text
    assert find_clarification(unclear, at(answers=(said, said))) is None


def test_rules_that_stand_in_for_a_model_do_not_ask_what_is_meant():
    away = Analysis(missing_fields=("intent_unclear",), notice="The model did not answer")
    assert find_clarification(away, at()) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no, open Home instead", "open Home"),
        ("Nein, öffne Start stattdessen.", "öffne Start"),
        ("open Home", "open Home"),
    ],
)
def test_what_an_answer_turns_to(text, words):
    assert strip_redirection(text) == words


def test_what_an_answer_left_open():
    half = GivenAnswer(
        question="?", text="a", fields=("A", "B", "C"), values={"A": "a"}, left_empty=("C",)
    )
    assert remaining_fields(Background(answers=(half,))) == ("B",)
    none = GivenAnswer(question="?", text="What?", fields=("A", "B"))
    assert remaining_fields(Background(answers=(none,))) == ()
