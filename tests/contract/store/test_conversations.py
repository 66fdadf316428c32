"""Conversations and their lines, on every store."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.chat import ChatLine, Conversation, DocumentRef, Rating
from app.store.repositories import Store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
ODD = DocumentRef(id="d1", title='$set. The "rates" of 2024 {{x}}')


def conversation(thread_id: str = "t", **more: Any) -> Conversation:
    known = {
        "thread_id": thread_id,
        "tenant": "a",
        "user": "ann",
        "task_id": f"task-{thread_id}",
        "title": "Leave",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Conversation.model_validate(known | more)


def line(name: str, seconds: int = 0, **more: Any) -> ChatLine:
    known = {
        "message_id": name,
        "tenant": "a",
        "thread_id": "t",
        "turn_id": "r",
        "role": "user",
        "content": name,
        "created_at": NOW + timedelta(seconds=seconds),
    }
    return ChatLine.model_validate(known | more)


async def test_it_is_begun_once_and_whoever_made_it_keeps_it(store: Store):
    first = await store.conversations.create(conversation())
    again = await store.conversations.create(conversation(user="bob", title="Mine"))
    assert again == first == await store.conversations.find("a", "t")
    assert await store.conversations.find("b", "t") is None


async def test_lines_come_in_their_order_and_each_once(store: Store):
    await store.conversations.create(conversation())
    said = [line("one"), line("two"), line("three", 1)]
    at = NOW + timedelta(minutes=1)
    await store.conversations.add_lines("a", "t", said[:2], at=NOW)
    await store.conversations.add_lines("a", "t", said, at=at)
    assert await store.conversations.lines("a", "t", limit=10) == said
    assert await store.conversations.lines("a", "t", limit=2) == said[1:]
    assert await store.conversations.lines("b", "t", limit=10) == []
    found = await store.conversations.find("a", "t")
    assert found is not None
    assert (found.message_count, found.updated_at) == (3, at)


async def test_the_registry_keeps_any_title(store: Store):
    await store.conversations.create(conversation())
    await store.conversations.set_documents("a", "t", [ODD])
    found = await store.conversations.find("a", "t")
    assert found is not None
    assert found.documents == (ODD,)


async def test_ones_own_are_listed_by_their_last_use(store: Store):
    for number in range(4):
        moved = NOW + timedelta(minutes=number // 2)
        await store.conversations.create(conversation(f"t{number}", updated_at=moved))
    await store.conversations.create(conversation("bobs", user="bob"))
    await store.conversations.rename("a", "t3", "Holidays")
    first = await store.conversations.recent("a", "ann", limit=3)
    assert [one.thread_id for one in first] == ["t2", "t3", "t0"]
    assert first[1].title == "Holidays"
    place = (first[-1].updated_at, first[-1].thread_id)
    rest = await store.conversations.recent("a", "ann", limit=3, after=place)
    assert [one.thread_id for one in rest] == ["t1"]


async def test_what_is_deleted_is_gone_with_its_lines(store: Store):
    await store.conversations.create(conversation())
    await store.conversations.add_lines("a", "t", [line("one")], at=NOW)
    await store.conversations.delete("a", "t")
    await store.conversations.rename("a", "t", "Back")
    assert await store.conversations.find("a", "t") is None
    assert await store.conversations.lines("a", "t", limit=5) == []


async def test_the_last_rating_of_an_answer_counts_and_of_nothing_else(store: Store):
    await store.conversations.create(conversation())
    answer, rated_at = line("answer", 1, role="assistant"), NOW + timedelta(days=1)
    await store.conversations.add_lines("a", "t", [line("asked"), answer], at=NOW)
    good, bad = Rating(satisfied=True), Rating(satisfied=False, comment="wrong year")
    await store.conversations.rate("a", "t", "answer", good, at=NOW)
    told = await store.conversations.rate("a", "t", "answer", bad, at=rated_at)
    kept = (await store.conversations.lines("a", "t", limit=5))[-1]
    assert told == kept == answer.model_copy(update={"rating": bad, "rated_at": rated_at})
    for tenant, thread, message in (
        ("b", "t", "answer"),
        ("a", "u", "answer"),
        ("a", "t", "asked"),
    ):
        assert await store.conversations.rate(tenant, thread, message, good, at=NOW) is None
    day = timedelta(days=1)
    assert await store.conversations.list_rated("a", rated_at, rated_at + day, limit=5) == [kept]
    assert await store.conversations.list_rated("a", NOW, rated_at, limit=5) == []
    assert await store.conversations.list_rated("b", NOW, rated_at + day, limit=5) == []
    found = await store.kpis.tallies("a", rated_at, rated_at + day)
    assert (found.ratings.count, found.ratings.satisfied) == (1, 0)
    assert (await store.kpis.tallies("a", NOW, rated_at)).ratings.count == 0
    assert list(await store.kpis.series("a", NOW, rated_at + day, "day")) == [
        rated_at.replace(hour=0)
    ]
