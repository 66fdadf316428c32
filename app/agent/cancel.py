"""Ending a wait for a person from outside: the request that says so, made by the server itself."""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import cast
from uuid import uuid4

from langgraph.types import StateSnapshot

from app.agent.calls import InteractCall
from app.agent.graph import AgentGraph
from app.agent.resume import load_snapshot
from app.agent.state import AgentState
from app.domain.access import Principal
from app.domain.action import ClientReport
from app.domain.hitl import Question
from app.domain.page import Observation
from app.errors import HitlNotPending, TaskBusy
from app.hitl.answers import CANCEL, HitlAnswer
from app.hitl.inbox import Inbox, ended
from app.runs.lease import CLAIM_TTL_S
from app.runs.live import LiveRun

LET_GO_S = 2.0  # beyond a claim's life, for a run that is cut off elsewhere to let go
POLL_S = 0.25


class WaitCanceller:
    """Ends waits; `start` begins a request as if it had come from a client."""

    def __init__(
        self,
        graph: AgentGraph,
        inbox: Inbox,
        start: Callable[[InteractCall], Awaitable[LiveRun]],
    ) -> None:
        self._graph = graph
        self._inbox = inbox
        self._start = start

    async def end_wait(self, who: Principal, task_id: str) -> bool:
        """Cancel the question that the task waits with; whether there was one.

        The thread goes on with the cancel to its end, as with any answer, under the task's lease. A
        question that was written down and never waited with is ended too.
        """
        row = await self._inbox.latest(who.tenant, task_id)
        ended_one = False
        over = perf_counter() + CLAIM_TTL_S + LET_GO_S
        while not ended_one:
            snapshot = await load_snapshot(self._graph, task_id)
            question = pending_question(snapshot, who.tenant)
            if question is None:
                break
            url = row.url if row is not None else ""
            call = cancel_call(who, task_id, question, cast(AgentState, snapshot.values), url)
            ended_one = await self._ended(call, last=perf_counter() > over)
        if row is None or row.status != "pending":
            return ended_one
        gone = ended(row, "cancelled", by=who.user)
        await self._inbox.conclude(who.tenant, "cancelled", gone)
        await self._inbox.find(who.tenant, row.hitl_id)  # its asking may not be in the trail yet
        return True

    async def _ended(self, call: InteractCall, *, last: bool) -> bool:
        """Whether the request came through; a run that is being stopped lets go within its lease."""
        try:
            live = await self._start(call)
            await live.wait_for_result()
        except (TaskBusy, HitlNotPending):  # a run holds the task, or went on in between
            if last:
                raise
            await asyncio.sleep(POLL_S)
            return False
        return True


def pending_question(snapshot: StateSnapshot, tenant: str) -> Question | None:
    """The question that this thread waits with, where it is the tenant's and waits for a person."""
    state = cast(AgentState, snapshot.values)
    if not state or state["tenant"] != tenant:
        return None
    return state["question"] if any(task.interrupts for task in snapshot.tasks) else None


def cancel_call(
    who: Principal, task_id: str, question: Question, state: AgentState, url: str
) -> InteractCall:
    """The request that cancels the question, and the run with it, whatever was answered meanwhile."""
    return InteractCall(
        principal=who,
        request_id=f"cancel/{uuid4()}",
        body_hash="",
        trace_id=state["trace_id"],
        page=Observation(url=url),
        report=ClientReport(),
        task_id=task_id,
        session_id=state["session_id"],
        answer=HitlAnswer(hitl_id=question.hitl_id, kind=CANCEL, text=None),
        cancels_task=True,
    )
