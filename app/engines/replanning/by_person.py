"""Steps that the person did while they had taken over, by what they were seen to do and what the page
shows of it.

What was filled in or opened needs no credit: a rule that finds it done goes on. But what was pressed
leaves the page it was on, and would be missed there, or be pressed twice.
"""

from collections.abc import Sequence

from app.domain.directive import Directive
from app.domain.hitl import PersonAct
from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.engines.contingency import is_aside
from app.engines.handing_over import done_by_person, is_refused
from app.engines.hierarchy import follows
from app.engines.risk.lexicon import does, words
from app.engines.verification.deletions import rows_naming
from app.engines.verification.snapshot import fingerprint

_PRESSED = frozenset({"click", "open", "close", "check", "uncheck"})
_SENT = frozenset({"submit"})


def credited(
    plan: Plan, acts: Sequence[PersonAct], before: Observation, after: Observation
) -> Plan:
    """The plan without the steps from the current one on that the person did, in their order.

    A page that complains, or looks as it did, shows nothing of what was done.
    """
    if is_refused(after) or fingerprint(before) == fingerprint(after):
        return plan
    for act in acts:
        step = plan.step
        if step is None or (_is_last(plan) and follows(plan)):
            break
        if not is_aside(step) and _did(act, step, before, after):
            plan = done_by_person(plan)
    return plan


def _is_last(plan: Plan) -> bool:
    return plan.current >= len(plan.steps) - 1


def _did(act: PersonAct, step: PlanStep, before: Observation, after: Observation) -> bool:
    asked = step.directive
    if asked is None or act.kind not in ("click", "choose", "submit"):
        return False
    if asked.verb == "delete":
        return (
            act.kind != "choose" and "destroys" in does(act.name) and _is_gone(asked, before, after)
        )
    if asked.verb in _SENT and act.kind == "submit":
        return True
    named = words(asked.target.phrase) if asked.target else ""
    return asked.verb in _PRESSED | _SENT and bool(named) and words(act.name) == named


def _is_gone(asked: Directive, before: Observation, after: Observation) -> bool:
    """Whether the record that was to be deleted was listed, and is no more."""
    target = asked.target
    name = (target.within or target.phrase) if target and not target.all else ""
    return bool(name) and rows_naming(before, name) > 0 and not rows_naming(after, name)
