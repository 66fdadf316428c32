"""Runs requests to the chat in the background. Each begins at most once; repeats get its stored response."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast
from uuid import uuid4

import structlog
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from app.chat.calls import Answer, ChatCall, chat_message_id, chat_task_id
from app.chat.graph import ChatGraph
from app.chat.output.draft import Draft, discarded_draft
from app.chat.output.escalation import answer_submission
from app.chat.output.lines import (
    answer_line,
    conversation_title,
    current_lines,
    render_draft,
    response_line,
    shorten_title,
    terminal_event,
    with_advice,
)
from app.chat.output.status import StatusReporter, report_turn, trace_turn
from app.chat.resume import TurnInput, require_in_time, resolve_turn_input
from app.chat.state import ChatContext, ChatState
from app.chat.tools import WHOLE_TOKENS, Tools
from app.chat.turns import TurnLease, TurnLeases
from app.domain.access import Principal
from app.domain.chat import ChatLine, Conversation, DocumentRef, Rating
from app.domain.hitl import PendingHitl
from app.domain.metrics.telemetry import Satisfaction
from app.domain.redaction import masked, secrets_in
from app.errors import HitlNotPending, NotFound, RunLost, TabwrightError, TaskBusy, Unauthenticated
from app.hitl import Inbox
from app.llm.port import Model
from app.observability.port import Observer, Observers
from app.review import RecordFiling, filing_summary, find_advice
from app.runs import (
    CLAIM_TTL_S,
    KEY_REVOKED,
    RUNNING_TASKS,
    Event,
    LiveRun,
    Problem,
    RunHandle,
    RunService,
    RunTrace,
    forget_result,
    run_graph,
    send_report,
)
from app.search import Search
from app.store.batch import StoreBatch, forget_thread
from app.store.people.keys import KeyWatch
from app.store.repositories import Store
from app.store.reviews.port import Reviews
from app.store.tasks.leases import STOPPER, Lease
from app.store.tasks.operations import OperationStart
from app.usage import Meter, Spendings, meter_calls, use_allowance
from knowledge import Knowledge

log = structlog.get_logger(__name__)

STOPPED = "Stopped."
RECALLED_LINES = 40  # lines loaded for a conversation whose thread was deleted


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """A turn that this process runs, and where it enters its thread."""

    lease: TurnLease
    entry: TurnInput

    @property
    def task_id(self) -> str:
        """The thread in the graph."""
        return self.lease.task_id


class ChatService(RunService[ChatCall, ClaimedTurn]):
    """Runs the chat's graph; `problem` renders an error for the stream. Without a `model`, questions are
    searched for and the other actions use rules. `spendings` is None if no model is paid for.
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
        super().__init__(together, problem, keys, spendings)
        self._graph = graph
        self._turns = TurnLeases(
            together, self._leases, running=running, modelled=spendings is not None
        )
        self._inbox = Inbox(together)
        self._observer = observer or Observers()
        self._documents = documents
        self._new_tools = partial(
            Tools, documents=documents, model=model, search=search, whole_tokens=whole_tokens
        )
        self._filing = filing
        self._reviews = reviews

    async def resume_answered(self, row: PendingHitl) -> LiveRun | None:
        """Continue with an answer that another inbox recorded, on behalf of the conversation's owner; returns
        the same run if called again. None if the conversation is busy or no longer waits.
        """
        assert row.result is not None
        answer = Answer(
            kind=row.interrupt_type,
            text=row.result.text,
            hitl_id=row.hitl_id,
            recorded=row.result,
        )
        call = ChatCall(
            principal=Principal(tenant=row.tenant, user=row.user),
            request_id=f"inbox/{row.hitl_id}",
            body_hash=row.hitl_id,
            trace_id=row.trace_id,
            thread_id=row.thread_id,
            content=answer,
        )
        try:
            return await self.start(call)
        except (TaskBusy, HitlNotPending) as error:
            log.warning("chat not resumed", code=error.code)
            return None

    async def stop(self, tenant: str, thread_id: str) -> bool:
        """Stop the running turn, in this process or another; False if there is none."""
        task_id = chat_task_id(tenant, thread_id)
        preempted = await self._registry.preempt(tenant, task_id, by=STOPPER)
        return bool(preempted.claim)

    async def delete_conversation(self, conversation: Conversation) -> bool:
        """Delete the conversation and its thread, and cancel its question; False while a turn is running."""
        tenant, task_id = conversation.tenant, conversation.task_id
        claim = f"(delete) {uuid4().hex}"

        async def acquire(store: Store) -> Lease | None:
            return await store.leases.acquire(tenant, task_id, claim=claim, ttl_s=CLAIM_TTL_S)

        async def delete(store: Store) -> None:
            await store.conversations.delete(tenant, conversation.thread_id)

        lease = await self._together(acquire)
        if lease is None:
            return False
        row = await self._inbox.latest(tenant, task_id)
        if row is not None and row.status == "pending":
            await self._inbox.end(row, "cancelled", by=conversation.user)
        assert isinstance(self._graph.checkpointer, BaseCheckpointSaver)
        await self._graph.checkpointer.adelete_thread(task_id)
        await self._together.write(delete, under=lease, releases=True)
        return True

    async def rate(
        self, conversation: Conversation, message_id: str, rating: Rating
    ) -> ChatLine | None:
        """Store the rating of an answer and report it to observers; None if there is no such answer."""
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
        """Claim the turn and find its entry. An answer that comes too late ends the wait and is refused."""
        turn = await self._turns.begin(call)
        if isinstance(turn, OperationStart):
            return turn
        try:
            entry = await resolve_turn_input(
                self._graph, turn, self._inbox, lambda: self._recall_lines(turn)
            )
            if entry.result is not None:
                turn_id = entry.state["turn_id"] if entry.state else call.request_id
                tenant, thread_id = call.principal.tenant, call.thread_id
                line = answer_line(tenant, thread_id, turn_id, entry.result)
                await self._together(
                    lambda store: store.conversations.add_lines(
                        tenant, thread_id, [line], at=line.created_at
                    )
                )
            try:
                require_in_time(entry)
            except TabwrightError:
                assert isinstance(entry.value, Command)
                with meter_calls(turn.spender) as meter:
                    context = self._context(turn, meter, discarded_draft())
                    await self._graph.ainvoke(
                        entry.value, entry.config, context=context, durability="exit"
                    )
                raise
        except BaseException:
            await self._leases.abandon(turn.run_lease)
            raise
        return ClaimedTurn(turn, entry)

    async def _recall_lines(self, turn: TurnLease) -> list[ChatLine]:
        call = turn.call
        own_id = chat_message_id(call, "message")
        lines = await self._together(
            lambda store: store.conversations.lines(
                call.principal.tenant, call.thread_id, limit=RECALLED_LINES
            )
        )
        lines = current_lines(turn.conversation, lines)
        return [line for line in lines if line.message_id != own_id]

    async def _execute(self, claimed: ClaimedTurn, live: LiveRun) -> None:
        """Run the graph, store the result and emit it. An error releases the turn."""
        turn, who = claimed.lease, claimed.lease.call.principal
        async with self._registry.hold(who, turn.run_lease) as handle:
            allowance = await self._allowance(turn.budgets, who, turn.task_id, begins=False)
            with (
                meter_calls(turn.spender) as meter,
                use_allowance(allowance),
                trace_turn(self._observer, turn, meter) as trace,
            ):
                event, state = await self._run(turn, claimed.entry, live, handle, meter, trace)
                send_report(self._observer, lambda: report_turn(turn, meter, trace, event, state))
        await live.emit(event)

    def _context(self, turn: TurnLease, meter: Meter, draft: Draft) -> ChatContext:
        tenant = turn.call.principal.tenant
        return ChatContext(
            tools=self._new_tools(tenant=tenant, policy=turn.policy, draft=draft),
            request_id=turn.call.request_id,
            task_id=turn.task_id,
            inbox=self._inbox,
            lease=turn.run_lease.lease,
            meter=meter,
        )

    async def _run(
        self,
        turn: TurnLease,
        entry: TurnInput,
        live: LiveRun,
        handle: RunHandle,
        meter: Meter,
        trace: RunTrace,
    ) -> tuple[Event, ChatState | None]:
        """The terminal event, once everything is stored, and the state behind it."""
        call = turn.call
        if entry.state is not None and isinstance(call.content, Answer):
            response_id = chat_message_id(call, "response", entry.state["turn_id"])
            meter.set_chain(entry.state["trace_id"], response_id)
        reporter = StatusReporter(call.thread_id, live.emit)
        draft = Draft(call.thread_id, live)
        context = self._context(turn, meter, draft)
        try:
            run = run_graph(
                self._graph, entry, context, trace, reporter.node_ended, reporter.node_started
            )
            try:
                state = cast("ChatState | None", await handle.run(run))
            finally:
                reporter.cancel_early()
            if state is not None:
                return await self._complete(turn, state), state
        except RunLost:
            forget_thread()
        else:
            await forget_result(self._graph, entry.config)
        if handle.key_revoked:
            raise Unauthenticated(KEY_REVOKED)
        if not turn.run_lease.stopped:
            await self._leases.inherit(turn.run_lease)
        return await self._complete_stopped(turn, entry, draft), None

    async def _complete(self, turn: TurnLease, state: ChatState) -> Event:
        """Store the answer or the question, and return its event. Raises `RunLost`, with nothing stored."""
        call, now = turn.call, datetime.now(UTC)
        message_id = chat_message_id(call, "response", state["turn_id"])
        title = _conversation_title(turn, state)
        event = terminal_event(state, message_id=message_id, title=title)
        if self._reviews is not None and event["type"] == "response":
            advice = await find_advice(self._reviews, call.principal.tenant, state["plain"])
            event = with_advice(event, advice)
        reviewed = await self._is_reviewed(turn, event)
        submission = answer_submission(call, state, event, now, reviewed=reviewed)
        if submission is not None:  # file nothing for a turn that another run has taken over
            await self._leases.ensure_held(turn.run_lease)
        filed = await self._filing.file(submission)
        lines = []
        if event["type"] == "response":
            event |= {"review": None} | filing_summary(filed)
            if not event["cancelled"]:
                lines = [response_line(call, state["turn_id"], event, datetime.now(UTC))]
        documents = tuple(
            DocumentRef(id=id_, title=title) for title, id_ in state["conversation_docs"].items()
        )
        left = filed.left if filed else None
        await self._turns.complete(turn, event, lines, documents, title=title, left=left)
        return event

    async def _is_reviewed(self, turn: TurnLease, event: Mapping[str, Any]) -> bool:
        """Whether the answer cites a document of the policy's `reviewed_sets`."""
        sets = turn.policy.reviewed_sets
        cited = {one["document_id"] for one in event.get("citations", ())} if sets else ()
        for document_id in cited:
            with suppress(NotFound):  # a web page, or deleted in the meantime
                document = await self._documents.document(turn.policy.tenant, document_id)
                if document.set_name in sets:
                    return True
        return False

    async def _complete_stopped(self, turn: TurnLease, entry: TurnInput, draft: Draft) -> Event:
        """End a turn that the person stopped: the message and the draft of the answer are kept."""
        call = turn.call
        event: Event = {
            "type": "error",
            "message": STOPPED,
            "problem": None,
            "thread_id": call.thread_id,
            "stopped": True,
            "response": render_draft(draft.claims),
        }
        lines = []
        if event["response"]:
            event["message_id"] = chat_message_id(call, "response")
            resumes = entry.state is not None and isinstance(call.content, Answer)
            turn_id = entry.state["turn_id"] if entry.state and resumes else call.request_id
            lines = [response_line(call, turn_id, event, datetime.now(UTC), kind="stopped")]
        await self._turns.complete(turn, event, lines, turn.conversation.documents)
        return event

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: ChatCall, live: LiveRun
    ) -> None:
        await live.emit(result)

    def _error_fields(self, call: ChatCall) -> dict[str, Any]:
        return {"thread_id": call.thread_id}


def _conversation_title(turn: TurnLease, state: ChatState) -> str:
    """The model's title, as long as the conversation is still named after its first message."""
    current, intent = turn.conversation.title, state["intent"]
    if intent is None or not intent.title:
        return current
    first = conversation_title(state["message"], state["mentions"])
    return shorten_title(intent.title) if current == first else current
