"""Requests to the chat: begun at most once, run detached, answered from what is stored."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import structlog
from langgraph.checkpoint.base import BaseCheckpointSaver

from app.agent.leases import RUNNING_TASKS
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
    TabwrightError,
    TaskBusy,
)
from app.hitl.inbox import Inbox, ended
from app.llm.port import Model
from app.observability.port import Observer, Observers
from app.review.submission import RecordFiling
from app.runs.lease import CLAIM_TTL_S
from app.runs.live import LiveRun
from app.runs.service import Problem, RunService
from app.search.query import Search
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.repositories import Store
from app.store.reviews.port import Reviews
from app.store.tasks.leases import STOPPER, Lease
from app.store.tasks.operations import OperationStart
from app.usage.meter import meter_calls
from app.usage.spendings import Spendings
from knowledge import Knowledge

log = structlog.get_logger(__name__)

RECALLED = 40  # lines of a conversation whose thread is gone


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """A turn that this process is to run, and where it enters its thread."""

    lease: TurnLease
    entry: TurnInput

    @property
    def task_id(self) -> str:
        """The thread in the graph."""
        return self.lease.task_id


class ChatService(RunService[ChatCall, ClaimedTurn]):
    """Runs the graph of the chat for requests; `problem` renders an error for the stream. Without a `model`
    questions are searched for, and the rest is done by rules; `spendings` is None where no model is paid for.
    """

    kind = "turn"

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
        super().__init__(together, problem, keys)
        self._graph = graph
        self._turns = TurnLeases(
            together, self._leases, running=running, modelled=spendings is not None
        )
        self._inbox = Inbox(together)
        self._observer = observer or Observers()
        self._working = TurnExecutor(
            graph=graph,
            turns=self._turns,
            documents=documents,
            inbox=self._inbox,
            flights=self._registry,
            model=model,
            search=search,
            spendings=spendings,
            whole_tokens=whole_tokens,
            filing=filing,
            observer=self._observer,
            reviews=reviews,
        )

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
        cut = await self._leases.preempt(tenant, task_id, by=STOPPER)
        await self._registry.stop(tenant, task_id)
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

    async def _begin(self, call: ChatCall) -> ClaimedTurn | OperationStart:
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
            await self._leases.abandon(held.run_lease)
            raise
        return ClaimedTurn(held, entry)

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

    async def _execute(self, claimed: ClaimedTurn, live: LiveRun) -> None:
        await self._working.execute(claimed.lease, claimed.entry, live)

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: ChatCall, live: LiveRun
    ) -> None:
        await live.emit(result)

    def _error_fields(self, call: ChatCall) -> dict[str, Any]:
        return {"thread_id": call.thread_id}
