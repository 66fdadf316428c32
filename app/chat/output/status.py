"""Status events while a turn runs, and the report to observers after it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from app.chat.state import ChatState
from app.chat.turns import TurnLease
from app.domain.metrics.telemetry import RunReport
from app.domain.redaction import masked, secrets_in
from app.observability.port import Observer
from app.runs import Event, RunTrace, trace_run
from app.usage import Meter

NODE_STATUS_MAP: Mapping[str, str] = MappingProxyType(
    {
        "intent_resolver": "Clarifying intent…",
        "doc_resolver": "Finding documents…",
        "validate_inputs": "Validating request…",
        "summarize": "Summarizing documents…",
        "inquire": "Researching your question…",
        "compare": "Comparing documents…",
        "audit": "Auditing against the documents…",
        "format_response": "Formatting response…",
    }
)
EARLY_S = 0.2  # a node that takes longer emits its status while it runs

Emit = Callable[[Event], Awaitable[None]]


class StatusReporter:
    """Emits one status per node of a run. Later findings of a node are sent with the next status."""

    def __init__(self, thread_id: str, emit: Emit) -> None:
        self._thread_id = thread_id
        self._emit = emit
        self._found: dict[str, Any] = {}
        self._emitted: set[str] = set()
        self._early: asyncio.Task[None] | None = None

    def node_started(self, node: str) -> None:
        self.cancel_early()
        if node in NODE_STATUS_MAP:
            self._early = asyncio.create_task(self._report_early(node))

    async def node_ended(self, node: str, patch: Mapping[str, Any]) -> None:
        self.cancel_early()
        if node not in NODE_STATUS_MAP or patch.get("question") is not None:
            return
        self._found |= node_findings(node, patch)
        if node not in self._emitted:
            await self._report(node)

    def cancel_early(self) -> None:
        if self._early is not None:
            self._early.cancel()
            self._early = None

    async def _report_early(self, node: str) -> None:
        await asyncio.sleep(EARLY_S)
        await self._report(node)

    async def _report(self, node: str) -> None:
        self._emitted.add(node)
        found, self._found = self._found, {}
        event = {"type": "status", "node": node, "message": NODE_STATUS_MAP[node]}
        await self._emit(event | {"thread_id": self._thread_id} | found)


def node_findings(node: str, patch: Mapping[str, Any]) -> dict[str, Any]:
    """What a node found that is shown with its status: documents, the web query."""
    found: dict[str, Any] = {}
    if node == "doc_resolver" and patch.get("documents"):
        found["docs_found"] = [one.model_dump() for one in patch["documents"]]
    if patch.get("web_search_query"):
        found["web_query"] = patch["web_search_query"]
    return found


STATUSES = {"response": "completed", "interrupt": "awaiting_user", "error": "failed"}


def trace_turn(
    observer: Observer, turn: TurnLease, meter: Meter
) -> AbstractContextManager[RunTrace]:
    """Trace a turn. A failed one is reported without a state."""

    def report_failure(trace: RunTrace) -> RunReport:
        return report_turn(turn, meter, trace, {"type": "error"}, None)

    return trace_run(observer, node_findings, report_failure)


def report_turn(
    turn: TurnLease, meter: Meter, trace: RunTrace, event: Event, state: ChatState | None
) -> RunReport:
    """The report of a turn that ended with this event."""
    by, now = meter.by, datetime.now(UTC)
    answer = state["answer"] if state is not None and event["type"] == "response" else None
    support = doubt = None
    if answer is not None and answer.claims:
        doubt = len(answer.unsupported) + answer.doubted
        support = max(0.0, 1 - doubt / answer.claims)
    message = state["message"] if state is not None else turn.call.content.text or ""
    return RunReport(
        tenant=by.tenant,
        user=by.user,
        session_id=by.session_id,
        task_id=by.task_id,
        trace_id=by.trace_id,
        request_id=by.request_id,
        goal=masked(message, secrets_in(message)),
        answer=event["type"],
        status="interrupted" if event.get("stopped") else STATUSES[event["type"]],
        started_at=trace.started_at,
        ended_at=now,
        server_ms=(now - trace.started_at).total_seconds() * 1000,
        nodes=trace.spans,
        question=event.get("interrupt_type"),
        turn=by.message_id,
        answer_text=answer.text if answer is not None else "",
        support=support,
        doubted_claims=doubt,
    )
