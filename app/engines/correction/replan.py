"""The rest of a plan made anew from its words: the whole way, where the address of a recipe leads nowhere."""

from app.domain.plan import Deed, Plan, Refinement
from app.engines.complexity import SURE
from app.engines.correction.case import Case, with_plan
from app.engines.correction.limits import attempts
from app.engines.reasoner import Situation
from app.engines.recovery.chains import RE_PLAN


def rest_anew(situation: Situation, read: Plan) -> Plan | None:
    """The steps still to do of the plan as it was `read` now; None where they are the same, or where
    it cannot be told what is done already.

    What was handed in may be part of any step: then nothing is planned anew. Once a step.
    """
    plan, asked = situation.plan, read.instruction
    done = plan.steps[: plan.current]
    here = tuple(deed for deed in situation.deeds if deed.step == plan.current)
    if asked is None or asked.kind != "operation" or asked.confidence < SURE:
        return None
    tried = any(deed.strategy == RE_PLAN for deed in here)
    if tried or not attempts(situation.deeds, plan.current):
        return None
    if any(_may_be_sent(deed, situation) for deed in situation.deeds):
        return None
    made = [step.directive for step in done if step.directive is not None]
    left = [step for step in read.steps if step.directive not in made]
    if not left or [s.description for s in left] == [
        s.description for s in plan.steps[plan.current :]
    ]:
        return None
    steps = tuple(
        step.model_copy(update={"status": "current" if at == 0 else "pending"})
        for at, step in enumerate(left)
    )
    return read.model_copy(update={"steps": steps, "current": 0})


def _may_be_sent(deed: Deed, situation: Situation) -> bool:
    return deed.status != "failure" and Case(deed=deed, page=situation.page, here=()).is_submit


def replanned(found: Refinement, plan: Plan) -> Refinement | None:
    """The first thing to do of a plan made anew, as a correction; None where it cannot be begun."""
    if found.outcome != "act":
        return None
    thought = "That way does not lead on; from here it goes another way"
    return with_plan(found, plan, RE_PLAN, thought)
