"""Takes into account what the person did in the page before they handed the task back.

Their acts are stored, shown to models, and not repeated. Names of controls in them come from the page and
are shown to models as page content.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from app.agent.replies import ask_outcome, assume_done, withdraw_chain
from app.agent.request import InteractCall, RequestLease
from app.agent.state import AgentState, Patch
from app.domain.access import Principal
from app.domain.hitl import AuditEntry, AuditKind, UserAction
from app.domain.page import Observation
from app.domain.verdict import RePlan
from app.page import fingerprint, unpack
from app.recovery import credit_person, describe_person_act, find_doubtful, follow_person

TOOK_OVER = "The person took over"
MOST_REMEMBERED = 200  # acts of the person in one task


def add_person_acts(state: AgentState, acts: Sequence[UserAction]) -> Patch:
    background = state["background"]
    remembered = (*background.acts, *acts)[-MOST_REMEMBERED:]
    return {"background": background.model_copy(update={"acts": remembered})}


def credit_person_acts(
    state: AgentState,
    patch: Patch,
    page: Observation,
    acts: Sequence[UserAction],
    *,
    request_id: str,
) -> Patch:
    """Extend the verification's patch: the steps that the person did are done, and the plan is reconsidered.

    An action that may have happened is not repeated: it counts as done if the person continued with what
    follows it; otherwise they are asked.
    """
    plan = patch.get("plan", state["plan"])
    if patch.get("outcome") is not None or plan.subtask != state["plan"].subtask:
        return patch
    records, before = (
        patch.get("action_records", state["action_records"]),
        unpack(state["page_before"]),
    )
    credited, reason, more = credit_person(plan, acts, before, page), TOOK_OVER, Patch()
    doubtful = None
    if credited is plan:
        doubtful = find_doubtful(plan, records[state["subtask_start"] :], page)
    if doubtful is not None:
        followed = follow_person(plan, acts, before, page)
        if followed is None:
            return patch | ask_outcome(doubtful, state, request_id)
        credited, reason = followed, f"{TOOK_OVER}, and went on after: {doubtful.description}"
        more = assume_done(records, doubtful)
    likeness = patch.get("similarity", state["similarity"]) or 0.0
    more |= {
        "plan": credited,
        "replanning": RePlan(decision="continue", reason=reason, similarity=likeness),
        "reconsidered": [one for one in state["reconsidered"] if one != fingerprint(page)],
        "correction": None,
    }
    if credited is not plan:
        more["lookups"] = 0
    if credited.step is None:  # the page decides how the task ends, not the last action
        more["verdict"] = None
    return patch | more


def drop_moot_question(
    state: AgentState, page: Observation, acts: Sequence[UserAction]
) -> Patch | None:
    """Drop the question and its chain if the person did what it is about; None if it still applies."""
    question, plan = state["question"], state["plan"]
    if question is None or plan.step is None or not state["page_before"]:
        return None
    before = unpack(state["page_before"])
    credited = credit_person(plan, acts, before, page)
    if credited is plan and question.action_id:
        credited = follow_person(plan, acts, before, page) or plan
    if credited is plan:
        return None
    patch: Patch = {
        "question": None,
        "plan": credited,
        "verdict": None,
        "replanning": None,
        "refinement": None,
        "correction": None,
        "lookups": 0,
    }
    return patch | withdraw_chain(state)


def redirect_interrupted(
    state: AgentState, following: Sequence[str], call: InteractCall, acts: Sequence[UserAction]
) -> tuple[str, Patch] | None:
    """After which node an interrupted run continues, and the patch, since its decision was for the old page.

    None if it continues where it was.
    """
    if "verification" in following or not state["plan"].steps or state["outcome"] is not None:
        return None
    analysis = state["analysis"]
    patch = add_person_acts(state, acts) | Patch(refinement=None)
    if analysis is not None:
        patch["analysis"] = analysis.model_copy(update={"first": None})
    if state["unverified_chain"] is None:
        return "planning", patch
    credit = credit_person_acts(state, {}, call.page, acts, request_id=call.request_id)
    return ("verification", patch | credit) if credit else None


def hand_back_entries(claim: RequestLease, acts: Sequence[UserAction]) -> list[AuditEntry]:
    """The audit entries of what the person did, and of the hand-back unless it was recorded before."""
    call, who, now = claim.call, claim.call.principal, datetime.now(UTC)
    took = _entry("took_over", who, claim.task_id, f"{call.request_id}/took_over", now)
    update = {
        "text": "; ".join(describe_person_act(act) for act in acts),
        "shown": {"actions": [_act_view(act) for act in acts]},
    }
    entries = [took.model_copy(update=update)]
    if claim.run_lease.lease.resumed:
        entries.append(_entry("resumed", who, claim.task_id, f"{call.request_id}/resumed", now))
    return entries


def pause_entry(kind: AuditKind, who: Principal, task_id: str, now: datetime) -> AuditEntry:
    return _entry(kind, who, task_id, f"{task_id}/{kind}/{now.isoformat()}", now)


def _entry(kind: AuditKind, who: Principal, task_id: str, name: str, now: datetime) -> AuditEntry:
    return AuditEntry(
        entry_id=str(uuid5(NAMESPACE_URL, f"audit/{name}")),
        tenant=who.tenant,
        task_id=task_id,
        kind=kind,
        by=who.user,
        at=now,
    )


def _act_view(act: UserAction) -> dict[str, str]:
    view = {"kind": act.kind, "role": act.role, "name": act.name, "url": act.url}
    if act.at is not None:
        view["at"] = act.at.isoformat()
    return {name: value for name, value in view.items() if value}
