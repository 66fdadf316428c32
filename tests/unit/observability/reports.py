"""Calls and runs to report in tests."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from app.domain.metrics.telemetry import NodeSpan, RunReport, new_trace_id
from app.domain.metrics.usage import UsageRecord

BEGAN = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
TRACE = new_trace_id()
NODES = ("complexity_check", "context_analysis", "planning", "step_refinement", "verification")


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def a_call(ended: float = 0.5, **given: Any) -> UsageRecord:
    """A call that ended so many seconds after the pass began."""
    known: dict[str, Any] = {
        "usage_id": uuid4().hex,
        "tenant": "one",
        "user": "ann",
        "session_id": "s1",
        "task_id": "T1",
        "trace_id": TRACE,
        "request_id": "r1",
        "step_index": 2,
        "purpose": "opening",
        "action_type": "PLANNING",
        "provider": "gemini",
        "model": "flash",
        "input_tokens": 1000,
        "cached_tokens": 400,
        "output_tokens": 200,
        "thinking_tokens": 50,
        "total_tokens": 1200,
        "cost_usd": 0.0125,
        "priced": True,
        "duration_ms": 250.0,
        "ok": True,
        "created_at": at(ended),
    }
    return UsageRecord(**(known | given))


def a_pass(*names: str, **given: Any) -> RunReport:
    """A pass through these nodes, each of which took a second."""
    nodes = tuple(
        NodeSpan(node=name, started_at=at(second), ended_at=at(second + 1), attributes={})
        for second, name in enumerate(names or NODES)
    )
    known: dict[str, Any] = {
        "tenant": "one",
        "user": "ann",
        "session_id": "s1",
        "task_id": "T1",
        "trace_id": TRACE,
        "request_id": "r1",
        "goal": "Add a patient",
        "answer": "action",
        "status": "executing",
        "started_at": at(0),
        "ended_at": at(len(nodes)),
        "server_ms": 12.5,
        "nodes": nodes,
    }
    return RunReport(**(known | given))
