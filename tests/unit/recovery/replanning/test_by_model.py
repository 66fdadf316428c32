"""What a model made of a plan, when it was told that the page is another."""

import pytest

from app.domain.plan import Decision
from app.recovery.plan_revision import apply_model_plan
from tests.unit.agent.reasoning import plan
from tests.unit.recovery.replanning.stages import SEEN

OLD = plan("Open the list", "Choose Ann", "Print").advanced()


@pytest.mark.parametrize(
    ("steps", "decision"),
    [
        (("Choose Ann", "Print"), "continue"),
        (("choose ann.", "Print"), "continue"),
        (("Close the notice", "Choose Ann", "Print"), "modify"),
        (("Print",), "modify"),
        (("Search for Ann", "Print it from there"), "regenerate"),
    ],
)
def test_by_what_it_kept(steps, decision):
    said = Decision(outcome="act", maker="model", plan=plan(*steps))
    assert apply_model_plan(SEEN, OLD, said).decision == decision


def test_the_whole_plan_given_again_is_no_change():
    said = Decision(outcome="act", maker="model", plan=OLD)
    assert apply_model_plan(SEEN, OLD, said) == SEEN


def test_without_new_steps_the_plan_goes_on():
    assert apply_model_plan(SEEN, OLD, Decision(outcome="act", maker="model")) == SEEN


def test_what_rules_read_into_a_step_is_no_new_plan():
    said = Decision(outcome="act", maker="rules", plan=plan("Something else"))
    assert apply_model_plan(SEEN, OLD, said) == SEEN
