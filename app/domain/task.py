"""Tasks and what is kept about them."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value
from app.domain.scope import INCLUDES, Role, Scope
from app.errors import ConsentNeedsBrowser, Forbidden

TaskStatus = Literal["active", "executing", "awaiting_user", "completed", "failed", "interrupted"]
ENDED: frozenset[TaskStatus] = frozenset({"completed", "failed"})


class Principal(Value):
    """Who is asking: read from the API key, never from the request.

    A key of role `user` sees its user's own tasks, one of a higher role those of the whole tenant.
    """

    tenant: str
    user: str
    scopes: tuple[Scope, ...] = ("api",)
    key_id: str = ""

    def has(self, scope: Scope) -> bool:
        """Whether one of its scopes is this one, or includes it."""
        return any(scope in INCLUDES[one] for one in self.scopes)

    def require(self, *accepted: Scope) -> None:
        """Raise unless the key has one of these scopes: `ConsentNeedsBrowser` where only a person's browser
        would do, else `Forbidden`.
        """
        if any(self.has(scope) for scope in accepted):
            return
        if accepted == ("browser",):
            raise ConsentNeedsBrowser
        wanted, held = " or ".join(accepted), " and ".join(self.scopes) or "none"
        raise Forbidden(f"This needs a key with scope {wanted}; this one has {held}")

    def without_consent(self) -> "Principal":
        """The same holder at a door where no person's yes is taken, whatever key was sent."""
        left = tuple(scope for scope in self.scopes if scope != "browser")
        return self.model_copy(update={"scopes": left})

    @property
    def role(self) -> Role:
        """The rank of the key in its tenant."""
        if self.has("admin"):
            return "admin"
        return "operator" if self.has("operator") else "user"

    def sees(self, user: str) -> bool:
        """Whether what belongs to this user of the tenant may be seen."""
        return self.user == user or self.has("operator")


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


class Pairing(Value):
    """What a pairing code stands for, until it is used or `expires_at`. It is good at the origin `server`.
    `made_by` is the key that asked for it; "" where the command line did.
    """

    tenant: str
    user: str
    server: str
    made_by: str = ""
    created_at: datetime
    expires_at: datetime


class ApiKey(Value):
    """A key as it is stored; the secret itself is kept nowhere. `ancestors` are the keys that it was paired
    from, the nearest last: it ends with any of them.
    """

    key_id: str
    tenant: str
    user: str
    scopes: tuple[Scope, ...] = ("api",)
    name: str = ""
    ancestors: tuple[str, ...] = ()
    created_at: datetime
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    rotated_to: str | None = None  # the key that takes its place

    def open_at(self, moment: datetime) -> bool:
        """Whether it opens then, by the server's clock alone."""
        ended = self.expires_at is not None and self.expires_at <= moment
        return self.revoked_at is None and not ended

    @property
    def holder(self) -> Principal:
        """Who asks with it."""
        return Principal(tenant=self.tenant, user=self.user, scopes=self.scopes, key_id=self.key_id)
