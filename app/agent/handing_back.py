"""The person took over and hands back: what they did is written down, told to the run, and not done again.

What a page calls its controls is the page's word: it is shown to models as such, and as no fact of the
person's.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from app.agent.state import AgentState, Patch
from app.domain.hitl import AuditEntry, AuditKind, PersonAct
from app.domain.page import Observation
from app.domain.plan import Deed, Plan
from app.domain.task import Principal
from app.domain.verdict import RePlan
from app.engines.correction.case import Case
from app.engines.handing_over import in_words
from app.engines.replanning.by_person import credited
from app.engines.verification.snapshot import fingerprint, unpack

TOOK_OVER = "The person took over"
MOST_REMEMBERED = 200  # acts of all that the person did in one task


def told(state: AgentState, acts: Sequence[PersonAct]) -> Patch:
    """What the thread is told as the task is handed back."""
    background = state["background"]
    known = (*background.acts, *acts)[-MOST_REMEMBERED:]
    return {"background": background.model_copy(update={"acts": known})}


def taken_back(
    state: AgentState, patch: Patch, page: Observation, acts: Sequence[PersonAct]
) -> Patch:
    """What a look changes, as the first one after the person had the page: the steps that they did are
    done, and the rest of the plan is held against the page.

    What may have been handed in before they took over is not chosen again: it is looked into as ever.
    """
    plan = patch.get("plan", state["plan"])
    if patch.get("outcome") is not None or plan.subtask != state["plan"].subtask:
        return patch
    done = credited(plan, acts, unpack(state["before"]), page)
    if done is plan and _may_be_handed_in(patch.get("deeds", state["deeds"]), plan, state, page):
        return patch
    likeness = patch.get("similarity", state["similarity"]) or 0.0
    held = RePlan(decision="continue", reason=TOOK_OVER, similarity=likeness)
    known = [seen for seen in state["reconsidered"] if seen != fingerprint(page)]
    more: Patch = {"plan": done, "replanning": held, "reconsidered": known, "correction": None}
    if done is not plan:
        more |= {"looked": False, "lookups": 0}
    if done.step is None:  # how it ends is for the page to say, and not for the last action
        more["verdict"] = None
    return patch | more


def cut_off(
    state: AgentState, following: Sequence[str], page: Observation, acts: Sequence[PersonAct]
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
    if state["judged"] is None:
        return "planning", told(state, acts) | anew
    patch = taken_back(state, {}, page, acts)
    return ("verification", told(state, acts) | anew | patch) if patch else None


def _may_be_handed_in(
    deeds: Sequence[Deed], plan: Plan, state: AgentState, page: Observation
) -> bool:
    here = tuple(deed for deed in deeds[state["since"] :] if deed.step == plan.current)
    return any(
        deed.status == "unknown" and Case(deed=deed, page=page, here=here).is_submit
        for deed in here
    )


def entries(
    acts: Sequence[PersonAct],
    *,
    who: Principal,
    task_id: str,
    request_id: str,
    now: datetime,
    resumed: bool,
) -> list[AuditEntry]:
    """The lines of the audit trail: what the person did, and that they handed back, where that was not
    said before.
    """
    took = _entry("took_over", who, task_id, f"{request_id}/took_over", now)
    lines = [
        took.model_copy(
            update={
                "text": "; ".join(in_words(act) for act in acts),
                "shown": {"actions": [_shown(act) for act in acts]},
            }
        )
    ]
    back = [_entry("resumed", who, task_id, f"{request_id}/resumed", now)] if resumed else []
    return lines + back


def entry(kind: AuditKind, who: Principal, task_id: str, now: datetime) -> AuditEntry:
    """The line for a pause or its end."""
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


def _shown(act: PersonAct) -> dict[str, str]:
    shown = {"kind": act.kind, "role": act.role, "name": act.name, "url": act.url}
    if act.at is not None:
        shown["at"] = act.at.isoformat()
    return {name: value for name, value in shown.items() if value}
