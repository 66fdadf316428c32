"""What the rest needs from storage. Every query names its tenant."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from app.domain.task import Message, Session, Task, TaskAction, TaskStatus
from app.store.chat import Conversations
from app.store.delegations import Delegations
from app.store.effects import Effects
from app.store.keys import Keys, Pairings, Secrets
from app.store.knowledge.port import KnowledgeStore
from app.store.learned import Choices, Corrections, Episodes, Kpis, Recipes, Skills
from app.store.outbox import Outbox
from app.store.ownership import Lease, Leases, Operations
from app.store.people_port import Audit, Hitl, Ledger, Policies
from app.store.spending import BudgetRows, Usage

T = TypeVar("T")


class Tasks(Protocol):
    """Tasks, one row each."""

    async def get(self, tenant: str, task_id: str) -> Task:
        """The task, or `NotFound`."""
        ...

    async def find(self, tenant: str, task_id: str) -> Task | None:
        """The task, or None."""
        ...

    async def save(self, task: Task) -> None:
        """Insert or replace by (tenant, task_id)."""
        ...

    async def move(self, tenant: str, task_id: str, to: TaskStatus, *, at: datetime) -> None:
        """Give a task that has not ended another status; nothing happens to one that has, or to none."""
        ...

    async def active(
        self,
        tenant: str,
        session_id: str,
        url: str | None,
        *,
        idle_since: datetime,
        interrupted: bool = False,
    ) -> Task | None:
        """The session's newest task that has not ended, and has been on this URL's site if one is given.

        Tasks not touched since `idle_since` become `interrupted` and are not returned (lazy expiry),
        unless `interrupted` ones are asked for too.
        """
        ...

    async def latest_status(self, tenant: str, session_ids: Sequence[str]) -> dict[str, TaskStatus]:
        """The status of each session's newest task, by session id; none for a session without."""
        ...

    async def executing(self, tenant: str, *, since: datetime, limit: int) -> set[str]:
        """The tasks, `limit` at most, that execute and were touched since then."""
        ...

    async def listed(
        self,
        tenant: str,
        *,
        user: str | None = None,
        status: TaskStatus | None = None,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Task]:
        """Newest first, those of the same moment by task id: made from `since` until before `until`, and
        `after` the task made then with that id. Each without its plan, its last chain and what it found
        on the web, and with the status that is written, which may be old.
        """
        ...


class TaskActions(Protocol):
    """What was sent to the browser."""

    async def add(self, actions: Sequence[TaskAction]) -> None:
        """Insert; a row whose action_id is there already is left as it is."""
        ...

    async def settle(
        self,
        tenant: str,
        statuses: dict[str, str],
        verification: dict[str, Any] | None,
        *,
        then: Sequence[TaskAction] = (),
        predictions: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Write what came of actions, by action_id; `verification` goes to the last of them, and each
        prediction, with what came, to its own.

        `then` is added in the same round trip, as `add` would.
        """
        ...

    async def of_task(self, tenant: str, task_id: str) -> list[TaskAction]:
        """In the order they were made."""
        ...


class Sessions(Protocol):
    """Sessions and their messages."""

    async def get(self, tenant: str, session_id: str) -> Session:
        """The session, or `NotFound`."""
        ...

    async def find(self, tenant: str, session_id: str) -> Session | None:
        """The session, or None."""
        ...

    async def touch(self, session: Session, *, new_task: bool) -> None:
        """Make it if it is not there, else move `updated_at` on; `new_task` counts one more."""
        ...

    async def recent(
        self, tenant: str, user: str, *, limit: int, before: datetime | None = None
    ) -> list[Session]:
        """Newest first."""
        ...


class Messages(Protocol):
    """The history of sessions."""

    async def add(self, messages: Sequence[Message]) -> None:
        """Insert; a row whose message_id is there already is left as it is."""
        ...

    async def of_session(self, tenant: str, session_id: str, *, limit: int) -> list[Message]:
        """The newest `limit`, oldest first."""
        ...


class Space(Protocol):
    """Room on the disk of the data folder."""

    @property
    def free_percent(self) -> float:
        """What is free, of 100."""
        ...

    def require(self) -> None:
        """Raises `StorageFull` where there is too little to begin anything new."""
        ...

    def report(self) -> None:
        """Log each crossing of a threshold, once."""
        ...


class Tenants(Protocol):
    """All that is kept of a tenant at once, for its end."""

    async def close(self, tenant: str) -> None:
        """Delete its keys and pairing codes: nobody comes in any more."""
        ...

    async def is_busy(self, tenant: str) -> bool:
        """Whether a run of the tenant's is under way in any process."""
        ...

    async def delete(self, tenant: str) -> dict[str, int]:
        """Delete every row of the tenant and every checkpoint of its tasks; how many, by collection."""
        ...


class Together(Protocol):
    """Runs several calls as cheaply as one."""

    async def __call__(self, calls: "Callable[[Store], Coroutine[Any, Any, T]]") -> T:
        """Give `calls` the repositories and return what it returns. It awaits nothing but them."""
        ...

    async def writing(
        self,
        calls: "Callable[[Store], Coroutine[Any, Any, T]]",
        *,
        under: Lease | None = None,
        releases: bool = False,
    ) -> T:
        """As a call, for calls that write: in their order, and all in one message where that can be.

        With a lease to write `under`, what this run wrote to its thread and all of it is written while
        the lease is held and nobody can take it, or none of it: then `RunLost` is raised. `releases`: the
        lease ends with it.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """Everything stored, opened together."""

    space: Space

    tasks: Tasks
    actions: TaskActions
    sessions: Sessions
    messages: Messages
    keys: Keys
    pairings: Pairings
    secrets: Secrets
    operations: Operations
    leases: Leases
    tenants: Tenants
    usage: Usage
    choices: Choices
    corrections: Corrections
    skills: Skills
    episodes: Episodes
    recipes: Recipes
    kpis: Kpis
    hitl: Hitl
    audit: Audit
    ledger: Ledger
    policies: Policies
    budgets: BudgetRows
    knowledge: KnowledgeStore
    conversations: Conversations
    delegations: Delegations
    outbox: Outbox
    effects: Effects
