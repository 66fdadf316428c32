"""The last action of a task, refused by the browser before it began: uncovered, then done, once."""

import pytest

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.page.snapshot import pack
from app.recovery.assessment import ChainContext
from app.recovery.progress import hopeless_outcome
from app.recovery.proposals import propose_correction
from tests.unit.recovery.acts import judge_chain
from tests.unit.verification.looks import FORM, having, n, page

NEWS = "dialog: Stay in touch"
CARD = (
    n("20", "inp", "Your email", "modal", group=NEWS),
    n("21", "btn", "Subscribe", "modal", group=NEWS),
    n("22", "btn", "Close", "modal", group=NEWS),
)
ROW = page(n("1", "btn", "Delete", group="table > row: Eva Lund"))
FILLED = page(
    n("2", "inp", "Email", value="eva@new.example", group=FORM),
    n("1", "btn", "Save", group=FORM, input_type="submit"),
)
MENU = n("30", "btn", "More actions", "haspopup collapsed", group=FORM)


def refused(before, after, why):
    """The refinement that follows, and what the run is told."""
    act, node = action("click", "1"), before.tree.get("1")
    planned = PlannedAction(action_id="a", action=act, description="Press it")
    chain = Chain(actions=(planned,))
    plan = Plan(steps=(PlanStep(id="1", description="Press it"),))
    record = ActionRecord(
        action_id="a", action=act, step=0, signature=node.signature, fingerprint="p"
    )
    report = ClientReport(
        status="failure", error_code="NOT_INTERACTABLE", error_message=why, executed_index=-1
    )
    standing = ChainContext(
        goal="g", instruction=None, plan=plan, chain=chain, judged=chain,
        before=pack(before), report=None, records=(record,),
    )  # fmt: skip
    told = judge_chain(standing, after, report)
    situation = Situation(
        goal="g", page=after, plan=told.plan, records=told.records, verdict=told.verdict
    )
    assert (told.outcome, hopeless_outcome(situation)) == (None, None)
    return propose_correction(situation, told.verdict.reason)


@pytest.mark.parametrize("before", [ROW, FILLED], ids=["Delete", "Save"])
def test_what_covers_it_is_closed_and_the_step_is_not_done_by_that(before):
    found = refused(before, having(before, *CARD), 'btn "X" is covered by dialog "Stay in touch"')
    assert [one.action.text for one in found.proposals] == ['click("22")']
    assert (found.strategy, found.completes_step) == ("dismiss overlay", False)
