"""Determines where a request enters its thread: at the start, at a wait, or where it was cut off."""

from datetime import UTC, datetime
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from app.agent.background import ContextLoader
from app.agent.graph import AgentGraph
from app.agent.initial_state import begin_state, continued_state, recipe_state
from app.agent.replies import question_row, records_without_withdrawn
from app.agent.request import RequestLease, TaskInput, require_browser_for_task
from app.agent.state import AgentState, new_state
from app.agent.takeover import add_person_acts, drop_moot_question, redirect_interrupted
from app.domain.action import Chain
from app.domain.hitl import HitlResult, PendingHitl, UserAction
from app.domain.page import MASK
from app.errors import HitlExpired, HitlNotPending, Invalid, TaskEnded
from app.hitl import (
    HitlAnswer,
    Inbox,
    only_answer,
    refuse_stranger,
    resolve_answer,
)
from app.runs import GraphInput, load_thread, thread_config


async def resolve_task_input(
    graph: AgentGraph, claim: RequestLease, inbox: Inbox, loader: ContextLoader
) -> TaskInput:
    """Load the thread and determine how this request continues it.

    `Command(resume=...)` without a pending interrupt drops its value silently, so the thread's `next`
    decides; an interrupted run continues from there. Raises `TaskEnded`, `HitlNotPending`, `HitlExpired`,
    `ConsentNeedsBrowser`, or `Invalid` if a new task has no goal.
    """
    call, config = claim.call, thread_config(claim.task_id)
    snapshot = claim.snapshot
    if snapshot is None and not claim.fresh:
        snapshot = await load_thread(graph, claim.task_id, AgentState)
    if snapshot is None or not snapshot.values:
        initial = await _initial_state(graph, claim, loader)
        return GraphInput(config=config, value=initial, state=None)
    state = cast(AgentState, snapshot.values)
    require_browser_for_task(call, state)
    waiting = bool(snapshot.interrupts)
    if state["request_id"] == call.request_id and (waiting or not snapshot.next):
        return GraphInput(config=config, value=None, state=state, replay=True)
    reply = await _resolve_answer(inbox, claim, state, waits=waiting)
    expired = reply is not None and reply.decision == "expired"
    if reply is not None and not expired:
        resume = {"request_id": call.request_id, "reply": reply}
        return GraphInput(config=config, value=Command(resume=resume), state=state)
    if call.query and call.query != state["goal"]:
        replaced = await _new_task_state(claim, loader, steps=state["steps"])
        # Allowed spending also holds for the new goal, the choice to go on without a model does not.
        update = {"without_model": False, "estimate": None}
        replaced["spending"] = state["spending"].model_copy(update=update)
        return GraphInput(config=config, value=replaced, state=state)
    if not snapshot.next or expired:
        restarted = {
            **_restarted_state(state, claim, reply),
            **add_person_acts(state, call.hand_back or ()),
        }
        return GraphInput(config=config, value=restarted, state=state)
    if call.hand_back is not None:
        return await _resume_after_hand_back(graph, claim, snapshot, call.hand_back)
    if not waiting:
        return await _resume_interrupted(graph, config, state, call.request_id)
    if state["question"] is not None or _is_stale(state["chain"], call.last_action_id):
        return GraphInput(config=config, value=None, state=state, replay=True)
    return GraphInput(config=config, value=Command(resume=call.request_id), state=state)


async def _resume_interrupted(
    graph: AgentGraph, config: RunnableConfig, state: AgentState, request_id: str
) -> TaskInput:
    """Continue an interrupted run.

    The request's id is written to the thread, not passed as the run's input: input of a run that fails
    again stays pending, and a second input would be rejected.
    """
    await graph.aupdate_state(config, {"request_id": request_id})
    state = {**state, "request_id": request_id}
    return GraphInput(config=config, value=None, state=state)


async def _initial_state(
    graph: AgentGraph, claim: RequestLease, loader: ContextLoader
) -> AgentState:
    call = claim.call
    if call.answer is not None:
        raise HitlNotPending
    if call.continue_from is None:
        return await _new_task_state(claim, loader)
    ended = await load_thread(graph, call.continue_from, AgentState)
    return continued_state(cast(AgentState, ended.values), claim)


async def _new_task_state(
    claim: RequestLease, loader: ContextLoader, *, steps: int = 0
) -> AgentState:
    call = claim.call
    if claim.recipe is not None:
        return recipe_state(claim, claim.recipe, steps=steps)
    if not call.query:
        raise Invalid("A new task needs a query")
    return begin_state(claim, call.query, await loader.load_initial(claim), steps=steps)


def _restarted_state(
    state: AgentState, claim: RequestLease, reply: HitlResult | None
) -> AgentState:
    """The same goal from its start, with the same ledger, background and records, but without approvals.

    Raises `TaskEnded` unless a person stopped the task or left its question unanswered.
    """
    outcome = state["outcome"]
    if outcome is not None and outcome.status != "interrupted":
        raise TaskEnded(f"The task has ended: {outcome.message}")
    if MASK in state["goal"]:
        raise Invalid("What was secret in the goal was forgotten: send it again as `query`")
    fresh = new_state(
        state["goal"],
        request_id=claim.call.request_id,
        trace_id=state["trace_id"],
        tenant=state["tenant"],
        user=state["user"],
        session_id=state["session_id"],
        in_browser=claim.call.principal.has_scope("browser"),
        background=state["background"].model_copy(update={"approved": ()}),
        action_records=records_without_withdrawn(state),
        steps=state["steps"],
        hitl_results=state["hitl_results"] | ({reply.hitl_id: reply} if reply else {}),
        executed=state["executed"],
        spending=state["spending"],
        recipe=state["recipe"],
    )
    if state["recipe"] is not None:  # its plan continues
        fresh["plan"] = state["plan"]
    return fresh


async def _resume_after_hand_back(
    graph: AgentGraph, claim: RequestLease, snapshot: StateSnapshot, acts: tuple[UserAction, ...]
) -> TaskInput:
    """Continue on the page as the person left it: from a wait for the browser, by repeating the question,
    or from where they interrupted the run.
    """
    call, config = claim.call, thread_config(claim.task_id)
    state = cast("AgentState", snapshot.values)
    with_acts = add_person_acts(state, acts)
    command: Command[Any]
    if snapshot.interrupts:
        moot = drop_moot_question(state, call.page, acts)
        redirected = ("planning", with_acts | moot) if moot is not None else None
        if moot is None and state["question"] is None:
            command = Command(resume=call.request_id, update=dict(with_acts))
            return GraphInput(config=config, value=command, state=state)
    else:
        redirected = redirect_interrupted(state, snapshot.next, call, acts)
    if redirected is None:
        command = Command(update=with_acts | {"request_id": call.request_id})
        return GraphInput(config=config, value=command, state=state)
    node, patch = redirected
    patch["request_id"] = call.request_id
    await graph.aupdate_state(config, patch, as_node=node)
    return GraphInput(config=config, value=None, state={**state, **patch})


def _is_stale(chain: Chain | None, last_action_id: str | None) -> bool:
    """Whether the client reports on an earlier chain, so that it never got this one."""
    if chain is None or last_action_id is None:
        return False
    return last_action_id not in {planned.action_id for planned in chain.actions}


async def _resolve_answer(
    inbox: Inbox, claim: RequestLease, state: AgentState, *, waits: bool
) -> HitlResult | None:
    """The answer of this request, or one given through another interface; None without one.

    The decision `expired` means that nobody answered in time. Another goal ends the question. Raises
    `HitlExpired` for a late answer, `HitlNotPending` if no question waits or another answer came first,
    `Invalid` if the question does not accept it, `NotFound` for a person who may not see it.
    """
    call, question = claim.call, state["question"] if waits else None
    answer = call.answer
    if answer is not None and (question is None or question.hitl_id != answer.hitl_id):
        await _reject_answer(inbox, claim, answer)
    if question is None:
        return None
    refuse_stranger(call.principal, state["user"])
    row = question_row(state, claim.task_id, call.page.url)
    if answer is None:
        return await _recorded_answer(inbox, claim, state, row)
    result = resolve_answer(call.principal, question, answer, via="interact", key=call.request_id)
    # The run writes the audit entry, together with what then was done.
    concluded = await inbox.conclude(row.tenant, result, unstored_row=row, tells=False)
    if call.cancels_task and concluded.status != "pending":
        return result  # the run ends, even if another answer came first and was not applied yet
    return only_answer(concluded, result).result


async def _recorded_answer(
    inbox: Inbox, claim: RequestLease, state: AgentState, pending: PendingHitl
) -> HitlResult | None:
    """The answer given through another interface, unless this request has another goal."""
    call, now = claim.call, datetime.now(UTC)
    row = await inbox.find(pending.tenant, pending.hitl_id) or pending
    changed = call.query is not None and call.query != state["goal"]
    if (
        call.hand_back is not None
        and drop_moot_question(state, call.page, call.hand_back) is not None
    ):
        ended = await inbox.end(row, "cancelled", by=call.principal.user, unstored_row=pending)
        return ended.result if ended.status == "answered" else None
    if row.status == "pending" and row.status_at(now) == "expired":
        row = await inbox.end(row, "expired", unstored_row=pending)
    elif row.status == "pending" and changed:
        await inbox.end(row, "cancelled", by=call.principal.user, unstored_row=pending)
    return None if changed else row.result


async def _reject_answer(inbox: Inbox, claim: RequestLease, answer: HitlAnswer) -> None:
    """Raise for an answer to a question that does not wait."""
    found = await inbox.find(claim.call.principal.tenant, answer.hitl_id)
    if found is not None and found.task_id == claim.task_id:
        refuse_stranger(claim.call.principal, found.user)
        if found.status_at(datetime.now(UTC)) == "expired":
            raise HitlExpired
    raise HitlNotPending
