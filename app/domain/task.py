"""Tasks, their sessions and messages, and tasks delegated by MCP clients."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value

TaskStatus = Literal["active", "executing", "awaiting_user", "completed", "failed", "interrupted"]


ENDED: frozenset[TaskStatus] = frozenset({"completed", "failed"})


class Task(Value):
    """One task as it is stored. `metrics` are counters and sums; times are UTC.

    `sites` are those it worked on, and those it sent the browser to. `plan` is the wire form of the plan
    at its last change: lines and statuses, no element ids. One that is `awaiting_user` waits until
    `waits_until`, and is `interrupted` then.
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
    pass_ms: tuple[float, ...] = ()  # what each of its requests took here, the last ones
    created_at: datetime
    updated_at: datetime


class TaskAction(Value):
    """One action of a task as it is stored. `before` is {url, title, domHash, semanticSkeleton};
    `prediction` is {kind, predicted, met, unmet, brier}, on the last action of a chain;
    `re_planning` {triggered, similarity, decision, reason}, on the first that was chosen after it.
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
    """A conversation of one person; its tasks share it."""

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
    """The assistant that asks, by the key it holds and the name that it gives itself."""

    key_id: str
    name: str
    version: str = ""


class Delegation(Value):
    """One task that a client asks for. `waiting`: for the person's consent; `allowed`: for a browser to take
    it; `taken`: a browser works on it, as `task_id` once that is known. `taker` names that browser;
    `note` says why it ended otherwise than by its task. `recipe` is {recipeId, parameters}.
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
        """What nobody allowed or took in time has expired."""
        over = self.status in ("waiting", "allowed") and self.expires_at <= now
        return "expired" if over else self.status


class Consent(Value):
    """That this person lets this client start tasks, until they take it back."""

    consent_id: str
    tenant: str
    user: str
    client: Client
    created_at: datetime
