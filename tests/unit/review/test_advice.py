"""Which decisions speak of what is asked now."""

import pytest

from app.domain.review import Review, Submission, record_id_from
from app.review.advice import LIKE_ENOUGH, MOST, find_advice, likeness, shareable_text
from app.store.reviews.files import FileReviews
from tests.unit.review.alike import FIRST, SECOND

SITE = "crm.example"
PAIRS = (*FIRST, *SECOND)


def submission(number: int, goal: str, site: str | None = SITE, kind: str = "task") -> Submission:
    return Submission.model_validate(
        {
            "id": record_id_from(number.to_bytes(16, "big")),
            "tenant_id": "a",
            "submitted_at_ms": 1_000 + number,
            "issue": {"site": site, "reported_symptom": "It is not sure", "goal": goal},
            "investigation": {"confidence": "low", "impact": "normal"},
            "recommendation": {"proposed_next_action": "Look"},
            "why_escalated": "The confidence is not high",
            "submitter": {"name": "Tabwright", "role": "agent"},
            "origin": {"kind": kind, "user": "ann"},
        }
    )


def review(decision: str, at: int, notes: str = "Because") -> Review:
    operator = {"name": "Olga", "role": "operator"}
    told = {"decision": decision, "reviewed_at_ms": at, "notes": notes, "operator": operator}
    return Review.model_validate(told | {"reviewed_by": "Olga"})


@pytest.fixture
def reviews(tmp_path) -> FileReviews:
    return FileReviews(tmp_path)


async def keep(reviews, number, goal, decision, at, notes="Because", **more):
    record = submission(number, goal, **more)
    await reviews.submit(record)
    await reviews.decide("a", record.id, review(decision, at, notes))
    return record.id


@pytest.mark.parametrize(("one", "other", "alike"), PAIRS)
def test_what_is_similar(one, other, alike):
    assert (likeness(one, other) >= LIKE_ENOUGH) is alike
    assert likeness(one, other) == likeness(other, one)
    assert likeness(one, one) == likeness(other, other) == 1


@pytest.mark.parametrize("text", ["", "   ", "…", "'Ann'", "4711", "the of", "\x00", "🙂" * 3_000])
def test_a_text_that_tells_nothing_is_like_nothing(text):
    assert likeness(text, "Add a patient") == likeness("Add a patient", text) == 0


async def test_it_is_told_without_the_values_of_another_person(reviews):
    await keep(reviews, 1, "Add a patient named 'Ann Smith', ann@a.example", "approved", 2_000)
    (found,) = await find_advice(reviews, "a", "Add a patient named 'Bo'", site=SITE)
    assert not any(own in found.line for own in ("Ann", "ann@", "Smith"))
    assert all(part in found.line for part in (found.notes, found.record_id, "Olga"))
    assert "4711" not in shareable_text("Lösche den Patienten 'Ann' mit Nummer 4711")


async def test_the_newest_of_contradicting_decisions_counts(reviews):
    await keep(reviews, 1, "Delete the patient 'Ann'", "approved", 2_000)
    newer = await keep(reviews, 2, "Please delete the patient 'Bo'", "rejected", 3_000)
    await keep(reviews, 3, "Delete the patient 'Eva'", "approved", 1_500)
    (found,) = await find_advice(reviews, "a", "Delete the patient 'Dan'", site=SITE)
    assert (found.record_id, found.decision) == (newer, "rejected")


async def test_the_nearest_come_first_and_no_more_than_are_read(reviews):
    goals = ["Export the list of open orders", "Export the list of orders", "Export the orders",
             "Export the list of paid orders", "Export the list of late orders"]  # fmt: skip
    ids = [await keep(reviews, at, goal, "approved", 2_000 + at) for at, goal in enumerate(goals)]
    found = await find_advice(reviews, "a", "Export the list of orders", site=SITE)
    assert len(found) == MOST
    assert found[0].record_id == ids[1]


async def test_another_site_or_tenant_says_nothing(reviews):
    await keep(reviews, 1, "Add a patient", "approved", 2_000, site="https://other.example/x")
    assert await find_advice(reviews, "a", "Add a patient", site=SITE) == ()
    assert await find_advice(reviews, "b", "Add a patient") == ()
    assert len(await find_advice(reviews, "a", "Add a patient", site="other.example")) == 1
    await keep(reviews, 2, "Add a patient", "rejected", 3_000, site=None, kind="mcp")
    assert len(await find_advice(reviews, "a", "Add a patient", site=SITE)) == 1


async def test_what_waits_says_nothing(reviews):
    await reviews.submit(submission(1, "Add a patient"))
    assert await find_advice(reviews, "a", "Add a patient", site=SITE) == ()


async def test_a_queue_that_cannot_be_read_advises_nothing():
    class Broken:
        async def depths(self, *_: object, **__: object) -> list[object]:
            raise OSError("gone")

    assert await find_advice(Broken(), "a", "Add a patient") == ()  # type: ignore[arg-type]


async def test_a_record_without_a_goal_is_about_its_symptom(reviews):
    one = submission(1, "")
    issue = {"goal": None, "reported_symptom": "The refund policy is unclear"}
    await reviews.submit(one.model_copy(update={"issue": one.issue.model_copy(update=issue)}))
    await reviews.decide("a", one.id, review("approved", 5))
    (found,) = await find_advice(reviews, "a", "The refund policy is unclear")
    assert found.about == "The refund policy is unclear"
