"""What the rest needs from the storage of questions to people. Every query names its tenant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from app.domain.access import Policy
from app.domain.hitl import AuditEntry, ExecutedOperation, HitlResult, HitlStatus, PendingHitl


class Hitl(Protocol):
    """Questions, one row each, kept when they are over."""

    async def put(self, pending: PendingHitl) -> PendingHitl:
        """Insert, unless it is there; returns the row that stands. Where another question of the task
        waits and has not expired, that one stands and this one is not written.
        """
        ...

    async def get(self, tenant: str, hitl_id: str) -> PendingHitl:
        """The question, or `NotFound`."""
        ...

    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question, whatever its status."""
        ...

    async def of_task(self, tenant: str, task_id: str) -> list[PendingHitl]:
        """Oldest first."""
        ...

    async def conclude(
        self, tenant: str, hitl_id: str, status: HitlStatus, result: HitlResult
    ) -> PendingHitl:
        """End a question that waits; one that is over stays as it is. Returns the row as it then
        stands: the result's `key` tells whose answer it was. An answer is taken before `expires_at`
        alone (by `result.at`). `NotFound` for none.
        """
        ...

    async def forget(self, tenant: str, hitl_id: str, text: str) -> None:
        """Keep this text in place of what was answered: it held a secret, and was taken up."""
        ...

    async def listed(
        self,
        tenant: str,
        *,
        user: str | None = None,
        status: HitlStatus | None = None,
        limit: int,
        before: datetime | None = None,
        since: datetime | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[PendingHitl]:
        """Newest first, those of the same moment by id; of one user, or of all. Asked `before` a moment,
        not before `since`, and in this order after the moment and id of `after`.
        """
        ...


class Audit(Protocol):
    """Who was asked what, answered what, and what was then done. Rows are added and never changed."""

    async def add(self, entries: Sequence[AuditEntry]) -> None:
        """Insert; a row whose entry_id is there already is left as it is."""
        ...

    async def of_task(self, tenant: str, task_id: str) -> list[AuditEntry]:
        """In the order they were made."""
        ...


class Ledger(Protocol):
    """Effects that were sent, by `traceId:stepId`; each at most once. Rows hold no personal data. They
    are written with the request that sends them, see `Operations.complete`.
    """

    async def of_task(self, tenant: str, task_id: str) -> list[ExecutedOperation]:
        """In the order they were sent."""
        ...


class Policies(Protocol):
    """What each tenant lets the agent do unasked."""

    async def get(self, tenant: str) -> Policy:
        """The tenant's; the default one where none was set."""
        ...

    async def put(self, policy: Policy) -> None:
        """Insert or replace."""
        ...
