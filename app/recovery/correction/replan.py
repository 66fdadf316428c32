"""The rest of a plan made anew from its words: the whole way, where the address of a recipe leads nowhere."""

from app.domain.plan import Decision, Plan
from app.domain.reasoner import Situation
from app.planning.complexity import SURE
from app.recovery.chains import RE_PLAN
from app.recovery.correction.case import Case, with_plan


def rest_anew(situation: Situation, read: Plan) -> Plan | None:
    """The steps still to do of the plan as it was `read` now; None where they are the same, or where
    it cannot be told what is done already.

    What was handed in may be part of any step: then nothing is planned anew. Once a step.
    """
    plan, asked = situation.plan, read.instruction
    if asked is None or asked.kind != "operation" or asked.confidence < SURE:
        return None
    for deed in situation.deeds:
        if deed.strategy == RE_PLAN and deed.step == plan.current:
            return None
        case = Case(deed=deed, page=situation.page, here=())
        if deed.status != "failure" and case.is_submit:
            return None
    done = [step.directive for step in plan.steps[: plan.current] if step.directive is not None]
    left = [step for step in read.steps if step.directive not in done]
    lines = [step.description for step in plan.steps[plan.current :]]
    if not left or [step.description for step in left] == lines:
        return None
    steps = tuple(
        step.model_copy(update={"status": "pending" if at else "current"})
        for at, step in enumerate(left)
    )
    return read.model_copy(update={"steps": steps, "current": 0})


def replanned(found: Decision, plan: Plan) -> Decision | None:
    """The first thing to do of a plan made anew, as a correction; None where it cannot be begun."""
    if found.outcome != "act":
        return None
    thought = "That way does not lead on; from here it goes another way"
    return with_plan(found, plan, RE_PLAN, thought)
