"""What runs for a turn that is ours: the graph, within what may be spent, until it is kept and answered."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from langgraph.types import Command

from app.agent.persistence.report import RunTrace
from app.chat.calls import Answer, ChatCall, chat_message_id
from app.chat.graph import ChatGraph
from app.chat.output.draft import Draft, discarded_draft
from app.chat.output.escalation import answer_submission
from app.chat.output.events import terminal_event, with_advice
from app.chat.output.lines import conversation_title, render_draft, response_line, shorten_title
from app.chat.output.status import StatusReporter, report_turn, trace_turn
from app.chat.resume import TurnInput
from app.chat.state import ChatContext, ChatState
from app.chat.tools import WHOLE_TOKENS, Tools
from app.chat.turns import TurnLease, TurnLeases
from app.domain.chat import ChatLine, DocumentRef
from app.domain.memory import Advice
from app.errors import NotFound, RunLost, Unauthenticated
from app.hitl.inbox import Inbox
from app.llm.port import Model
from app.observability.port import Observer
from app.review.advice import find_advice
from app.review.submission import RecordFiling, filing_summary
from app.runs.live import Event, LiveRun
from app.runs.registry import RunHandle, RunRegistry
from app.runs.thread import forget_result
from app.search.query import Search
from app.store.batch import forget_thread
from app.store.reviews.port import Reviews
from app.usage.allowance import Allowance, use_allowance
from app.usage.meter import Meter, meter_calls
from app.usage.spendings import Spendings
from knowledge import Knowledge


async def run_graph(
    graph: ChatGraph,
    entry: TurnInput,
    context: ChatContext,
    reasoning: StatusReporter,
    watch: RunTrace,
) -> ChatState:
    """Run until the graph waits or ends, and tell what it does. `durability="exit"`: one checkpoint a
    request.
    """
    if entry.replay:
        assert entry.state is not None
        return entry.state
    watch.start()
    given = entry.value
    state: dict[str, Any] = dict(entry.state or {})
    state |= given if isinstance(given, dict) else {}
    stream = graph.astream(
        cast("Any", given),
        entry.config,
        context=context,
        stream_mode=["tasks", "updates"],
        durability="exit",
    )
    try:
        async for mode, chunk in stream:
            told = cast("Mapping[str, Any]", chunk)
            if mode == "tasks":
                if "triggers" in told:  # a task's beginning; its end comes as its update
                    reasoning.node_started(told["name"])
                continue
            for node, patch in told.items():
                if not node.startswith("__"):
                    state.update(patch or {})
                    watch.node_ended(node, patch or {})
                    await reasoning.node_ended(node, patch or {})
    finally:
        reasoning.cancel_early()
    return cast("ChatState", state)


async def close_thread(graph: ChatGraph, entry: TurnInput, context: ChatContext) -> None:
    """Bring a thread to its end whose question expired, or was taken back."""
    assert isinstance(entry.value, Command)
    await graph.ainvoke(entry.value, entry.config, context=context, durability="exit")


LOCKED_OUT = "The key that this was asked with opens no more: nothing more is done."
STOPPED = "Stopped."


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExecutor:
    """Works on turns, many at once. `spendings` is None where no model is paid for."""

    graph: ChatGraph
    turns: TurnLeases
    documents: Knowledge
    inbox: Inbox
    flights: RunRegistry
    model: Model | None
    search: Search | None
    spendings: Spendings | None
    filing: RecordFiling
    observer: Observer
    reviews: Reviews | None = None
    whole_tokens: int = WHOLE_TOKENS

    async def execute(self, held: TurnLease, entry: TurnInput, live: LiveRun) -> None:
        """Run the graph for it, keep what came of it, and answer. An error gives the turn back."""
        async with self.flights.hold(held.call.principal, held.run_lease) as flight:
            allowance = await self._allowance(held)
            with (
                meter_calls(held.spender) as meter,
                use_allowance(allowance),
                trace_turn(self.observer, held, meter) as watch,
            ):
                event, state = await self._run(held, entry, live, flight, meter, watch)
                report_turn(self.observer, held, meter, watch, event, state)
        await live.emit(event)

    def context(self, held: TurnLease, meter: Meter, draft: Draft | None = None) -> ChatContext:
        """What the graph is handed for this turn."""
        return ChatContext(
            tools=Tools(
                tenant=held.call.principal.tenant,
                documents=self.documents,
                policy=held.policy,
                model=self.model,
                search=self.search,
                whole_tokens=self.whole_tokens,
                draft=draft or discarded_draft(),
            ),
            who=held.call.principal,
            request_id=held.call.request_id,
            task_id=held.task_id,
            question_inbox=self.inbox.under(held.run_lease.lease),
            meter=meter,
        )

    async def _run(
        self,
        held: TurnLease,
        entry: TurnInput,
        live: LiveRun,
        flight: RunHandle,
        meter: Meter,
        watch: RunTrace,
    ) -> tuple[Event, ChatState | None]:
        """The terminal event, once all of it is kept, and the state it tells of."""
        call = held.call
        if entry.state is not None and isinstance(call.content, Answer):
            of_turn = chat_message_id(call, "response", entry.state["turn_id"])
            meter.set_chain(entry.state["trace_id"], of_turn)
        reasoning = StatusReporter(call.thread_id, live.emit)
        draft = Draft(call.thread_id, live)
        context = self.context(held, meter, draft)
        try:
            state = await flight.run(run_graph(self.graph, entry, context, reasoning, watch))
            if state is not None:
                return await self._answered(held, state), state
        except RunLost:
            forget_thread()
        else:
            await forget_result(self.graph, entry.config)
        if flight.key_revoked:
            raise Unauthenticated(LOCKED_OUT)
        if not held.run_lease.stopped:
            await self.turns.leases.inherit(held.run_lease)
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
            await self.turns.leases.ensure_held(held.run_lease)
        filed = await self.filing.file(submission)
        if event["type"] == "response":
            event |= {"review": None} | filing_summary(filed)
        lines, left = _lines(call, state, event), filed.left if filed else None
        await self.turns.complete(held, event, lines, _registry(state), title=title, left=left)
        return event

    async def _advice(self, call: ChatCall, state: ChatState, event: Event) -> tuple[Advice, ...]:
        """What operators decided of such a question; nothing is read for one that is not answered yet."""
        if self.reviews is None or event["type"] != "response":
            return ()
        return await find_advice(self.reviews, call.principal.tenant, state["plain"])

    async def _is_reviewed(self, held: TurnLease, event: Event) -> bool:
        """Whether it cites a document of the policy's `reviewed_sets`."""
        sets = held.policy.reviewed_sets
        cited = {one["document_id"] for one in event.get("citations", ())} if sets else ()
        for id_ in cited:
            with suppress(NotFound):  # of the web, or deleted meanwhile
                if (await self.documents.document(held.policy.tenant, id_)).set_name in sets:
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
        await self.turns.complete(held, event, lines, held.conversation.documents)
        return event

    async def _allowance(self, held: TurnLease) -> Allowance | None:
        """What the request may spend; None where there is no model."""
        if self.spendings is None or held.budgets is None:
            return None
        return await self.spendings.allowance(
            held.budgets, user=held.call.principal.user, task_id=held.task_id, begins=False
        )


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
