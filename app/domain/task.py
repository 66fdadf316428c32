"""Tasks and what is kept about them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from app.domain.base import Value

TaskStatus = Literal["active", "executing", "awaiting_user", "completed", "failed", "interrupted"]
ENDED: frozenset[TaskStatus] = frozenset({"completed", "failed"})


Role = Literal["user", "operator", "admin"]
RANKS: dict[Role, int] = {"user": 0, "operator": 1, "admin": 2}


def _role(given: object) -> object:
    """Keys made before there were three roles hold `member`."""
    return "user" if given == "member" else given


KeptRole = Annotated[Role, BeforeValidator(_role)]


class Principal(Value):
    """Who is asking: read from the API key, never from the request.

    A `user` has their own tasks, an `operator` sees those of the whole tenant and answers for it, an
    `admin` also says who may do and spend what.
    """

    tenant: str
    user: str
    role: KeptRole = "user"
    key_id: str = ""

    def has(self, role: Role) -> bool:
        """Whether this role is held, or one above it."""
        return RANKS[self.role] >= RANKS[role]

    def sees(self, user: str) -> bool:
        """Whether what belongs to this user of the tenant may be seen."""
        return self.user == user or self.has("operator")


class Task(Value):
    """One task as it is stored. `metrics` are counters and sums; times are UTC.

    `plan` is the wire form of the plan at its last change: lines and statuses, no element ids. One that
    is `awaiting_user` waits until `waits_until`, and is `interrupted` then.
    """

    task_id: str
    tenant: str
    user: str
    session_id: str
    url: str
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


class Pairing(Value):
    """What a pairing code stands for, until it is used or `expires_at`. It is good at the origin `server`."""

    tenant: str
    user: str
    server: str
    created_at: datetime
    expires_at: datetime


class ApiKey(Value):
    """A key as it is stored; the secret itself is kept nowhere."""

    key_id: str
    tenant: str
    user: str
    role: KeptRole = "user"
    name: str = ""
    created_at: datetime
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    rotated_to: str | None = None  # the key that takes its place

    def open_at(self, moment: datetime) -> bool:
        """Whether it opens then, by the server's clock alone."""
        ended = self.expires_at is not None and self.expires_at <= moment
        return self.revoked_at is None and not ended
