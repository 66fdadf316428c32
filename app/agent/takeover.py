"""The person took over and hands back: what they did is written down, told to the run, and not done again.

What a page calls its controls is the page's word: it is shown to models as such, and as no fact of the
person's.
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
MOST_REMEMBERED = 200  # acts of all that the person did in one task


def add_person_acts(state: AgentState, acts: Sequence[UserAction]) -> Patch:
    """What the thread is told as the task is handed back."""
    background = state["background"]
    known = (*background.acts, *acts)[-MOST_REMEMBERED:]
    return {"background": background.model_copy(update={"acts": known})}


def credit_person_acts(
    state: AgentState,
    patch: Patch,
    page: Observation,
    acts: Sequence[UserAction],
    *,
    request_id: str,
) -> Patch:
    """What a look changes, as the first one after the person had the page: the steps that they did are
    done, and the rest of the plan is held against the page.

    What had begun when they took over and may have happened is not done again: it counts as done where
    they went on with what follows it, and else they are asked.
    """
    plan = patch.get("plan", state["plan"])
    if patch.get("outcome") is not None or plan.subtask != state["plan"].subtask:
        return patch
    records, before = (
        patch.get("action_records", state["action_records"]),
        unpack(state["page_before"]),
    )
    done, reason, more = credit_person(plan, acts, before, page), TOOK_OVER, Patch()
    unsure = find_doubtful(plan, records[state["subtask_start"] :], page) if done is plan else None
    if unsure is not None:
        further = follow_person(plan, acts, before, page)
        if further is None:
            return patch | ask_outcome(unsure, state, request_id)
        done, reason = further, f"{TOOK_OVER}, and went on after: {unsure.description}"
        more = assume_done(records, unsure)
    likeness = patch.get("similarity", state["similarity"]) or 0.0
    held = RePlan(decision="continue", reason=reason, similarity=likeness)
    known = [seen for seen in state["reconsidered"] if seen != fingerprint(page)]
    more |= {"plan": done, "replanning": held, "reconsidered": known, "correction": None}
    if done is not plan:
        more |= {"lookups": 0}
    if done.step is None:  # how it ends is for the page to say, and not for the last action
        more["verdict"] = None
    return patch | more


def drop_moot_question(
    state: AgentState, page: Observation, acts: Sequence[UserAction]
) -> Patch | None:
    """What changes where the person did, meanwhile, what a question is about: it is moot, and so is
    what waited for it. None where it is still to be answered.
    """
    question, plan = state["question"], state["plan"]
    if question is None or plan.step is None or not state["page_before"]:
        return None
    before = unpack(state["page_before"])
    done = credit_person(plan, acts, before, page)
    if done is plan and question.action_id:
        done = follow_person(plan, acts, before, page) or plan
    if done is plan:
        return None
    moot: Patch = {"question": None, "plan": done, "verdict": None, "replanning": None}
    anew: Patch = {"refinement": None, "correction": None, "lookups": 0}
    return moot | anew | withdraw_chain(state)


def redirect_interrupted(
    state: AgentState, following: Sequence[str], call: InteractCall, acts: Sequence[UserAction]
) -> tuple[str, Patch] | None:
    """For a run that was cut off half-way: after which node it goes on, and with what changed, since
    what it was about to do was chosen for the page as it was. None where it goes on from where it is.
    """
    if "verification" in following or not state["plan"].steps or state["outcome"] is not None:
        return None
    first = state["analysis"]
    anew: Patch = {"refinement": None}
    if first is not None:
        anew["analysis"] = first.model_copy(update={"first": None})
    if state["unverified_chain"] is None:
        return "planning", add_person_acts(state, acts) | anew
    patch = credit_person_acts(state, {}, call.page, acts, request_id=call.request_id)
    return ("verification", add_person_acts(state, acts) | anew | patch) if patch else None


def hand_back_entries(claim: RequestLease, acts: Sequence[UserAction]) -> list[AuditEntry]:
    """The lines of the audit trail: what the person did, and that they handed back, where that was not
    said before.
    """
    call, who, now = claim.call, claim.call.principal, datetime.now(UTC)
    took = _entry("took_over", who, claim.task_id, f"{call.request_id}/took_over", now)
    said = {
        "text": "; ".join(describe_person_act(act) for act in acts),
        "shown": {"actions": [_act_view(act) for act in acts]},
    }
    lines = [took.model_copy(update=said)]
    if claim.run_lease.lease.resumed:
        lines.append(_entry("resumed", who, claim.task_id, f"{call.request_id}/resumed", now))
    return lines


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
    shown = {"kind": act.kind, "role": act.role, "name": act.name, "url": act.url}
    if act.at is not None:
        shown["at"] = act.at.isoformat()
    return {name: value for name, value in shown.items() if value}
