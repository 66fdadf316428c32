"""Tasks, their sessions and messages, and tasks delegated by MCP clients."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value

TaskStatus = Literal["active", "executing", "awaiting_user", "completed", "failed", "interrupted"]
ENDED: frozenset[TaskStatus] = frozenset({"completed", "failed"})


class Task(Value):
    """One task as stored. `metrics` are counters and sums; times are UTC.

    `sites` are those it worked on or sent the browser to. `plan` is the wire form of the latest plan: lines
    and statuses, no element ids. An `awaiting_user` task waits until `waits_until` and is `interrupted`
    after that.
    """

    task_id: str
    tenant: str
    user: str
    session_id: str
    url: str
    sites: tuple[str, ...] = ()
    query: str
    status: TaskStatus = "active"
    step_index: int = 0
    complexity: str | None = None
    plan: dict[str, Any] | None = None
    metrics: dict[str, float] = {}
    last_chain: dict[str, Any] | None = None
    result: str | None = None
    web_search_result: dict[str, Any] | None = None
    waits_until: datetime | None = None
    pass_ms: tuple[float, ...] = ()  # server time of its latest requests
    created_at: datetime
    updated_at: datetime


class TaskAction(Value):
    """One action of a task as stored.

    `before` is {url, title, domHash, semanticSkeleton}; `prediction` is {kind, predicted, met, unmet,
    brier}, on the last action of a chain; `re_planning` is {triggered, similarity, decision, reason}, on
    the first action chosen after it.
    """

    action_id: str
    task_id: str
    tenant: str
    step_index: int
    chain_index: int = 0
    thought: str
    action: str
    description: str = ""
    expected: dict[str, Any] = {}
    before: dict[str, Any] = {}
    status: str = "pending"
    verification: dict[str, Any] | None = None
    prediction: dict[str, Any] | None = None
    re_planning: dict[str, Any] | None = None
    metrics: dict[str, float] = {}
    provenance: dict[str, Any] | None = None
    created_at: datetime


class Message(Value):
    """One line of a session's history."""

    message_id: str
    tenant: str
    session_id: str
    task_id: str | None = None
    role: Literal["user", "assistant"]
    content: str
    action_string: str | None = None
    dom_summary: str | None = None
    created_at: datetime


class Session(Value):
    """One person's session, shared by its tasks."""

    session_id: str
    tenant: str
    user: str
    title: str = ""
    task_count: int = 0
    created_at: datetime
    updated_at: datetime


DelegationStatus = Literal[
    "waiting", "allowed", "taken", "ended", "refused", "cancelled", "expired"
]

OPEN: tuple[DelegationStatus, ...] = ("waiting", "allowed", "taken")


class Client(Value):
    """The MCP client that asks, identified by its key and the name it gives itself."""

    key_id: str
    name: str
    version: str = ""


class Delegation(Value):
    """A task that a client requests.

    `waiting`: for the person's consent; `allowed`: for a browser to take it; `taken`: a browser works on
    it, as `task_id` once known. `taker` is that browser; `note` explains an end that did not come from its
    task. `recipe` is {recipeId, parameters}.
    """

    delegation_id: str
    tenant: str
    user: str
    client: Client
    goal: str
    url: str | None = None
    recipe: dict[str, Any] | None = None
    status: DelegationStatus = "waiting"
    taker: str = ""
    task_id: str | None = None
    note: str = ""
    created_at: datetime
    updated_at: datetime
    expires_at: datetime

    def status_at(self, now: datetime) -> DelegationStatus:
        """The status at that time: expired if nobody allowed or took it in time."""
        over = self.status in ("waiting", "allowed") and self.expires_at <= now
        return "expired" if over else self.status


class Consent(Value):
    """A person's permission for a client to start tasks, until withdrawn."""

    consent_id: str
    tenant: str
    user: str
    client: Client
    created_at: datetime
