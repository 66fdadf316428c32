"""Builds LangFuse traces from reported runs and model calls.

    interact-request-{taskId}            one per task; chat-turn-{messageId} for a chat turn
      request                            one per run of the graph
        context-analysis, planning, ...  one per visit to a node
          opening, judging, ...          one per call, under the node in which it ended

Ids are digests of what is reported, so another process continues the same trace, and a repeated report
overwrites itself. Failures of calls and runs are left to Sentry (decision 0027). Attributes follow
langfuse.com/integrations/native/opentelemetry.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from statistics import fmean
from typing import Any, Literal

from app.domain.metrics.telemetry import (
    ModelExchange,
    NodeSpan,
    RetrievedPassage,
    RunReport,
    Satisfaction,
    is_trace_id,
    trace_started_at,
)
from app.domain.metrics.usage import UsageRecord

Kind = Literal["span", "generation", "embedding", "tool", "retriever"]
Attributes = Mapping[str, str | bool | int | float | Sequence[str]]
Call = tuple[UsageRecord, ModelExchange | None]

KINDS: dict[str, Kind] = {"model": "generation", "embedding": "embedding", "search": "tool"}
LONGEST_NAME = 200  # characters of users, sessions and tags; LangFuse rejects longer ones
LONGEST_TEXT = 100_000  # characters; our longest prompts have about 30,000
OBSERVATION = "langfuse.observation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A span of a trace; one with the same id replaces it. Ids are hex: 32 digits of `trace_id`, else 16."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    started_at: datetime
    ended_at: datetime
    attributes: Attributes


Score = Mapping[str, Any]
"""The body of `POST /api/public/scores`; one with the same id replaces it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Builds the observations of one trace. `attributes` are repeated on each, as LangFuse requires."""

    id: str
    attributes: Attributes

    def observe(
        self,
        name: str,
        ids: tuple[str, str | None],
        period: tuple[datetime, datetime],
        *,
        kind: Kind = "span",
        input: object = None,
        output: object = None,
        metadata: Mapping[str, Any] | None = None,
        more: Attributes | None = None,
    ) -> Observation:
        """Build an observation; `ids` are its own and its parent's, `period` its start and end."""
        found: dict[str, Any] = {**self.attributes, f"{OBSERVATION}.type": kind, **(more or {})}
        for key, value in (("input", input), ("output", output)):
            if value is not None:
                found[f"{OBSERVATION}.{key}"] = value if isinstance(value, str) else _json(value)
        for key, value in (metadata or {}).items():
            if value is not None:
                found[f"{OBSERVATION}.metadata.{key}"] = value
        return Observation(
            trace_id=self.id,
            span_id=ids[0],
            parent_id=ids[1],
            name=name,
            started_at=period[0],
            ended_at=max(period),
            attributes=found,
        )


def observe_run(report: RunReport, calls: Iterable[Call]) -> Iterator[Observation]:
    """Build the observations of a run: its nodes, retrievals and calls."""
    name = f"chat-turn-{report.turn}" if report.turn else f"interact-request-{report.task_id}"
    trace = _trace(
        _trace_id(report.trace_id, report.task_id),
        report.tenant,
        report.user,
        report.session_id,
        name=name,
        complexity=report.complexity,
    )
    root, request = _digest(trace.id), _request_id(trace.id, report.request_id)
    period = (report.started_at, report.ended_at)
    outcome = {"answer": report.answer, "status": report.status}
    if report.answer_text:
        outcome["said"] = _cut(report.answer_text)
    yield trace.observe(
        name,
        (root, None),
        (min(trace_started_at(trace.id) or report.started_at, report.started_at), report.ended_at),
        input=_cut(report.goal),
        output=outcome,
        metadata={"taskId": report.task_id, "steps": report.step_index},
        # Undocumented: LangFuse's own SDKs mark the root like this, since a later run may extend the
        # trace.
        more={"langfuse.internal.is_app_root": True},
    )
    yield trace.observe(
        "request",
        (request, root),
        period,
        input=_cut(report.goal),
        output=outcome | {"actions": report.actions},
        metadata={
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
        },
    )
    for index, node in enumerate(report.nodes):
        yield trace.observe(
            node.node.replace("_", "-"),
            (_digest(trace.id, report.request_id, index), request),
            (node.started_at, node.ended_at),
            output=dict(node.attributes) or None,
        )
    for source, passages in _by_source(report.retrieved):
        yield trace.observe(
            f"retrieval-{source}",
            (
                _digest(trace.id, report.request_id, "retrieved", source),
                _last_visit("web_search" if source == "web" else "", report, trace.id),
            ),
            _retrieval_period(source, report),
            kind="retriever",
            input=_cut(report.goal),
            output=[
                {"title": one.title[:LONGEST_NAME], "url": one.url, "relevance": one.relevance}
                for one in passages
            ],
        )
    for record, exchange in calls:
        yield _observe_call(trace, _node_at(record.created_at, report, trace.id), record, exchange)


def observe_call(record: UsageRecord, exchange: ModelExchange | None) -> Observation:
    """Build the observation of a call whose run is unknown, directly under its request."""
    trace_id = _trace_id(record.trace_id, record.task_id or record.usage_id)
    trace = _trace(
        trace_id,
        record.tenant,
        record.user,
        record.session_id,
        name="" if record.task_id else "no-request",  # a run names the trace
    )
    parent = _request_id(trace_id, record.request_id) if record.request_id else None
    return _observe_call(trace, parent, record, exchange)


def score_run(report: RunReport) -> Iterator[Score]:
    """Build the scores of a run.

    `verification_success`, `correction_success`, `prediction_met`: 1 or 0. `verification_confidence`,
    `prediction_predicted`: 0 to 1. `prediction_brier`: the squared difference of prediction and result;
    0 is best. `answer_support`: the share of an answer's claims that are supported; `answer_doubt`: the
    number of those that are not. `retrieval_relevance`: the mean relevance of one source, 0 to 1.
    """
    trace_id = _trace_id(report.trace_id, report.task_id)
    values: dict[str, float | None] = {
        "verification_success": report.action_succeeded,
        "verification_confidence": report.confidence,
        "correction_success": report.repair_worked,
        "answer_support": report.support,
        "answer_doubt": report.doubted_claims,
    }
    if report.predicted is not None and report.prediction_met is not None:
        values |= {
            "prediction_predicted": report.predicted,
            "prediction_met": report.prediction_met,
            "prediction_brier": (report.predicted - report.prediction_met) ** 2,
        }
    node = _last_visit("verification", report, trace_id)
    for name, value in values.items():
        if value is not None:
            score_id = _digest(trace_id, report.request_id, name, size=16)
            yield _score(score_id, trace_id, node, name, value, report.ended_at)
    for source, found in _by_source(report.retrieved):
        known = [one.relevance for one in found if one.relevance is not None]
        if known:
            span_id = _digest(trace_id, report.request_id, "retrieved", source)
            score_id = _digest(trace_id, span_id, "relevance", size=16)
            at = _retrieval_period(source, report)[1]
            yield _score(score_id, trace_id, span_id, "retrieval_relevance", fmean(known), at)


def score_rating(rating: Satisfaction) -> Score:
    """Build `user_satisfaction` of a chat turn: 1 or 0. A new rating replaces the old."""
    score_id = _digest(rating.trace_id, rating.message_id, "user_satisfaction", size=16)
    score = _score(
        score_id, rating.trace_id, None, "user_satisfaction", rating.satisfied, rating.at
    )
    return {**score, "comment": rating.comment} if rating.comment else score


def _score(
    score_id: str, trace_id: str, span_id: str | None, name: str, value: float, at: datetime
) -> Score:
    score = {
        "id": score_id,
        "traceId": trace_id,
        "name": name,
        "value": float(value),
        "dataType": "NUMERIC",
        "timestamp": at.isoformat(),
    }
    return score if span_id is None else {**score, "observationId": span_id}


def _trace(
    trace_id: str, tenant: str, user: str, session: str, *, name: str, complexity: str | None = None
) -> Trace:
    tags = [f"tenant:{tenant}"[:LONGEST_NAME], *([complexity] if complexity else [])]
    attributes: dict[str, Any] = {
        "user.id": user[:LONGEST_NAME],
        "session.id": session[:LONGEST_NAME],
        "langfuse.trace.tags": tags,
        "langfuse.trace.metadata.tenant": tenant,
    }
    return Trace(trace_id, attributes | ({"langfuse.trace.name": name} if name else {}))


def _by_source(
    retrieved: Sequence[RetrievedPassage],
) -> Iterator[tuple[str, list[RetrievedPassage]]]:
    for source in dict.fromkeys(one.source for one in retrieved):
        yield source, [one for one in retrieved if one.source == source]


def _retrieval_period(source: str, report: RunReport) -> tuple[datetime, datetime]:
    """The period of a retrieval: web searches are nodes, documents are searched at the start."""
    if source != "web":
        return report.started_at, report.started_at
    visits: list[NodeSpan] = [node for node in report.nodes if node.node == "web_search"]
    last = visits[-1] if visits else report
    return last.started_at, last.ended_at


def _observe_call(
    trace: Trace, parent_id: str | None, record: UsageRecord, exchange: ModelExchange | None
) -> Observation:
    texts = exchange or ModelExchange()
    is_search = record.kind == "search"
    more: dict[str, Any] = {}
    if not is_search:
        more[f"{OBSERVATION}.model.name"] = record.model
        more[f"{OBSERVATION}.usage_details"] = _json(_usage(record))
        if record.priced:
            more[f"{OBSERVATION}.cost_details"] = _json({"total": record.cost_usd})
    if texts.prompt_name:
        more[f"{OBSERVATION}.prompt.name"] = texts.prompt_name
        if texts.prompt_version.isdecimal():
            more[f"{OBSERVATION}.prompt.version"] = int(texts.prompt_version)
    return trace.observe(
        record.purpose,
        (_digest(trace.id, "call", record.usage_id), parent_id),
        (record.created_at - timedelta(milliseconds=record.duration_ms), record.created_at),
        kind=KINDS[record.kind],
        input=_messages(texts),
        output=_cut(texts.reply) or None,
        metadata={
            "actionType": record.action_type,
            "provider": record.provider,
            "stepIndex": record.step_index,
            "usageId": record.usage_id,
            "priced": record.priced,
            "images": texts.images or None,
            "credits": record.credits or None,
            "costUsd": record.cost_usd if is_search and record.priced else None,
        },
        more=more,
    )


def _messages(texts: ModelExchange) -> object:
    """The prompt in LangFuse's chat format; a search query is plain text."""
    if not texts.system:
        return _cut(texts.prompt) or None
    return [
        {"role": "system", "content": _cut(texts.system)},
        {"role": "user", "content": _cut(texts.prompt)},
    ]


def _usage(record: UsageRecord) -> dict[str, int]:
    """Tokens by kind, each once: LangFuse sums the keys that start with `input` and `output`."""
    return {
        "input": record.input_tokens - record.cached_tokens,
        "input_cached_tokens": record.cached_tokens,
        "output": record.output_tokens - record.thinking_tokens,
        "output_reasoning_tokens": record.thinking_tokens,
        "total": record.total_tokens,
    }


def _node_at(moment: datetime, report: RunReport, trace_id: str) -> str:
    """The observation of the node running at that time; of the request if none was."""
    for index, node in enumerate(report.nodes):
        if node.started_at <= moment <= node.ended_at:
            return _digest(trace_id, report.request_id, index)
    return _request_id(trace_id, report.request_id)


def _last_visit(name: str, report: RunReport, trace_id: str) -> str:
    """The observation of the last visit to that node; of the request if there was none."""
    for index, node in reversed(tuple(enumerate(report.nodes))):
        if node.node == name:
            return _digest(trace_id, report.request_id, index)
    return _request_id(trace_id, report.request_id)


def _trace_id(reported: str, otherwise: str) -> str:
    return reported if is_trace_id(reported) else _digest(reported, otherwise, size=16)


def _request_id(trace_id: str, request_id: str) -> str:
    return _digest(trace_id, request_id)


def _digest(*parts: object, size: int = 8) -> str:
    """A digest of `size` bytes in hex."""
    return blake2b("\0".join(map(str, parts)).encode(), digest_size=size).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cut(text: str) -> str:
    """Truncate the text, and remove lone surrogates, which cannot be sent."""
    more = len(text) - LONGEST_TEXT
    cut = f"{text[:LONGEST_TEXT]}… ({more} more characters)" if more > 0 else text
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode()
