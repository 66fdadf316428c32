"""Where a request enters its thread: at its beginning, where it waits, or where it was cut off."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from app.agent.calls import InteractCall
from app.agent.graph import AgentGraph
from app.agent.initial_state import begin_state, continued_state, recipe_state, with_recipe
from app.agent.leases import RequestLease, require_browser_for_task
from app.agent.state import AgentState, new_state
from app.agent.updates.budget import carry_spending
from app.agent.updates.replies import withdrawn_deeds
from app.agent.updates.takeover import add_person_acts, drop_moot_question, redirect_interrupted
from app.domain.action import Chain
from app.domain.background import Background
from app.domain.hitl import HitlResult, UserAction
from app.domain.page import MASK
from app.errors import HitlNotPending, Invalid, TaskEnded
from app.runs.thread import load_thread

RECURSION_LIMIT = 120  # supersteps of one request; a plan's steps that hold already take one each
LoadBackground = Callable[[], Awaitable[Background]]


class AnswerResolver(Protocol):
    """What a request may bring for a thread."""

    async def __call__(self, state: AgentState, *, waits: bool) -> HitlResult | None:
        """What was said to the question that the thread `waits` with; see `app.agent.answers`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphInput:
    """How a request enters its thread. `replay`: it does not, `state` answers it as it stands."""

    config: RunnableConfig
    value: AgentState | Command[Any] | None
    state: AgentState | None
    replay: bool = False

    @property
    def trace_id(self) -> str:
        """That of the chain of requests that the run belongs to; "" where there is no state."""
        begun = self.value if isinstance(self.value, dict) else self.state
        return begun["trace_id"] if begun else ""


def thread_config(task_id: str) -> RunnableConfig:
    """The configuration of a task's thread."""
    return {"configurable": {"thread_id": task_id}, "recursion_limit": RECURSION_LIMIT}


async def load_snapshot(graph: AgentGraph, task_id: str) -> StateSnapshot:
    """Where the thread stands; see `load_thread`."""
    return await load_thread(graph, thread_config(task_id), AgentState)


async def resolve_input(
    graph: AgentGraph, claim: RequestLease, recall: LoadBackground, heard: AnswerResolver
) -> GraphInput:
    """Find where the thread stands and how this request goes on from there.

    `Command(resume=...)` without a pending interrupt drops its value silently, so the thread's
    `next` decides; a run that was cut off half-way goes on from there. `recall` is asked once, for a
    goal that is new; `heard` what was said to a question. Raises `TaskEnded`, `HitlNotPending`,
    `HitlExpired`, `ConsentNeedsBrowser`, or `Invalid` when a new task has no goal.
    """
    call, config = claim.call, thread_config(claim.task_id)
    snapshot = claim.snapshot or (
        None if claim.fresh else await load_snapshot(graph, claim.task_id)
    )
    if snapshot is None or not snapshot.values:
        _refuse_answer(call)
        if call.continue_from is not None:
            ended = await load_snapshot(graph, call.continue_from)
            began = continued_state(cast(AgentState, ended.values), claim)
            return GraphInput(config=config, value=began, state=None)
        return GraphInput(config=config, value=await _new_task_state(claim, recall), state=None)
    state = cast(AgentState, snapshot.values)
    require_browser_for_task(call, state)
    waiting = any(task.interrupts for task in snapshot.tasks)
    if state["request_id"] == call.request_id and (waiting or not snapshot.next):
        return GraphInput(config=config, value=None, state=state, replay=True)
    reply = await heard(state, waits=waiting)
    lapsed = reply is not None and reply.decision == "expired"
    if reply is not None and not lapsed:
        said = {"request_id": call.request_id, "reply": reply}
        return GraphInput(config=config, value=Command(resume=said), state=state)
    if call.query and call.query != state["goal"]:
        again = await _new_task_state(claim, recall, steps=state["steps"])
        again["spending"] = carry_spending(state["spending"])
        return GraphInput(config=config, value=again, state=state)
    if not snapshot.next or lapsed:
        afresh = _restarted_state(state, claim, reply) | add_person_acts(
            state, call.hand_back or ()
        )
        return GraphInput(config=config, value=afresh, state=state)
    if call.hand_back is not None:
        return await _resume_after_hand_back(graph, claim, snapshot, call.hand_back)
    if not waiting:
        return await _resume_interrupted(graph, config, state, call.request_id)
    if state["question"] is not None or _is_stale(state["chain"], call.last_action_id):
        return GraphInput(config=config, value=None, state=state, replay=True)
    return GraphInput(config=config, value=Command(resume=call.request_id), state=state)


async def _resume_interrupted(
    graph: AgentGraph, config: RunnableConfig, state: AgentState, request_id: str
) -> GraphInput:
    """A run that was cut off half-way goes on. The request is written into the thread and not handed
    in with the run: what a run that fails once more was given stays, and a second would be refused.
    """
    await graph.aupdate_state(config, {"request_id": request_id})
    state = {**state, "request_id": request_id}
    return GraphInput(config=config, value=None, state=state)


async def _new_task_state(
    claim: RequestLease, recall: LoadBackground, *, steps: int = 0
) -> AgentState:
    call = claim.call
    if claim.recipe is not None:
        return recipe_state(claim, claim.recipe, steps=steps)
    if not call.query:
        raise Invalid("A new task needs a query")
    return begin_state(claim, call.query, await recall(), steps=steps)


def _restarted_state(
    state: AgentState, claim: RequestLease, reply: HitlResult | None
) -> AgentState:
    """The same goal from its start, with what is known and was done; only what a person stopped, or
    left unanswered, may be taken up so. It is the same chain of requests, with the same ledger; what
    was agreed to was agreed to for that attempt.
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
        deeds=tuple(withdrawn_deeds(state)),
        steps=state["steps"],
        hitl_results=_results(state, reply),
        executed=state["executed"],
        spending=state["spending"],
    )
    return with_recipe(fresh, state["recipe"], state["plan"])


async def _resume_after_hand_back(
    graph: AgentGraph, claim: RequestLease, snapshot: StateSnapshot, acts: tuple[UserAction, ...]
) -> GraphInput:
    """The thread goes on with the page as the person left it: from where it waits for the browser, with
    its question once more, or from where they cut it off.
    """
    call, config = claim.call, thread_config(claim.task_id)
    state = cast(AgentState, snapshot.values)
    known = dict(add_person_acts(state, acts))
    waiting = any(task.interrupts for task in snapshot.tasks)
    moot = drop_moot_question(state, call.page, acts) if waiting else None
    if moot is not None:
        changed = known | dict(moot) | {"request_id": call.request_id}
        await graph.aupdate_state(config, changed, as_node="planning")
        return GraphInput(config=config, value=None, state=cast(AgentState, dict(state) | changed))
    if waiting and state["question"] is None:
        back: Command[Any] = Command(resume=call.request_id, update=known)
        return GraphInput(config=config, value=back, state=state)
    cut = None if waiting else redirect_interrupted(state, snapshot.next, call, acts)
    if cut is None:
        again: Command[Any] = Command(update=known | {"request_id": call.request_id})
        return GraphInput(config=config, value=again, state=state)
    node, patch = cut
    changed = dict(patch) | {"request_id": call.request_id}
    await graph.aupdate_state(config, changed, as_node=node)
    merged = cast(AgentState, dict(state) | changed)
    return GraphInput(config=config, value=None, state=merged)


def _results(state: AgentState, reply: HitlResult | None) -> dict[str, HitlResult]:
    return state["hitl_results"] | ({reply.hitl_id: reply} if reply is not None else {})


def _refuse_answer(call: InteractCall) -> None:
    if call.answer is not None:
        raise HitlNotPending


def _is_stale(chain: Chain | None, last_action_id: str | None) -> bool:
    """The client reports on an earlier chain: it never got this one, so it gets it again."""
    if chain is None or last_action_id is None:
        return False
    return last_action_id not in {planned.action_id for planned in chain.actions}
