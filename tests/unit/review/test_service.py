"""Who may submit, see and decide, and what becomes of a decision."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.domain.access import Principal
from app.domain.review import ReviewedRecord
from app.errors import AlreadyReviewed, Forbidden, Invalid, NotFound, StoreUnavailable
from app.review.service import ReviewService
from app.store.reviews.files import FileReviews

JO = Principal(tenant="clinic", user="jo", key_id="1")
KIM = Principal(tenant="clinic", user="kim", key_id="2")
ANN = Principal(tenant="clinic", user="ann", scopes=("operator",), key_id="3")
STRANGER = Principal(tenant="bakery", user="ann", scopes=("admin",), key_id="4")
GIVEN: dict[str, Any] = {
    "issue": {"reported_symptom": "The form was sent and nothing says so"},
    "investigation": {"confidence": "low", "impact": "normal"},
    "recommendation": {"proposed_next_action": "Look whether the patient is listed"},
    "why_escalated": "The confidence is not high",
    "submitter": {"name": "Jo", "role": "receptionist"},
}
PERSON = {"name": "Ann", "role": "operator"}


class Desk:
    """The service on files of its own, and the decisions that were followed."""

    def __init__(self, folder: Path, *, fails: bool = False) -> None:
        self.followed: list[str] = []
        self.reviews = FileReviews(folder)
        self.service = ReviewService(self.reviews, self._follow)
        self._fails = fails

    async def _follow(self, reviewed: ReviewedRecord) -> None:
        if self._fails:
            raise StoreUnavailable
        self.followed.append(reviewed.id)

    async def refused(self) -> int:
        return await self.reviews.refusals("clinic", 0, 2**50)

    async def decide(self, who: Principal, record_id: str, **changed: Any) -> ReviewedRecord:
        given: dict[str, Any] = {"outcome": "approved", "notes": "It is there", "operator": PERSON}
        return await self.service.decide(who, record_id, **(given | changed))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ids(found: Sequence[Any]) -> list[str]:
    return [one.id for one in found]


async def test_a_record_is_its_submitter_s_and_the_operators_of_the_tenant(desk: Desk) -> None:
    made = await desk.service.submit(JO, GIVEN)
    assert (made.tenant_id, made.origin.user, made.origin.kind) == ("clinic", "jo", "mcp")
    for who in (JO, ANN):
        assert await desk.service.get(who, made.id) == made
        assert ids(await desk.service.listed(who, "pending")) == [made.id]
    for who in (KIM, STRANGER):
        with pytest.raises(NotFound):
            await desk.service.get(who, made.id)
        assert ids(await desk.service.listed(who, "pending")) == []


async def test_whose_it_is_and_when_are_not_taken_from_what_was_handed_in(desk: Desk) -> None:
    lie = {"tenant_id": "bakery", "submitted_at_ms": 1, "origin": {"kind": "mcp", "user": "kim"}}
    made = await desk.service.submit(JO, GIVEN | lie)
    assert (made.tenant_id, made.origin.user) == ("clinic", "jo")
    assert made.submitted_at_ms > 1


@pytest.mark.parametrize("gone", ["submitter", "issue", "why_escalated"])
async def test_what_is_no_record_is_refused_in_words_and_counted(desk: Desk, gone: str) -> None:
    given = {name: value for name, value in GIVEN.items() if name != gone}
    with pytest.raises(Invalid, match=gone):
        await desk.service.submit(JO, given)
    assert await desk.refused() == 1
    assert ids(await desk.service.listed(ANN, "pending")) == []


async def test_a_decision_is_an_operator_s_and_final(desk: Desk) -> None:
    made = await desk.service.submit(JO, GIVEN)
    with pytest.raises(Forbidden):
        await desk.decide(JO, made.id)
    with pytest.raises(NotFound):
        await desk.decide(STRANGER, made.id)
    reviewed = await desk.decide(ANN, made.id)
    assert (reviewed.review.decision, reviewed.review.notes) == ("approved", "It is there")
    with pytest.raises(AlreadyReviewed):
        await desk.decide(ANN, made.id, outcome="rejected")
    assert ids(await desk.service.listed(ANN, "approved")) == [made.id]
    assert ids(await desk.service.listed(ANN, "pending")) == []
    assert desk.followed == [made.id]
    assert await desk.refused() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": "skip"},
        {"outcome": ""},
        {"notes": ""},
        {"notes": "x" * 10_000},
        {"operator": {"name": "Ann"}},
        {"operator": {"name": " ", "role": "operator"}},
    ],
)
async def test_a_decision_that_cannot_be_changes_nothing(
    desk: Desk, changed: dict[str, Any]
) -> None:
    made = await desk.service.submit(JO, GIVEN)
    with pytest.raises(Invalid):
        await desk.decide(ANN, made.id, **changed)
    assert await desk.service.get(ANN, made.id) == made
    assert await desk.refused() == 1


@pytest.mark.parametrize("record_id", ["", "..", "../../etc/passwd", "HITL-\x00", "x" * 10_000])
async def test_what_is_no_id_names_no_record(desk: Desk, record_id: str) -> None:
    with pytest.raises(NotFound):
        await desk.service.get(ANN, record_id)
    with pytest.raises(NotFound):
        await desk.decide(ANN, record_id)


async def test_a_decision_stands_though_what_follows_from_it_fails(tmp_path: Path) -> None:
    desk = Desk(tmp_path, fails=True)
    made = await desk.service.submit(JO, GIVEN)
    assert (await desk.decide(ANN, made.id)).id == made.id
    assert ids(await desk.service.listed(ANN, "approved")) == [made.id]


@pytest.mark.parametrize(("location", "limit"), [("skip", 10), ("", 10), ("pending", 0)])
async def test_a_list_of_nothing_that_there_is_is_refused(
    desk: Desk, location: str, limit: int
) -> None:
    with pytest.raises(Invalid):
        await desk.service.listed(ANN, location, limit=limit)
