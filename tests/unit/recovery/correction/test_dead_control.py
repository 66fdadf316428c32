"""A control that does not answer: time and the click in turn, until it may have come to life."""

from app.domain.action import ActionRecord, action
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.chain_outcome import NO_TRACE, NOTHING_ANSWERED
from app.recovery.proposals import propose_correction
from tests.unit.verification.looks import FORM, n, page

ADD = n("5", "btn", "Add contact", group="toolbar: Top", center=(100.0, 100.0))
SAVE = n("6", "btn", "Save", group=FORM, center=(100.0, 100.0))
DEAD_MS = 6_000  # of handlers that come late


def pressed(node, doing, error=NOTHING_ANSWERED, **more):
    signature = node.signature if doing.target else None
    return ActionRecord(action=doing, status="unknown", error=error, signature=signature, **more)


def next_for(look, *records):
    plan = Plan(steps=(PlanStep(id="1", description="x"),))
    return propose_correction(
        Situation(goal="", page=look, plan=plan, records=records), "nothing happened"
    )


def played(node, look):
    """What is done one after the other, as actions, while nothing ever answers."""
    records = [pressed(node, action("click", node.id))]
    while (found := next_for(look, *records)).outcome == "act":
        for one in found.proposals:
            more = {"purpose": "correct", "strategy": found.strategy}
            if one.action.name == "wait":
                records.append(ActionRecord(action=one.action, status="success", **more))
            else:
                records.append(pressed(node, one.action, NO_TRACE, **more))
    return [record.action for record in records[1:]]


def test_it_is_clicked_again_after_ever_longer_waits():
    done = played(ADD, page(ADD))
    names = [one.name for one in done]
    assert names == ["wait", "click"] * 3
    assert sum(one.args["ms"] for one in done if one.name == "wait") >= DEAD_MS


def test_a_submit_of_which_something_may_be_on_its_way_is_not_pressed_again():
    first = pressed(SAVE, action("click", "6"), error="")
    found = next_for(page(SAVE), first)
    assert [one.action.name for one in found.proposals] == ["wait"]
    entered = pressed(SAVE, action("pressKey", "Enter"), error="", purpose="correct")
    found = next_for(page(SAVE), first, entered)
    assert [one.action.name for one in found.proposals] == ["wait"]
