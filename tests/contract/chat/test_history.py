"""The history of a conversation, read from the real store while its turn ends."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from app.api.routes.chat.conversations import history
from app.domain.access import Principal
from app.domain.chat import ChatLine, Conversation
from app.store.repositories import Store

ME = Principal(tenant="a", user="u")
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def line(role: Any) -> ChatLine:
    return ChatLine(
        message_id=role,
        tenant="a",
        thread_id="c",
        turn_id="r",
        role=role,
        content=role,
        created_at=NOW,
    )


class EndingTurn:
    """The conversations of a store, whose turn ends right after its lines were read."""

    def __init__(self, store: Store, lease: Any) -> None:
        self._store, self._lease = store, lease

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store.conversations, name)

    async def lines(self, *about: Any, **more: Any) -> list[ChatLine]:
        found = await self._store.conversations.lines(*about, **more)
        await self._store.conversations.add_lines("a", "c", [line("assistant")], at=NOW)
        await self._store.leases.release(self._lease)
        return list(found)


async def test_a_turn_that_is_over_has_its_answer(store: Store) -> None:
    await store.conversations.create(
        Conversation(
            thread_id="c",
            tenant="a",
            user="u",
            task_id="t",
            title="C",
            created_at=NOW,
            updated_at=NOW,
        )
    )
    await store.conversations.add_lines("a", "c", [line("user")], at=NOW)
    lease = await store.leases.acquire("a", "t", claim="c", ttl_s=60, user="u")
    ending = SimpleNamespace(
        conversations=EndingTurn(store, lease), leases=store.leases, hitl=store.hitl
    )

    during = await history("c", ME, {"store": ending})  # type: ignore[typeddict-item]
    after = await history("c", ME, {"store": store})  # type: ignore[typeddict-item]

    assert (len(during.messages), during.running) == (1, True)
    assert (len(after.messages), after.running) == (2, False)
