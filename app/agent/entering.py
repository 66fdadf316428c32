"""Where a request enters its thread: at its beginning, where it waits, or where it was cut off."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from app.agent.calls import InteractCall
from app.agent.claims import Claim
from app.agent.continuing import gone_on_with
from app.agent.graph import AgentGraph
from app.agent.questions import answer_type, expired, taken
from app.agent.replaying import replaying, taken_up
from app.agent.state import AgentState, initial
from app.domain.background import Background
from app.domain.page import MASK
from app.domain.plan import Chain
from app.errors import HitlExpired, HitlNotPending, Invalid, TaskEnded

RECURSION_LIMIT = 120  # supersteps of one request; a plan's steps that hold already take one each
Recall = Callable[[], Awaitable[Background]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """How a request enters its thread. `replay`: it does not, `state` answers it as it stands."""

    config: RunnableConfig
    graph_input: AgentState | Command[Any] | None
    state: AgentState | None
    replay: bool = False


def thread(task_id: str) -> RunnableConfig:
    """The configuration of a task's thread."""
    return {"configurable": {"thread_id": task_id}, "recursion_limit": RECURSION_LIMIT}


async def standing(graph: AgentGraph, task_id: str) -> StateSnapshot:
    """Where the thread stands. One that another version wrote counts as none."""
    snapshot = await graph.aget_state(thread(task_id))
    if snapshot.values and snapshot.values.keys() != AgentState.__annotations__.keys():
        return snapshot._replace(values={}, next=(), tasks=())
    return snapshot


async def enter(graph: AgentGraph, claim: Claim, recall: Recall) -> Entry:
    """Find where the thread stands and how this request goes on from there.

    `Command(resume=...)` without a pending interrupt drops its value silently, so the thread's
    `next` decides; a run that was cut off half-way goes on from there. `recall` is asked once, for a
    goal that is new. Raises `TaskEnded`, `HitlNotPending`, `HitlExpired`, or `Invalid` when a new
    task has no goal.
    """
    call, config = claim.call, thread(claim.task_id)
    snapshot = None if claim.fresh else await standing(graph, claim.task_id)
    if snapshot is None or not snapshot.values:
        _refuse_answer(call)
        if call.continue_from is not None:
            ended = await standing(graph, call.continue_from)
            began = gone_on_with(cast(AgentState, ended.values), claim)
            return Entry(config=config, graph_input=began, state=None)
        return Entry(config=config, graph_input=await _beginning(claim, recall), state=None)
    state = cast(AgentState, snapshot.values)
    waiting = any(task.interrupts for task in snapshot.tasks)
    if state["request_id"] == call.request_id and (waiting or not snapshot.next):
        return Entry(config=config, graph_input=None, state=state, replay=True)
    if call.answer is not None:
        return Entry(config=config, graph_input=_replying(state, waiting, call), state=state)
    if call.query and call.query != state["goal"]:
        again = await _beginning(claim, recall, steps=state["steps"])
        return Entry(config=config, graph_input=again, state=state)
    if not snapshot.next or (waiting and _lapsed(state)):
        return Entry(config=config, graph_input=_afresh(state, claim), state=state)
    if not waiting:
        taken_up: Command[Any] = Command(update={"request_id": call.request_id})
        return Entry(config=config, graph_input=taken_up, state=state)
    if state["question"] is not None or _stale(state["chain"], call.last_action_id):
        return Entry(config=config, graph_input=None, state=state, replay=True)
    return Entry(config=config, graph_input=Command(resume=call.request_id), state=state)


async def _beginning(claim: Claim, recall: Recall, *, steps: int = 0) -> AgentState:
    call = claim.call
    if claim.recipe is not None:
        return replaying(claim, claim.recipe, steps=steps)
    if not call.query:
        raise Invalid("A new task needs a query")
    return initial(
        call.query,
        request_id=call.request_id,
        trace_id=call.trace_id,
        tenant=call.principal.tenant,
        user=call.principal.user,
        session_id=claim.session_id,
        background=await recall(),
        steps=steps,
    )


def _afresh(state: AgentState, claim: Claim) -> AgentState:
    """The same goal from its start, with what is known and was done; only what a person stopped, or
    left unanswered, may be taken up so.
    """
    outcome = state["outcome"]
    if outcome is not None and outcome.status != "interrupted":
        raise TaskEnded(f"The task has ended: {outcome.message}")
    if MASK in state["goal"]:
        raise Invalid("What was secret in the goal was forgotten: send it again as `query`")
    fresh = initial(
        state["goal"],
        request_id=claim.call.request_id,
        trace_id=claim.call.trace_id,
        tenant=state["tenant"],
        user=state["user"],
        session_id=state["session_id"],
        background=state["background"],
        deeds=tuple(state["deeds"]),
        steps=state["steps"],
    )
    return taken_up(fresh, state["recipe"], state["plan"])


def _refuse_answer(call: InteractCall) -> None:
    if call.answer is not None:
        raise HitlNotPending


def _replying(state: AgentState, waiting: bool, call: InteractCall) -> Command[Any]:
    """The answer to the question that waits."""
    question, answer = state["question"], call.answer
    assert answer is not None
    if not waiting or question is None or question.hitl_id != answer.hitl_id:
        raise HitlNotPending
    if answer.text is not None and answer.kind != (wanted := answer_type(question)):
        raise Invalid(f"hitlResponse.type: this question takes {wanted} or cancel")
    if expired(question, datetime.now(UTC)):
        raise HitlExpired
    text = taken(question, answer.text) if answer.text is not None else None
    return Command(resume={"request_id": call.request_id, "text": text})


def _lapsed(state: AgentState) -> bool:
    question = state["question"]
    return question is not None and expired(question, datetime.now(UTC))


def _stale(chain: Chain | None, last_action_id: str | None) -> bool:
    """The client reports on an earlier chain: it never got this one, so it gets it again."""
    if chain is None or last_action_id is None:
        return False
    return last_action_id not in {planned.action_id for planned in chain.actions}
