"""A page that is merely another one does not show that something was saved."""

import pytest

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.directive import Directive, Target
from app.domain.page import Node, Observation, Tree
from app.domain.verdict import Verdict
from app.verification import verify

SAVE = Directive(verb="submit", value="save", target=Target(phrase="settings"))


def judged(
    step: Directive, *, role: str = "link", name: str = "Settings", says: str = ""
) -> Verdict:
    city = Node(id="c", role="inp", name="City", value="Leeds", group="form: Preferences")
    way = Node(id="w", role=role, name=name, group="nav: Main")
    before = Observation(url="http://t.test/", tree=Tree.of([way, city]))
    after = Observation(
        url="http://t.test/settings", tree=Tree.of([way]), summary="Settings",
        successes=(says,) if says else (),
    )  # fmt: skip
    chain = Chain(
        actions=(PlannedAction(action=action("click", "w"), action_id="1", description=""),)
    )
    return verify(
        before, after, chain, ClientReport(), last_step=True, completes_step=True, step=step
    )


def test_a_form_that_was_left_was_not_saved() -> None:
    verdict = judged(SAVE)
    assert verdict.succeeded is False
    assert not verdict.task_completed


@pytest.mark.parametrize(
    "step",
    [Directive(verb="open", target=Target(phrase="settings")), Directive(verb="submit", value="continue")],
)  # fmt: skip
def test_steps_that_lead_on_are_done_by_it(step: Directive) -> None:
    assert judged(step).succeeded


def test_a_page_that_says_so_and_a_link_that_hands_in_are_believed() -> None:
    assert judged(SAVE, says="Saved").succeeded
    assert judged(SAVE, name="Submit settings").succeeded
