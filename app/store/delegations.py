"""What the rest needs from the storage of delegated tasks. Every query names its tenant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from app.domain.task import Client, Consent, Delegation, DelegationStatus


class Delegations(Protocol):
    """Tasks that other assistants asked for, and who may ask. Rows live 7 days."""

    async def add(self, delegation: Delegation) -> None:
        """Insert."""
        ...

    async def find(self, tenant: str, delegation_id: str) -> Delegation | None:
        """The delegation, or None."""
        ...

    async def of_task(self, tenant: str, task_id: str) -> Delegation | None:
        """The one that this task carries out, or None."""
        ...

    async def open_of(self, tenant: str, user: str, *, limit: int) -> Sequence[Delegation]:
        """The user's `OPEN` ones, oldest first."""
        ...

    async def move(
        self,
        tenant: str,
        delegation_id: str,
        frm: Sequence[DelegationStatus],
        to: DelegationStatus,
        *,
        now: datetime,
        taker: str | None = None,
        note: str | None = None,
        goal: str | None = None,
    ) -> Delegation | None:
        """Change the status where it is one of `frm`, in one atomic write; the row afterwards, None where
        it was another. What has expired is not allowed or taken any more. `goal`: as it reads from then on.
        """
        ...

    async def link(
        self, tenant: str, delegation_id: str, task_id: str, *, now: datetime, goal: str
    ) -> bool:
        """Keep which task carries it out, and how its goal reads from then on; False where another does, or
        it is not taken.
        """
        ...

    async def consent(self, consent: Consent) -> Consent:
        """Keep it by (tenant, user, client's key and name); the one that stands."""
        ...

    async def consented(self, tenant: str, user: str, client: Client) -> bool:
        """Whether the user lets this client, by key and name."""
        ...

    async def consents(self, tenant: str, user: str) -> Sequence[Consent]:
        """All of the user's, newest first."""
        ...

    async def withdraw(self, tenant: str, user: str, consent_id: str) -> None:
        """Take one back, or `NotFound`."""
        ...
