"""The review queue over HTTP: visibility, decisions, second opinions, pages and statistics."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from app.domain.access import ROLES, Principal
from app.domain.review import (
    Identity,
    Investigation,
    Issue,
    Origin,
    Recommendation,
    Submission,
    new_record_id,
)
from app.settings import Settings
from app.store.open import open_reviews
from app.store.repositories import Store
from app.store.reviews.files import FileReviews
from app.store.reviews.port import Reviews
from tests.contract.store.test_conversations import conversation, line
from tests.contract.store.test_store import task
from tests.integration.conftest import running

REVIEW = "/api/review"
NOW = int(datetime.now(UTC).timestamp() * 1000)
GOAL = "Move the appointment of Jas Patel to Friday"
FINE = {"outcome": "approved", "notes": "Friday is right:\nthe ward confirmed it."}


def record(user: str = "ann", *, age_ms: int = 0, tenant: str = "one", **more: Any) -> Submission:
    """One that waits."""
    fields: dict[str, Any] = {
        "id": new_record_id(),
        "tenant_id": tenant,
        "submitted_at_ms": NOW - age_ms,
        "issue": Issue(reported_symptom="Two patients have this name", goal=GOAL),
        "investigation": Investigation(confidence="low", impact="high"),
        "recommendation": Recommendation(proposed_next_action="Ask which Jas is meant"),
        "why_escalated": "The confidence is not high",
        "submitter": Identity(name="Tabwright", role="agent"),
        "origin": Origin(kind="task", user=user, reasons=("low_confidence", "high_impact")),
    }
    return Submission(**(fields | more))


@dataclass(frozen=True)
class Room:
    """A server, what it keeps its records in, and keys of it."""

    url: str
    reviews: Reviews
    store: Store

    async def client(self, user: str, role: Any = "user", tenant: str = "one") -> httpx.AsyncClient:
        _, secret = await self.store.keys.create(
            Principal(tenant=tenant, user=user, scopes=(ROLES[role],))
        )
        headers = {"Authorization": f"Bearer {secret}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20)


@pytest.fixture(params=["mongodb", "files"])
def settings_of(
    request: pytest.FixtureRequest, server_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Settings of a server whose records are in either store; the rest is in the same database."""
    if request.param == "files":
        files = FileReviews(server_settings.data_dir / "review")
        monkeypatch.setattr("app.store.open.reviews_of", lambda *_: files)
    return server_settings


@pytest.fixture
async def room(
    settings_of: Settings, store: Store, request: pytest.FixtureRequest
) -> AsyncIterator[Room]:
    async with running(settings_of) as url:
        if "files" in request.node.name:
            yield Room(url, FileReviews(settings_of.data_dir / "review"), store)
            return
        async with open_reviews(settings_of) as reviews:
            yield Room(url, reviews, store)


async def test_users_see_their_own_records_and_operators_decide_once(room: Room) -> None:
    mine, others = record(age_ms=5_000), record("eve")
    for one in (mine, others, record(tenant="two")):
        await room.reviews.submit(one)
    async with await room.client("ann") as ann, await room.client("olga", "operator") as olga:
        own = (await ann.get(REVIEW)).json()
        assert ([one["id"] for one in own["records"]], own["depths"]) == ([mine.id], None)
        assert (await ann.get(f"{REVIEW}/{others.id}")).status_code == 404
        every = (await olga.get(REVIEW)).json()
        assert [one["id"] for one in every["records"]] == [others.id, mine.id]
        depths = {"pending": 2, "approved": 0, "rejected": 0, "oldest_ms": mine.submitted_at_ms}
        assert every["depths"] == depths
        assert every["records"][1] == mine.model_dump(mode="json")

        denied = await ann.post(f"{REVIEW}/{mine.id}/decision", json=FINE)
        assert (denied.status_code, denied.json()["code"]) == (403, "FORBIDDEN")
        said = FINE | {"operatorName": "Olga Weiß", "operatorTeam": "night"}
        path = f"{REVIEW}/{mine.id}/decision"
        both = await asyncio.gather(olga.post(path, json=said), olga.post(path, json=said))
        won, lost = sorted(both, key=lambda reply: reply.status_code)
        assert (won.status_code, lost.status_code) == (200, 409)
        assert lost.json()["code"] == "ALREADY_REVIEWED"
        review = won.json()["record"]["review"]
        assert review["operator"] == {
            "name": "Olga Weiß", "role": "operator", "id": "olga", "team": "night",
        }  # fmt: skip
        assert (review["decision"], review["notes"]) == ("approved", FINE["notes"])
        assert (await ann.get(f"{REVIEW}/{mine.id}")).json()["record"]["review"] == review
        approved = (await olga.get(REVIEW, params={"location": "approved"})).json()
        assert [one["id"] for one in approved["records"]] == [mine.id]
        found = (await olga.get(f"{REVIEW}/stats")).json()
        assert (found["pending"], found["approved"], found["refused"]) == (1, 1, 1)


async def test_pages_have_each_record_once(room: Room) -> None:
    """Two have the same moment: the id decides."""
    made = [record(age_ms=1_000 * (number // 2)) for number in range(5)]
    for one in made:
        await room.reviews.submit(one)
    async with await room.client("olga", "operator") as olga:
        seen, cursor = [], None
        for _ in range(5):
            page = (await olga.get(REVIEW, params={"limit": "2"} | _from(cursor))).json()
            seen += [one["id"] for one in page["records"]]
            cursor = page["nextCursor"]
            if cursor is None:
                break
        assert cursor is None
        assert sorted(seen) == sorted(one.id for one in made)
        assert len(seen) == 5
        full = (await olga.get(REVIEW, params={"limit": "5"})).json()
        assert (len(full["records"]), full["nextCursor"]) == (5, None)


def _from(cursor: str | None) -> dict[str, str]:
    return {} if cursor is None else {"cursor": cursor}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"outcome": "skip"}, "outcome"),
    ({"notes": ""}, "notes"),
    ({"notes": " \n "}, "notes"),
    ({"notes": "x" * 2_001}, "notes"),
    ({"notes": "bell \a"}, "notes"),
    ({"operatorName": "x" * 201}, "operatorName"),
    ({"operatorRole": "  "}, "operatorRole"),
    ({"operatorTeam": "\0"}, "operatorTeam"),
]


async def test_rejects_invalid_decisions_by_field(
    operator: httpx.AsyncClient, server_settings: Settings
) -> None:
    async with open_reviews(server_settings) as reviews:
        waits = await reviews.submit(record())
        path = f"{REVIEW}/{waits.id}/decision"
        for bad, place in BAD:
            reply = await operator.post(path, json=FINE | bad)
            assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST"), bad
            assert reply.json()["errors"][0]["loc"] == place
        half = await operator.post(path, content=b'{"outcome": "approved", "notes": "\\ud800"}')
        assert half.status_code == 422
        huge = await operator.post(path, json=FINE | {"notes": "x" * 100_000})
        assert huge.status_code == 413
        assert await reviews.refusals("one", NOW - 60_000, NOW + 3_600_000) == len(BAD) + 1
        assert (await reviews.depths("one")).pending == 1
    odd = ("..%2F..", "HITL-" + "a" * 36, "x" * 9_000, new_record_id(), "%00", waits.id.upper())
    for name in odd:
        assert (await operator.get(f"{REVIEW}/{name}")).status_code == 404, name
        assert (await operator.post(f"{REVIEW}/{name}/decision", json=FINE)).status_code == 404
    for asked in ({"location": "skipped"}, {"limit": "0"}, {"limit": "101"}, {"cursor": "no"}):
        assert (await operator.get(REVIEW, params=asked)).status_code == 422, asked
    late = {"from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z"}
    assert (await operator.get(f"{REVIEW}/stats", params=late)).status_code == 422


async def test_second_opinion_on_a_task_has_its_timeline(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, other: httpx.AsyncClient, store: Store
) -> None:
    ended = task("ended", tenant="one", user="ann", status="completed", query=GOAL, result="Moved")
    await store.tasks.save(ended)
    asked = {"taskId": "ended", "note": "Was it the right Jas?"}
    first = await client.post(REVIEW, json=asked)
    again = await client.post(REVIEW, json=asked)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    filed = first.json()["record"]
    assert (filed["issue"]["goal"], filed["issue"]["task_id"]) == (GOAL, "ended")
    assert "asked_for" in filed["origin"]["reasons"]
    shown = (await operator.get(f"{REVIEW}/{filed['id']}")).json()
    assert shown["task"] == (await client.get("/api/task/ended")).json()
    assert shown["turn"] is None
    assert (await other.post(REVIEW, json=asked)).status_code == 404
    assert (await other.get(f"{REVIEW}/{filed['id']}")).status_code == 404
    for bad in ({}, asked | {"threadId": "t"}, {"threadId": "t"}, {"taskId": "t\a"}):
        assert (await client.post(REVIEW, json=bad)).status_code == 422, bad


async def test_record_of_the_chat_has_only_its_turn(
    operator: httpx.AsyncClient, server_settings: Settings, store: Store
) -> None:
    await store.conversations.create(conversation("talk", tenant="one"))
    cited = {
        "citations": [{"marker": 1, "title": "Leave", "label": "Leave, page 2", "quote": "30"}]
    }
    said = [
        line("before", tenant="one", thread_id="talk", turn_id="r0"),
        line("asked", 1, tenant="one", thread_id="talk", turn_id="r1"),
        line("told", 2, tenant="one", thread_id="talk", turn_id="r1", role="assistant",
             kind="answer", metadata=cited),
    ]  # fmt: skip
    await store.conversations.add_lines("one", "talk", said, at=datetime.now(UTC))
    issue = Issue(reported_symptom="How long is leave?", thread_id="talk")
    async with open_reviews(server_settings) as reviews:
        whose = [
            await reviews.submit(
                record(issue=issue, origin=Origin(kind="chat", user=user, message_id="told"))
            )
            for user in ("ann", "eve")
        ]
    shown, strange = [(await operator.get(f"{REVIEW}/{one.id}")).json() for one in whose]
    assert [one["id"] for one in shown["turn"]["messages"]] == ["asked", "told"]
    (told,) = shown["turn"]["messages"][1]["metadata"]["citations"]
    assert told == cited["citations"][0] | {"current_version": None}
    assert (strange["turn"], strange["task"]) == (None, None)
