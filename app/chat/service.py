"""Requests to the chat: begun at most once, run detached, answered from what is stored."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
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
from app.domain.memory import Advice
from app.domain.metrics.telemetry import Satisfaction
from app.domain.redaction import masked, secrets_in
from app.errors import HitlNotPending, NotFound, RunLost, TabwrightError, TaskBusy, Unauthenticated
from app.hitl import Inbox
from app.llm.port import Model
from app.observability.port import Observer, Observers
from app.review import RecordFiling, filing_summary, find_advice
from app.runs import (
    CLAIM_TTL_S,
    LOCKED_OUT,
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
        super().__init__(together, problem, keys, spendings)
        self._graph = graph
        self._turns = TurnLeases(
            together, self._leases, running=running, modelled=spendings is not None
        )
        self._inbox = Inbox(together)
        self._observer = observer or Observers()
        self._documents = documents
        self._model = model
        self._search = search
        self._whole_tokens = whole_tokens
        self._filing = filing
        self._reviews = reviews

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
        cut = await self._registry.preempt(tenant, task_id, by=STOPPER)
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
            await self._inbox.end(row, "cancelled", by=conversation.user)
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
            entry = await resolve_turn_input(
                self._graph, held, self._inbox, lambda: self._recall_lines(held)
            )
            if entry.result is not None:
                await self._save_answer(held, entry)
            try:
                require_in_time(entry)
            except TabwrightError:
                with meter_calls(held.spender) as meter:
                    await _close_thread(self._graph, entry, self._context(held, meter))
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
        """Run the graph for it, keep what came of it, and answer. An error gives the turn back."""
        held, who = claimed.lease, claimed.lease.call.principal
        async with self._registry.hold(who, held.run_lease) as handle:
            allowance = await self._allowance(held.budgets, who, held.task_id, begins=False)
            with (
                meter_calls(held.spender) as meter,
                use_allowance(allowance),
                trace_turn(self._observer, held, meter) as trace,
            ):
                event, state = await self._run(held, claimed.entry, live, handle, meter, trace)
                send_report(self._observer, lambda: report_turn(held, meter, trace, event, state))
        await live.emit(event)

    def _context(self, held: TurnLease, meter: Meter, draft: Draft | None = None) -> ChatContext:
        """What the graph is handed for this turn."""
        return ChatContext(
            tools=Tools(
                tenant=held.call.principal.tenant,
                documents=self._documents,
                policy=held.policy,
                model=self._model,
                search=self._search,
                whole_tokens=self._whole_tokens,
                draft=draft or discarded_draft(),
            ),
            who=held.call.principal,
            request_id=held.call.request_id,
            task_id=held.task_id,
            inbox=self._inbox,
            lease=held.run_lease.lease,
            meter=meter,
        )

    async def _run(
        self,
        held: TurnLease,
        entry: TurnInput,
        live: LiveRun,
        handle: RunHandle,
        meter: Meter,
        trace: RunTrace,
    ) -> tuple[Event, ChatState | None]:
        """The terminal event, once all of it is kept, and the state it tells of."""
        call = held.call
        if entry.state is not None and isinstance(call.content, Answer):
            of_turn = chat_message_id(call, "response", entry.state["turn_id"])
            meter.set_chain(entry.state["trace_id"], of_turn)
        reasoning = StatusReporter(call.thread_id, live.emit)
        draft = Draft(call.thread_id, live)
        context = self._context(held, meter, draft)
        try:
            run = run_graph(
                self._graph, entry, context, trace, reasoning.node_ended, reasoning.node_started
            )
            try:
                state = cast("ChatState | None", await handle.run(run))
            finally:
                reasoning.cancel_early()
            if state is not None:
                return await self._answered(held, state), state
        except RunLost:
            forget_thread()
        else:
            await forget_result(self._graph, entry.config)
        if handle.key_revoked:
            raise Unauthenticated(LOCKED_OUT)
        if not held.run_lease.stopped:
            await self._leases.inherit(held.run_lease)
        return await self._cut_off(held, entry, draft), None

    async def _answered(self, held: TurnLease, state: ChatState) -> Event:
        """The answer or the question, once it is kept. Raises `RunLost`, with nothing kept."""
        call = held.call
        message_id = chat_message_id(call, "response", state["turn_id"])
        title = _title(held, state)
        event = terminal_event(state, message_id=message_id, title=title)
        event = with_advice(event, await self._advice(call, state, event))
        reviewed = await self._is_reviewed(held, event)
        submission = answer_submission(call, state, event, datetime.now(UTC), reviewed=reviewed)
        if submission is not None:  # is filed for a turn that is still this one's
            await self._leases.ensure_held(held.run_lease)
        filed = await self._filing.file(submission)
        if event["type"] == "response":
            event |= {"review": None} | filing_summary(filed)
        lines, left = _lines(call, state, event), filed.left if filed else None
        await self._turns.complete(held, event, lines, _registry(state), title=title, left=left)
        return event

    async def _advice(self, call: ChatCall, state: ChatState, event: Event) -> tuple[Advice, ...]:
        """What operators decided of such a question; nothing is read for one that is not answered yet."""
        if self._reviews is None or event["type"] != "response":
            return ()
        return await find_advice(self._reviews, call.principal.tenant, state["plain"])

    async def _is_reviewed(self, held: TurnLease, event: Event) -> bool:
        """Whether it cites a document of the policy's `reviewed_sets`."""
        sets = held.policy.reviewed_sets
        cited = {one["document_id"] for one in event.get("citations", ())} if sets else ()
        for id_ in cited:
            with suppress(NotFound):  # of the web, or deleted meanwhile
                if (await self._documents.document(held.policy.tenant, id_)).set_name in sets:
                    return True
        return False

    async def _cut_off(self, held: TurnLease, entry: TurnInput, draft: Draft) -> Event:
        """A turn that the person stopped: what was said stays, and so does what was told of the answer."""
        call = held.call
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
        await self._turns.complete(held, event, lines, held.conversation.documents)
        return event

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: ChatCall, live: LiveRun
    ) -> None:
        await live.emit(result)

    def _error_fields(self, call: ChatCall) -> dict[str, Any]:
        return {"thread_id": call.thread_id}


async def _close_thread(graph: ChatGraph, entry: TurnInput, context: ChatContext) -> None:
    """Bring a thread to its end whose question expired, or was taken back."""
    assert isinstance(entry.value, Command)
    await graph.ainvoke(entry.value, entry.config, context=context, durability="exit")


def _title(held: TurnLease, state: ChatState) -> str:
    """What the conversation is called: by how it began, until it is known what it is about."""
    stands, intent = held.conversation.title, state["intent"]
    if intent is None or not intent.title:
        return stands
    begun = conversation_title(state["message"], state["mentions"])
    return shorten_title(intent.title) if stands == begun else stands


def _lines(call: ChatCall, state: ChatState, event: Event) -> list[ChatLine]:
    """The answer. A question is kept when it is put, and what was cancelled is not shown."""
    if event["type"] != "response" or event["cancelled"]:
        return []
    return [response_line(call, state["turn_id"], event, datetime.now(UTC))]


def _registry(state: ChatState) -> tuple[DocumentRef, ...]:
    return tuple(
        DocumentRef(id=id_, title=title) for title, id_ in state["conversation_docs"].items()
    )
