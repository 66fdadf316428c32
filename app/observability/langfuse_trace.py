"""Draws traces: what was told of calls and passes becomes observations, each in its place.

    interact-request-{taskId}            one for a chain of requests, whoever works on them;
                                         chat-turn-{messageId} for a turn of the chat
      request                            one for a pass through the graph
        context-analysis, planning, ...  one for each visit to a node
          opening, judging, ...          one for each call, under the node that it ended in

Ids follow from what is told alone, so that another process continues the same trace, and what is told
twice changes nothing. How a call or a run failed is not told: that is for Sentry.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from app.domain.metrics.telemetry import (
    ModelExchange,
    NodeSpan,
    RunReport,
    is_trace_id,
    trace_started_at,
)
from app.domain.metrics.usage import UsageRecord
from app.observability.langfuse_scores import relevance_scores, scores_of
from app.observability.langfuse_shapes import (
    Drawn,
    Kind,
    Observation,
    Trace,
    long_id,
    short,
    span_id,
)

KINDS: dict[str, Kind] = {"model": "generation", "embedding": "embedding", "search": "tool"}


def pass_whole(
    report: RunReport, calls: Iterable[tuple[UsageRecord, ModelExchange | None]]
) -> Drawn:
    """A pass with the calls that were made in it."""
    trace = _trace(
        _trace_id(report.trace_id, report.task_id),
        tenant=report.tenant,
        user=report.user,
        session_id=report.session_id,
        complexity=report.complexity,
        name=f"chat-turn-{report.turn}" if report.turn else f"interact-request-{report.task_id}",
    )
    nodes = tuple(_nodes(report, trace))
    retrieved = tuple(_retrieved(report, trace))
    made = (
        _call(record, exchange, trace, place_of(record.created_at, report, trace.trace_id))
        for record, exchange in calls
    )
    seen = (_root(report, trace), _request(report, trace), *nodes, *retrieved, *made)
    scores = scores_of(
        report, trace.trace_id, place_of_node("verification", report, trace.trace_id)
    )
    return Drawn(seen, (*scores, *relevance_scores(retrieved)))


def call_alone(record: UsageRecord, exchange: ModelExchange | None) -> Drawn:
    """A call whose pass is not known (yet): right under its request."""
    trace_id = _trace_id(record.trace_id, record.task_id or record.usage_id)
    trace = _trace(
        trace_id,
        tenant=record.tenant,
        user=record.user,
        session_id=record.session_id,
        name="" if record.task_id else "no-request",  # whose its pass is, the pass tells
    )
    parent = request_span(trace_id, record.request_id) if record.request_id else None
    return Drawn((_call(record, exchange, trace, parent),))


def request_span(trace_id: str, request_id: str) -> str:
    """The id of a pass's observation."""
    return span_id(trace_id, request_id)


def place_of(moment: datetime, report: RunReport, trace_id: str) -> str:
    """The id of the node's observation that the moment lies in; of the pass's, for none."""
    for at, node in enumerate(report.nodes):
        if node.started_at <= moment <= node.ended_at:
            return span_id(trace_id, report.request_id, at)
    return request_span(trace_id, report.request_id)


def place_of_node(name: str, report: RunReport, trace_id: str) -> str:
    """The id of the last visit to that node; of the pass's observation, for none."""
    for at, node in reversed(tuple(enumerate(report.nodes))):
        if node.node == name:
            return span_id(trace_id, report.request_id, at)
    return request_span(trace_id, report.request_id)


def _trace_id(given: str, otherwise: str) -> str:
    return given if is_trace_id(given) else long_id(given, otherwise)


def _trace(
    trace_id: str,
    *,
    tenant: str,
    user: str,
    session_id: str,
    name: str,
    complexity: str | None = None,
) -> Trace:
    tags = (f"tenant:{tenant}", *([complexity] if complexity else []))
    return Trace(
        trace_id=trace_id,
        name=name,
        user=short(user),
        session=short(session_id),
        tenant=tenant,
        tags=tuple(short(tag) for tag in tags),
    )


def _root(report: RunReport, trace: Trace) -> Observation:
    """The whole chain so far: each pass sends it anew, with its own end."""
    began = trace_started_at(trace.trace_id) or report.started_at
    return Observation(
        trace=trace,
        span_id=span_id(trace.trace_id),
        parent_id=None,
        name=trace.name,
        started_at=min(began, report.started_at),
        ended_at=report.ended_at,
        input=report.goal,
        output=_ended(report),
        metadata={"taskId": report.task_id, "steps": report.step_index},
    )


def _request(report: RunReport, trace: Trace) -> Observation:
    facts: dict[str, Any] = {
        "requestId": report.request_id,
        "stepIndex": report.step_index,
        "serverMs": round(report.server_ms, 1),
        "complexity": report.complexity,
        "misclassified": report.misclassified or None,
        "tier": report.tier,
        "strategy": report.strategy,
        "attempt": report.attempt,
        "rePlanned": report.re_planned,
        "question": report.question,
    }
    return Observation(
        trace=trace,
        span_id=request_span(trace.trace_id, report.request_id),
        parent_id=span_id(trace.trace_id),
        name="request",
        started_at=report.started_at,
        ended_at=report.ended_at,
        input=report.goal,
        output=_ended(report) | {"actions": report.actions},
        metadata={key: value for key, value in facts.items() if value is not None},
    )


def _ended(report: RunReport) -> dict[str, Any]:
    """How the pass ended; with the words of an answer."""
    said = {"said": report.said} if report.said else {}
    return {"answer": report.answer, "status": report.status} | said


def _nodes(report: RunReport, trace: Trace) -> Iterator[Observation]:
    for at, node in enumerate(report.nodes):
        yield Observation(
            trace=trace,
            span_id=span_id(trace.trace_id, report.request_id, at),
            parent_id=request_span(trace.trace_id, report.request_id),
            name=node.node.replace("_", "-"),
            started_at=node.started_at,
            ended_at=node.ended_at,
            output=dict(node.found) or None,
        )


def _retrieved(report: RunReport, trace: Trace) -> Iterator[Observation]:
    """What was found, one observation a source: documents with the goal, the web where it was searched."""
    request = request_span(trace.trace_id, report.request_id)
    for source in dict.fromkeys(one.source for one in report.retrieved):
        found = [one for one in report.retrieved if one.source == source]
        searched = source == "web"
        parent = place_of_node("web_search", report, trace.trace_id) if searched else request
        began, ended = _while_searching(report) if searched else (report.started_at,) * 2
        yield Observation(
            trace=trace,
            span_id=span_id(trace.trace_id, report.request_id, "retrieved", source),
            parent_id=parent,
            name=f"retrieval-{source}",
            kind="retriever",
            started_at=began,
            ended_at=ended,
            input=report.goal,
            output=[
                {"title": short(one.title), "url": one.url, "relevance": one.relevance}
                for one in found
            ],
        )


def _while_searching(report: RunReport) -> tuple[datetime, datetime]:
    visits: list[NodeSpan] = [node for node in report.nodes if node.node == "web_search"]
    last = visits[-1] if visits else None
    return (last.started_at, last.ended_at) if last else (report.started_at, report.ended_at)


def _call(
    record: UsageRecord, exchange: ModelExchange | None, trace: Trace, parent_id: str | None
) -> Observation:
    said = exchange or ModelExchange()
    facts: dict[str, Any] = {
        "actionType": record.action_type,
        "provider": record.provider,
        "stepIndex": record.step_index,
        "usageId": record.usage_id,
        "priced": record.priced,
        "images": said.images or None,
        "credits": record.credits or None,
        "costUsd": record.cost_usd if record.kind == "search" and record.priced else None,
        "promptName": said.prompt_name or None,
        "promptVersion": said.prompt_version or None,
    }
    searched = record.kind == "search"
    return Observation(
        trace=trace,
        span_id=span_id(trace.trace_id, "call", record.usage_id),
        parent_id=parent_id,
        name=record.purpose,
        kind=KINDS[record.kind],
        started_at=record.created_at - timedelta(milliseconds=record.duration_ms),
        ended_at=record.created_at,
        input=_messages(said),
        output=said.reply or None,
        metadata={key: value for key, value in facts.items() if value is not None},
        model=None if searched else record.model,
        usage=None if searched else _usage(record),
        cost={"total": record.cost_usd} if record.priced and not searched else None,
        prompt_name=said.prompt_name,
        prompt_version=said.prompt_version,
    )


def _messages(said: ModelExchange) -> object:
    """As a chat, which is how LangFuse shows prompts; a search's query is plain text."""
    if not said.system:
        return said.prompt or None
    return [{"role": "system", "content": said.system}, {"role": "user", "content": said.prompt}]


def _usage(record: UsageRecord) -> dict[str, int]:
    """Tokens by kind, no token in two of them: LangFuse adds up what begins with `input` and `output`."""
    return {
        "input": record.input_tokens - record.cached_tokens,
        "input_cached_tokens": record.cached_tokens,
        "output": record.output_tokens - record.thinking_tokens,
        "output_reasoning_tokens": record.thinking_tokens,
        "total": record.total_tokens,
    }
