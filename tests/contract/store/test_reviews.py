"""What every store of the review queue must do."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.domain.review import (
    Depths,
    Identity,
    Investigation,
    Issue,
    Origin,
    Recommendation,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    ReviewOutcome,
    Submission,
    new_record_id,
    with_review,
)
from app.errors import AlreadyReviewed, Invalid, NotFound
from app.settings import Settings
from app.store.open import open_reviews, reviews_of
from app.store.reviews.mongo import MongoReviews
from app.store.reviews.port import Reviews

HOSTILE = ("", "..", "HITL-../../etc/passwd", "\0", "HITL-" + "a" * 36, "a/b", "x" * 10_000)


def record(at: int = 1_000, **more: Any) -> Submission:
    """One that waits; of tenant `a`, user `ann`, submitted at this moment."""
    user = more.pop("user", "ann")
    fields: dict[str, Any] = {
        "id": new_record_id(),
        "tenant_id": "a",
        "submitted_at_ms": at,
        "issue": Issue(reported_symptom="Ein Umlaut: ä, a $dollar and a\nline", site="crm.example"),
        "investigation": Investigation(
            what_checked=("one", "two"), evidence=("$it",), confidence="low", impact="normal"
        ),
        "recommendation": Recommendation(proposed_next_action="Look again"),
        "why_escalated": "The confidence is not high",
        "submitter": Identity(name="Tabwright", role="agent"),
        "origin": Origin(kind="task", user=user, reasons=("low_confidence",)),
    }
    return Submission(**(fields | more))


def review(at: int = 2_000, decision: ReviewOutcome = "approved", notes: str = "$fine") -> Review:
    """An operator's decision at this moment."""
    who = Identity(name="Olga", role="operator", team="night")
    return Review(
        decision=decision, reviewed_at_ms=at, notes=notes, operator=who, reviewed_by="Olga"
    )


@pytest.fixture(params=["files", "mongodb"])
async def reviews(request: pytest.FixtureRequest, settings: Settings) -> AsyncIterator[Reviews]:
    if request.param == "files":
        yield reviews_of(settings.model_copy(update={"mongodb_uri": None}), None)  # type: ignore[arg-type]
        return
    async with open_reviews(settings) as opened:
        assert isinstance(opened, MongoReviews)
        yield opened


class TestRecords:
    async def test_a_record_comes_back_as_it_was_before_and_after_the_decision(
        self, reviews: Reviews
    ) -> None:
        one = record()
        assert await reviews.submit(one) == one
        assert await reviews.find("a", one.id) == one
        done = await reviews.decide("a", one.id, review())
        assert done == with_review(one, review())
        assert await reviews.find("a", one.id) == done

    async def test_submitted_again_the_one_that_stands_is_answered(self, reviews: Reviews) -> None:
        one = record()
        await reviews.submit(one)
        other = one.model_copy(update={"why_escalated": "Another reason"})
        assert await reviews.submit(other) == one
        done = await reviews.decide("a", one.id, review())
        assert await reviews.submit(other) == done
        assert await reviews.depths("a") == Depths(approved=1)

    @pytest.mark.parametrize("first", ["approved", "rejected"])
    async def test_the_first_decision_stands(self, reviews: Reviews, first: ReviewOutcome) -> None:
        one = record()
        await reviews.submit(one)
        done = await reviews.decide("a", one.id, review(decision=first))
        for again in ("approved", "rejected"):
            with pytest.raises(AlreadyReviewed):
                await reviews.decide("a", one.id, review(3_000, again, "No"))  # type: ignore[arg-type]
        assert await reviews.find("a", one.id) == done

    async def test_of_operators_who_decide_at_once_one_is_heard(self, reviews: Reviews) -> None:
        for one in [record() for _ in range(5)]:
            await reviews.submit(one)
            said = [review(2_000 + n, ("approved", "rejected")[n % 2]) for n in range(6)]  # type: ignore[arg-type]
            ends = await asyncio.gather(
                *(reviews.decide("a", one.id, each) for each in said), return_exceptions=True
            )
            (heard,) = [end for end in ends if isinstance(end, ReviewedRecord)]
            assert sum(isinstance(end, AlreadyReviewed) for end in ends) == 5
            assert await reviews.find("a", one.id) == heard

    async def test_of_the_same_record_submitted_at_once_one_is_kept(self, reviews: Reviews) -> None:
        one = record()
        versions = [one.model_copy(update={"why_escalated": f"{n}"}) for n in range(6)]
        kept = await asyncio.gather(*map(reviews.submit, versions))
        assert len({each.why_escalated for each in kept}) == 1
        assert (await reviews.depths("a")).pending == 1

    @pytest.mark.parametrize("name", HOSTILE)
    async def test_what_is_no_id_is_not_found(self, reviews: Reviews, name: str) -> None:
        assert await reviews.find("a", name) is None
        with pytest.raises(NotFound):
            await reviews.decide("a", name, review())

    async def test_texts_at_their_bounds_are_kept(self, reviews: Reviews) -> None:
        lines = ("\U0001f600" * 1_999 + "\n",) * 50
        found = Investigation(
            what_checked=lines, evidence=lines, services_connections_involved=lines,
            confidence="low", impact="high",
        )  # fmt: skip
        one = record(investigation=found, missing_information=lines)
        await reviews.submit(one)
        assert await reviews.find("a", one.id) == one


class TestTenants:
    async def test_another_tenants_record_is_none(self, reviews: Reviews) -> None:
        one = record()
        await reviews.submit(one)
        assert await reviews.find("b", one.id) is None
        with pytest.raises(NotFound):
            await reviews.decide("b", one.id, review())
        with pytest.raises(Invalid):
            await reviews.submit(one.model_copy(update={"tenant_id": "b"}))
        assert await reviews.listed("b", "pending", limit=5) == []
        assert await reviews.depths("b") == Depths()
        assert await reviews.timed("b", 0, 9_000) == []
        assert await reviews.find("a", one.id) == one

    async def test_deleting_a_tenant_leaves_the_others(self, reviews: Reviews) -> None:
        mine, theirs = [record(n) for n in range(3)], record(tenant_id="b")
        for one in (*mine, theirs):
            await reviews.submit(one)
        await reviews.decide("a", mine[0].id, review())
        await reviews.refused("a", 1)
        await reviews.refused("b", 1)
        assert await reviews.delete_tenant("a") == 3
        assert await reviews.delete_tenant("a") == 0
        assert [await reviews.find("a", one.id) for one in mine] == [None] * 3
        assert await reviews.tenants() == {"b": Depths(pending=1, oldest_ms=1_000)}
        assert [await reviews.refusals(tenant, 0, 9) for tenant in "ab"] == [0, 1]

    async def test_the_depths_of_every_tenant(self, reviews: Reviews) -> None:
        assert await reviews.tenants() == {}
        for tenant, at in (("a", 30), ("a", 20), ("a", 10), ("b", 40)):
            await reviews.submit(record(at, tenant_id=tenant))
        (oldest,) = (await reviews.listed("a", "pending", limit=3))[2:]
        await reviews.decide("a", oldest.id, review(decision="rejected"))
        expected = {
            "a": Depths(pending=2, rejected=1, oldest_ms=20),
            "b": Depths(pending=1, oldest_ms=40),
        }
        assert await reviews.tenants() == expected
        assert await reviews.depths("a") == expected["a"]


async def paged(reviews: Reviews, limit: int, **more: Any) -> list[Record]:
    """All of them, page by page."""
    found: list[Record] = []
    while page := await reviews.listed("a", "pending", limit=limit, **more):
        found += page
        more["after"] = (page[-1].submitted_at_ms, page[-1].id)
    return found


class TestLists:
    async def test_newest_first_and_by_id_within_a_moment(self, reviews: Reviews) -> None:
        made = [record(at) for at in (5, 7, 7, 7, 7, 3, 9)]
        for one in made:
            await reviews.submit(one)
        expected = sorted(made, key=lambda one: (one.submitted_at_ms, one.id), reverse=True)
        assert list(await reviews.listed("a", "pending", limit=50)) == expected
        for limit in (1, 2, 3, 7):
            assert await paged(reviews, limit) == expected

    async def test_a_users_own(self, reviews: Reviews) -> None:
        made = [record(n, user=("ann", "bo")[n % 2]) for n in range(7)]
        for one in made:
            await reviews.submit(one)
        expected = [one for one in reversed(made) if one.origin.user == "bo"]
        assert await paged(reviews, 2, user="bo") == expected
        assert await reviews.listed("a", "pending", limit=5, user="cy") == []

    async def test_the_decided_are_by_their_decision(self, reviews: Reviews) -> None:
        made = [record(n) for n in range(4)]
        for one in made:
            await reviews.submit(one)
        for at, one in enumerate(made[::-1]):
            await reviews.decide("a", one.id, review(at, ("approved", "rejected")[at % 2]))  # type: ignore[arg-type]
        ids = {
            place: [one.id for one in await reviews.listed("a", place, limit=5)]  # type: ignore[arg-type]
            for place in ("pending", "approved", "rejected")
        }
        assert ids == {
            "pending": [],
            "approved": [made[1].id, made[3].id],
            "rejected": [made[0].id, made[2].id],
        }
        (last,) = await reviews.listed("a", "approved", limit=1, after=(2, made[1].id))
        assert last.id == made[3].id


class TestNumbers:
    async def test_what_was_submitted_or_decided_in_a_span(self, reviews: Reviews) -> None:
        early, late, asked = (
            record(100),
            record(200),
            record(300, origin=Origin(kind="mcp", user="ann")),
        )
        for one in (early, late, asked):
            await reviews.submit(one)
        await reviews.decide("a", early.id, review(250, "rejected"))
        first = RecordTimes(
            submitted_at_ms=100, reviewed_at_ms=250, decision="rejected", by_agent=True
        )
        second = RecordTimes(submitted_at_ms=200, by_agent=True)
        third = RecordTimes(submitted_at_ms=300)
        for since, until, expected in (
            (0, 301, [first, second, third]),
            (100, 101, [first]),
            (250, 251, [first]),
            (200, 250, [second]),
            (101, 200, []),
            (251, 300, []),
        ):
            found = await reviews.timed("a", since, until)
            assert sorted(found, key=lambda one: one.submitted_at_ms) == expected

    async def test_refusals_are_counted(self, reviews: Reviews) -> None:
        for at in (10, 20, 20, 30):
            await reviews.refused("a", at)
        spans = ((0, 40), (10, 20), (20, 30), (31, 40))
        assert [await reviews.refusals("a", *span) for span in spans] == [4, 1, 2, 0]
        assert await reviews.refusals("b", 0, 40) == 0

    async def test_nothing_is_damaged(self, reviews: Reviews) -> None:
        await reviews.submit(record())
        assert await reviews.damaged() == await reviews.damaged("a") == 0
