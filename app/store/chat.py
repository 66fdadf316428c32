"""What the rest needs from the storage of conversations. Every query names its tenant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from app.domain.chat import ChatLine, Conversation, DocumentRef, Rating


class Conversations(Protocol):
    """Conversations and their lines."""

    async def find(self, tenant: str, thread_id: str) -> Conversation | None:
        """The conversation, or None."""
        ...

    async def begin(self, conversation: Conversation) -> Conversation:
        """Insert, unless it is there; the row that stands, whoever made it."""
        ...

    async def say(
        self, tenant: str, thread_id: str, lines: Sequence[ChatLine], *, at: datetime
    ) -> None:
        """Add lines, those that are there already as they are, and move the conversation on to `at`."""
        ...

    async def settle(self, tenant: str, thread_id: str, documents: Sequence[DocumentRef]) -> None:
        """Keep the registry of its thread."""
        ...

    async def rename(
        self, tenant: str, thread_id: str, title: str, *, instead_of: str | None = None
    ) -> None:
        """Give it this title, or only if it still has the one given. Nothing happens to one that is gone."""
        ...

    async def supersede(self, tenant: str, thread_id: str, turn_id: str) -> None:
        """Another turn takes the place of this one, whose lines stay."""
        ...

    async def rate(
        self, tenant: str, thread_id: str, message_id: str, rating: Rating, *, at: datetime
    ) -> ChatLine | None:
        """Keep what its person thinks of an answer, in the place of what they thought before; the line with
        it, or None where the conversation has no such answer.
        """
        ...

    async def rated(
        self, tenant: str, since: datetime, until: datetime, *, limit: int
    ) -> list[ChatLine]:
        """The answers of the tenant that were rated from `since` until before `until`, the last first."""
        ...

    async def delete(self, tenant: str, thread_id: str) -> None:
        """Delete it and its lines."""
        ...

    async def recent(
        self, tenant: str, user: str, *, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Conversation]:
        """Those of one person, the last used first; after the place given."""
        ...

    async def lines(self, tenant: str, thread_id: str, *, limit: int) -> list[ChatLine]:
        """The newest `limit`, oldest first."""
        ...
