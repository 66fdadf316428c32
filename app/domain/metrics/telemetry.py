"""What each run reports to observers. Recording never fails or slows a run."""

import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

_VERSION, _VARIANT = 0x7, 0b10


def new_trace_id() -> str:
    """A UUID version 7 (RFC 9562, section 5.7): milliseconds since 1970, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    high = milliseconds << 16 | _VERSION << 12 | secrets.randbits(12)
    return f"{high << 64 | _VARIANT << 62 | secrets.randbits(62):032x}"


def is_trace_id(text: str) -> bool:
    """Whether the text is a valid OpenTelemetry trace id: 32 lower-case hex digits, not all 0."""
    return len(text) == 32 and set(text) <= set("0123456789abcdef") and set(text) != {"0"}


def trace_started_at(trace_id: str) -> datetime | None:
    """The start time encoded in the trace id; None if there is none."""
    if not is_trace_id(trace_id) or int(trace_id[12], 16) != _VERSION:
        return None
    try:
        return datetime.fromtimestamp(int(trace_id[:12], 16) / 1000, UTC)
    except (
        ValueError,
        OverflowError,
        OSError,
    ):  # year out of range: it only looks like a version 7 id
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExchange:
    """The text of one model call: what was sent and what came back (empty on failure).

    `prompt_name` and `prompt_version` identify the prompt file behind `system`.
    """

    system: str = ""
    prompt: str = ""
    reply: str = ""
    images: int = 0
    prompt_name: str = ""
    prompt_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpan:
    """One visit to a graph node. `found` are a few facts worth showing, never page text."""

    node: str
    started_at: datetime
    ended_at: datetime
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def duration_ms(self) -> float:
        return (self.ended_at - self.started_at).total_seconds() * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedPassage:
    """A passage retrieved for the goal, from a web search or the team's documents."""

    source: str  # "web" or "knowledge"
    title: str
    url: str = ""
    relevance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfaction:
    """A person's rating of a chat answer; a later rating of the same answer replaces it."""

    trace_id: str
    message_id: str
    satisfied: bool
    comment: str  # with secrets masked
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounts:
    """What one run adds to its task's counters.

    For the chain that this run settled (one or more actions), `begun` counts the actions that the browser
    began and `done` those that succeeded; `chained` is its length if it had two or more, else 0. `answered`
    is the kind of question that a person answered.
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
        """Whether a chain of several actions was settled and succeeded as a whole."""
        return 0 < self.chain_length == self.actions_succeeded

    @property
    def round_trips_saved(self) -> int:
        return max(0, self.actions_started - 1) if self.chain_length else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestIds:
    """Whose request it is, and the session, task and trace (32 hex digits) it belongs to."""

    tenant: str
    user: str
    session_id: str
    task_id: str
    trace_id: str
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport(RequestIds):
    """The report of one run of the graph. `trace_id` (32 hex digits) is that of the request chain, which a
    task keeps; `answer` is the type of the terminal event, `status` the task's. `action_succeeded`,
    `confidence` and `tier` belong to the verification of the previous actions, None without one.
    `repair_worked` is the result of a correction, None if none was settled. `predicted` and `met` belong to
    the last checkable prediction. `server_ms` values are milliseconds.

    `turn` is None for a task; for a chat turn it is the id of the answer. `said` is the answer's text,
    `support` the share of its claims that are undoubted, `doubt` the number of doubted or removed claims;
    the last two are None for an answer without claims.
    """

    goal: str  # with secrets masked
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
    question: str | None = None  # the kind of question asked
    repair_source: str | None = None  # the source of the settled correction
    task_ms: float = 0.0  # sum over the task's runs so far, including this one
    tally: RunCounts = RunCounts()
    turn: str | None = None
    answer_text: str = ""
    support: float | None = None
    doubted_claims: int | None = None
