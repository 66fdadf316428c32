"""The rows of corrections that a pass leaves."""

from datetime import datetime

from app.agent.state import AgentState
from app.domain.access import site_of
from app.domain.memory import CorrectionRecord, FailedState, Repair, RepairStatus, SuccessfulAction
from app.domain.redaction import masked
from app.recovery.correction.repairs import status_of


def settled_repairs(trying: Repair | None, state: AgentState) -> dict[str, RepairStatus]:
    """What came of the correction that was tried when the pass began, if it was looked at since."""
    now, verdict = state["repair"], state["verdict"]
    if trying is None:  # done over after a crash: what it began with is not known
        return {now.repair_id: now.status} if now and now.status != "pending" else {}
    if trying.status != "pending" or trying == now or verdict is None:
        return {}
    return {trying.repair_id: status_of(verdict)}


def repair_rows(
    state: AgentState,
    *,
    tenant: str,
    task_id: str,
    url: str,
    hidden: frozenset[str],
    now: datetime,
) -> list[CorrectionRecord]:
    """The correction that is being sent, without secrets; none where none is."""
    trying, chain = state["repair"], state["chain"]
    if trying is None or chain is None or trying.repair_id != chain.actions[0].action_id:
        return []
    told = trying.model_dump() | {
        "strategy": masked(trying.strategy, hidden),
        "reason": masked(trying.reason, hidden),
        "failed": _failed(trying.failed, hidden),
        "tried": _tried(trying.tried, hidden),
    }
    whose = {"tenant": tenant, "task_id": task_id, "domain": site_of(url), "created_at": now}
    return [CorrectionRecord(**told, **whose)]


def _failed(state: FailedState, hidden: frozenset[str]) -> FailedState:
    described = masked(state.element_description, hidden)
    return state.model_copy(update={"element_description": described})


def _tried(action: SuccessfulAction, hidden: frozenset[str]) -> SuccessfulAction:
    words = {
        "element_description": masked(action.element_description, hidden),
        "strategy": masked(action.strategy, hidden),
    }
    return action.model_copy(update=words)
