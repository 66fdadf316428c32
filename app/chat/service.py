"""Requests to the chat: begun at most once, run detached, answered from what is stored."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import structlog
from langgraph.checkpoint.base import BaseCheckpointSaver

from app.agent.leases import RUNNING_TASKS
from app.agent.runner import Problem, error_event
from app.chat.calls import Answer, ChatCall, chat_message_id, chat_task_id
from app.chat.graph import ChatGraph
from app.chat.output.lines import answer_line, current_lines
from app.chat.resume import TurnInput, require_in_time, resolve_input
from app.chat.runner import TurnExecutor, close_thread
from app.chat.tools import WHOLE_TOKENS
from app.chat.turns import TurnLease, TurnLeases
from app.domain.access import Principal
from app.domain.chat import ChatLine, Conversation, Rating
from app.domain.hitl import PendingHitl
from app.domain.metrics.telemetry import Satisfaction
from app.domain.redaction import masked, secrets_in
from app.errors import (
    HitlNotPending,
    RequestIdReused,
    RunLost,
    ServerStopping,
    TabwrightError,
    TaskBusy,
)
from app.hitl.inbox import Inbox, ended
from app.llm.port import Model
from app.logs import bind_context
from app.observability.port import Observer, Observers
from app.review.submission import RecordFiling
from app.runs.lease import CLAIM_TTL_S
from app.runs.live import LiveRun
from app.runs.registry import BackgroundRuns, RunRegistry
from app.search.port import Search
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.repositories import Store
from app.store.request_cache import forget_thread, request_cache
from app.store.reviews.port import Reviews
from app.store.tasks.leases import STOPPER, Lease
from app.store.tasks.operations import OperationStart
from app.usage.meter import meter_calls
from app.usage.spendings import Spendings
from app.vitals import working_on
from knowledge import Knowledge

log = structlog.get_logger(__name__)

POLL_S = 0.25  # how often a request looks whether the process that runs it is done
RECALLED = 40  # lines of a conversation whose thread is gone


class ChatService:
    """Runs the graph of the chat for requests; `problem` renders an error for the stream. Without a `model`
    questions are searched for, and the rest is done by rules; `spendings` is None where no model is paid for.
    """

    def __init__(
        self,
        *,
        graph: ChatGraph,
        together: StoreBatch,
        documents: Knowledge,
        problem: Problem,
        model: Model | None = None,
        search: Search | None = None,
        spendings: Spendings | None = None,
        running: int = RUNNING_TASKS,
        whole_tokens: int = WHOLE_TOKENS,
        filing: RecordFiling,
        observer: Observer | None = None,
        reviews: Reviews | None = None,
        keys: KeyWatch | None = None,
    ) -> None:
        spendings = spendings if model is not None else None
        self._graph = graph
        self._together = together
        self._problem = problem
        self._turns = TurnLeases(together, running=running, modelled=spendings is not None)
        self._inbox = Inbox(together)
        self._observer = observer or Observers()
        self._flights = RunRegistry(keys)
        self._working = TurnExecutor(
            graph=graph,
            turns=self._turns,
            documents=documents,
            inbox=self._inbox,
            flights=self._flights,
            model=model,
            search=search,
            spendings=spendings,
            whole_tokens=whole_tokens,
            filing=filing,
            observer=self._observer,
            reviews=reviews,
        )
        self._live: dict[tuple[str, str], LiveRun] = {}
        self._runs = BackgroundRuns()

    async def start(self, call: ChatCall) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `NotFound`, `TaskBusy`, `TooManyTasks`, `HitlNotPending`, `HitlExpired`, `Invalid` or
        `RequestIdReused` before anything has run.
        """
        live_key = (call.principal.tenant, call.request_id)
        if live := self._live.get(live_key):
            if live.body_hash != call.body_hash:
                raise RequestIdReused
            return live
        self._runs.require_accepting()
        live = self._live[live_key] = LiveRun(call.body_hash)
        bind_context(task=chat_task_id(call.principal.tenant, call.thread_id))
        with request_cache():  # for the job too, which is made within
            try:
                begun = await self._begin(call)
            except BaseException as error:
                self._live.pop(live_key, None)
                if isinstance(error, Exception):
                    live.failure = error
                    await live.emit(error_event(self._problem, error, call.trace_id))
                raise
            job = self._supervise(self._serve(begun, call, live), live, live_key, call)
            self._runs.start(job)
        return live

    async def resume_answered(self, row: PendingHitl) -> LiveRun | None:
        """Go on with the answer that another inbox recorded, for whoever began the conversation; its run,
        the same one when it is asked for again. One that is worked on, or does not wait any more, is left as
        it is.
        """
        assert row.result is not None
        call = ChatCall(
            principal=Principal(tenant=row.tenant, user=row.user),
            request_id=f"inbox/{row.hitl_id}",
            body_hash=row.hitl_id,
            trace_id=row.trace_id,
            thread_id=row.thread_id,
            content=Answer(
                kind=row.interrupt_type,
                text=row.result.text,
                hitl_id=row.hitl_id,
                recorded=row.result,
            ),
        )
        try:
            return await self.start(call)
        except (TaskBusy, HitlNotPending) as error:
            log.warning("chat not gone on with", code=error.code)
            return None

    async def stop(self, tenant: str, thread_id: str) -> bool:
        """Cut off the turn that runs, here or elsewhere; whether there was one."""
        task_id = chat_task_id(tenant, thread_id)
        cut = await self._turns.leases.preempt(tenant, task_id, by=STOPPER)
        await self._flights.stop(tenant, task_id)
        return bool(cut.claim)

    async def delete_conversation(self, conversation: Conversation) -> bool:
        """Delete the conversation with its thread, and cancel the question that waits in it; False while a
        turn of it is under way.
        """
        tenant, task_id = conversation.tenant, conversation.task_id
        claim = f"(delete) {uuid4().hex}"

        async def hold(store: Store) -> Lease | None:
            return await store.leases.acquire(tenant, task_id, claim=claim, ttl_s=CLAIM_TTL_S)

        async def delete(store: Store) -> None:
            await store.conversations.delete(tenant, conversation.thread_id)

        lease = await self._together(hold)
        if lease is None:
            return False
        row = await self._inbox.latest(tenant, task_id)
        if row is not None and row.status == "pending":
            gone = ended(row, "cancelled", by=conversation.user)
            await self._inbox.conclude(tenant, "cancelled", gone)
        assert isinstance(self._graph.checkpointer, BaseCheckpointSaver)
        await self._graph.checkpointer.adelete_thread(task_id)
        await self._together.write(delete, under=lease, releases=True)
        return True

    async def rate(
        self, conversation: Conversation, message_id: str, rating: Rating
    ) -> ChatLine | None:
        """Keep what its person thinks of an answer, and tell those who watch; None where there is no such
        answer.
        """
        now, comment = datetime.now(UTC), rating.comment
        line = await self._together(
            lambda store: store.conversations.rate(
                conversation.tenant, conversation.thread_id, message_id, rating, at=now
            )
        )
        if line is not None and (trace_id := line.metadata.get("trace_id")):
            self._observer.on_rating(
                Satisfaction(
                    trace_id=trace_id,
                    message_id=message_id,
                    satisfied=rating.satisfied,
                    comment=masked(comment, secrets_in(comment)),
                    at=now,
                )
            )
        return line

    def stop_accepting(self) -> None:
        """Begin no more requests; who asks is told that the server stops."""
        self._runs.stop_accepting()

    async def close(self, *, within_s: float = 5.0) -> None:
        """Let what is running come to its end, then cut it off."""
        await self._runs.drain(within_s)

    async def _begin(self, call: ChatCall) -> tuple[TurnLease, TurnInput] | OperationStart:
        """The turn and where it enters. An answer that comes too late ends the wait, and is refused."""
        held = await self._turns.begin(call)
        if isinstance(held, OperationStart):
            return held
        try:
            entry = await resolve_input(
                self._graph, held, self._inbox, lambda: self._recall_lines(held)
            )
            if entry.result is not None:
                await self._save_answer(held, entry)
            try:
                require_in_time(entry)
            except TabwrightError:
                with meter_calls(held.spender) as meter:
                    await close_thread(self._graph, entry, self._working.context(held, meter))
                raise
        except BaseException:
            await self._turns.leases.abandon(held.run_lease)
            raise
        return held, entry

    async def _recall_lines(self, held: TurnLease) -> list[ChatLine]:
        call = held.call
        tenant, mine = call.principal.tenant, chat_message_id(call, "message")
        lines = await self._together(
            lambda store: store.conversations.lines(tenant, call.thread_id, limit=RECALLED)
        )
        lines = current_lines(held.conversation, lines)
        return [line for line in lines if line.message_id != mine]

    async def _save_answer(self, held: TurnLease, entry: TurnInput) -> None:
        """What was said to the question, as a line of the conversation."""
        assert entry.result is not None
        call = held.call
        turn_id = entry.state["turn_id"] if entry.state else call.request_id
        line = answer_line(call.principal.tenant, call.thread_id, turn_id, entry.result)
        await self._together(
            lambda store: store.conversations.say(
                call.principal.tenant, call.thread_id, [line], at=line.created_at
            )
        )

    async def _serve(
        self, begun: tuple[TurnLease, TurnInput] | OperationStart, call: ChatCall, live: LiveRun
    ) -> None:
        """Run what is ours; wait for the process that runs it, and take over when it has died. A turn that
        another run overtook waits for that one's answer.
        """
        while True:
            while isinstance(begun, OperationStart):
                if begun.result is not None:
                    await live.emit(begun.result)
                    return
                await asyncio.sleep(POLL_S)
                begun = await self._begin(call)
            try:
                await self._working.execute(*begun, live)
            except RunLost:
                forget_thread()
                begun = await self._begin(call)
            else:
                return

    async def _supervise(
        self,
        job: Coroutine[Any, Any, None],
        live: LiveRun,
        key: tuple[str, str],
        call: ChatCall,
    ) -> None:
        """Turn whatever a run ends with into its terminal event."""
        bind_context(trace=call.trace_id, tenant=key[0])
        try:
            with working_on("turn", traceId=call.trace_id, tenantId=key[0], requestId=key[1]):
                await job
        except asyncio.CancelledError:
            await self._fail(live, call, ServerStopping())
            raise
        except Exception as error:
            if not isinstance(error, TabwrightError):
                log.exception("turn failed")
            await self._fail(live, call, error)
        finally:
            self._live.pop(key, None)

    async def _fail(self, live: LiveRun, call: ChatCall, error: Exception) -> None:
        live.failure = error
        event = error_event(self._problem, error, call.trace_id)
        await live.emit(event | {"thread_id": call.thread_id})
