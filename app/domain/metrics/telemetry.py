"""What is reported of each run to observers. Recording never fails or slows a run."""

import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

_VERSION, _VARIANT = 0x7, 0b10


def new_trace_id() -> str:
    """A UUID of version 7 (RFC 9562, section 5.7): milliseconds since 1970, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    high = milliseconds << 16 | _VERSION << 12 | secrets.randbits(12)
    return f"{high << 64 | _VARIANT << 62 | secrets.randbits(62):032x}"


def is_trace_id(text: str) -> bool:
    """Whether it is one that OpenTelemetry takes: 32 lower hex digits, not all of them 0."""
    return len(text) == 32 and set(text) <= set("0123456789abcdef") and set(text) != {"0"}


def trace_started_at(trace_id: str) -> datetime | None:
    """When the trace began; None for an id that does not say."""
    if not is_trace_id(trace_id) or int(trace_id[12], 16) != _VERSION:
        return None
    try:
        return datetime.fromtimestamp(int(trace_id[:12], 16) / 1000, UTC)
    except (ValueError, OverflowError, OSError):  # a year that is none: it only looks like one
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExchange:
    """The words of one call: what was sent, and what came back (empty for a failure).

    `prompt_name` and `prompt_version` name the text of ours that `system` was made of.
    """

    system: str = ""
    prompt: str = ""
    reply: str = ""
    images: int = 0
    prompt_name: str = ""
    prompt_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpan:
    """One visit to a node of a graph. `found` are the few plain facts worth showing: never page text."""

    node: str
    started_at: datetime
    ended_at: datetime
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def duration_ms(self) -> float:
        """How long it took."""
        return (self.ended_at - self.started_at).total_seconds() * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassage:
    """A passage that was found for the goal, from a search of the web or the team's own documents."""

    source: str  # "web" or "knowledge"
    title: str
    url: str = ""
    relevance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfaction:
    """What a person thinks of an answer of the chat; another one on the same answer takes its place."""

    trace_id: str
    message_id: str
    satisfied: bool
    comment: str  # with its secrets masked
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounts:
    """What one pass adds to the counts of its task.

    `begun` are the actions of the chain that was settled by this pass (of one action or of several)
    that the browser began, `done` those of them that worked, `chained` how many were sent in it when it
    had two or more, else 0. `answered` is the kind of the question that a person answered with it.
    """

    starts_task: bool = False
    actions_started: int = 0
    actions_succeeded: int = 0
    chain_length: int = 0
    skills_learned: int = 0
    skill_uses: int = 0
    skills_helped: int = 0
    answered_kind: str | None = None

    @property
    def chain_succeeded(self) -> bool:
        """Whether a chain of several was settled, and all of it worked."""
        return 0 < self.chain_length == self.actions_succeeded

    @property
    def round_trips_saved(self) -> int:
        """Round trips that were not needed since actions were sent together."""
        return max(0, self.actions_started - 1) if self.chain_length else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One pass through the graph, when it has ended. `trace_id` (32 hex digits) is that of the request
    chain, which a task keeps; `answer` is the terminal event's type, `status` that of the task.
    `action_succeeded`, `confidence`, `tier`: of the look at what came before, None without one.
    `repair_worked`: what became of a correction, None where none was settled. `predicted`, `met`:
    of the last prediction that could be checked. Times of `server_ms` in milliseconds.

    `turn` is None for a task; of a turn of the chat it is the id of its answer, `said` the answer's text,
    `support` the share of its claims that stand undoubted, `doubt` how many are doubted or struck out;
    both are None for an answer that claims nothing.
    """

    tenant: str
    user: str
    session_id: str
    task_id: str
    trace_id: str
    request_id: str
    goal: str  # with its secrets masked
    answer: str
    status: str
    started_at: datetime
    ended_at: datetime
    server_ms: float
    step_index: int = 0
    complexity: str | None = None
    misclassified: bool = False
    nodes: tuple[NodeSpan, ...] = ()
    retrieved: tuple[RetrievedPassage, ...] = ()
    actions: int = 0
    action_succeeded: bool | None = None
    confidence: float | None = None
    tier: int | None = None
    strategy: str | None = None
    attempt: int | None = None
    repair_worked: bool | None = None
    predicted: float | None = None
    prediction_met: bool | None = None
    re_planned: bool | None = None
    question: str | None = None  # the kind of what is asked
    repair_source: str | None = None  # where a correction that was settled came from
    task_ms: float = 0.0  # of all the task's passes so far, this one included
    tally: RunCounts = RunCounts()
    turn: str | None = None
    answer_text: str = ""
    support: float | None = None
    doubted_claims: int | None = None
