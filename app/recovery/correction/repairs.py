"""A correction on record: what failed, what is tried, and the result."""

from app.domain.action import ActionRecord, PlannedAction
from app.domain.memory import FailedState, Repair, RepairStatus, SuccessfulAction
from app.domain.page import ElementRef, Observation
from app.domain.plan import Correction, Decision
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.plans import Dispatch
from app.recovery.chain_outcome import VERIFICATION_FAILED
from app.recovery.correction.case import PREPARES
from app.recovery.second_look import SECOND_LOOK
from app.skills import element_ref, generalize_call


def begin_repair(
    refinement: Decision, correction: Correction | None, situation: Situation, sent: Dispatch
) -> Repair | None:
    """The repair sent with this chain; None if the chain corrects nothing.

    A second look is no repair: nothing is known to have failed yet.
    """
    if correction is None or not sent.chain.actions or refinement.strategy == SECOND_LOOK:
        return None
    if refinement.strategy is None and correction.source != "contingency":
        return None  # a choice made anew, after the correction was refused
    first = sent.chain.actions[0]
    failed = _failed(situation.deeds)
    proposed = (one.skill for one in refinement.proposals if one.skill is not None)
    return Repair(
        repair_id=first.action_id,
        step=situation.plan.current,
        attempt=correction.attempt,
        source=correction.source,
        strategy=correction.strategy,
        reason=situation.verdict.reason if situation.verdict else "",
        failed=_failed_state(failed) if failed else FailedState(action=""),
        tried=_tried(sent.chain.actions, correction.strategy, situation.page),
        skill=next(proposed, None),
    )


def settle_repair(repair: Repair | None, verdict: Verdict) -> Repair | None:
    """The repair after the next look; settled ones do not change."""
    if repair is None or repair.status != "pending":
        return repair
    return repair.model_copy(update={"status": repair_status(verdict)})


def repair_status(verdict: Verdict) -> RepairStatus:
    """The repair's result by its chain's verdict."""
    if verdict.succeeded is None:
        return "unknown"
    return "success" if verdict.succeeded else "failure"


def _failed(deeds: tuple[ActionRecord, ...]) -> ActionRecord | None:
    """The last action that failed or is unknown."""
    return next((d for d in reversed(deeds) if d.status in ("failure", "unknown")), None)


def _failed_state(deed: ActionRecord) -> FailedState:
    element = element_ref(deed.signature) if deed.signature else None
    return FailedState(
        action=generalize_call(deed.action),
        element_description=element.text if element else "",
        error_type=deed.error or VERIFICATION_FAILED,
        element=element,
    )


def _tried(
    actions: tuple[PlannedAction, ...], strategy: str, page: Observation
) -> SuccessfulAction:
    """The first attempted action that does something."""
    acting = [one for one in actions if one.action.name not in PREPARES]
    action = (acting or list(actions))[0].action
    node = page.tree.get(action.target or "")
    element: ElementRef | None = element_ref(node.signature) if node is not None else None
    return SuccessfulAction(
        action=generalize_call(action),
        element_description=element.text if element else "",
        strategy=strategy,
        element=element,
    )
