"""The capture and review servers as assistants use them, with the real client over HTTP."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.domain.access import ROLES, Principal
from app.domain.review import LONG, SHORT, TEXT
from app.mcp.capture import SubmissionArguments
from app.review.submission import HIGH_CONFIDENCE, MEDIUM_CONFIDENCE
from app.store.open import open_reviews
from tests.integration.desk import Served
from tests.integration.mcp.desk import CASE, MODES, NO_RECORD, VERDICT, keys_of, over_http, told

BAD_IDS = (
    "../../secrets",
    "HITL-\x00",
    "a/b\\c",
    "HITL-" + "9" * 10_000,
    NO_RECORD.lower(),
)


@dataclass(frozen=True)
class House:
    """The module's server, and keys of two people and an operator of a tenant, and of another's."""

    served: Served
    ann: str
    ben: str
    olga: str
    eve: str

    @property
    def url(self) -> str:
        return self.served.url

    def refused(self) -> int:
        """How many invalid attempts to write were counted of the tenant."""

        async def count() -> int:
            async with open_reviews(self.served.settings) as reviews:
                return await reviews.refusals("one", 0, 2**47)

        return asyncio.run(count())


@pytest.fixture(scope="module")
def house(served: Served) -> House:
    people = (("one", "ann", "user"), ("one", "ben", "user"), ("one", "olga", "operator"))
    holders = [
        Principal(tenant=tenant, user=user, scopes=(ROLES[role],))  # type: ignore[arg-type]
        for tenant, user, role in (*people, ("two", "eve", "operator"))
    ]
    return House(served, *keys_of(served.settings, holders))


@pytest.mark.parametrize("mode", MODES)
async def test_case_is_submitted_reviewed_and_reported(house: House, mode: str) -> None:
    async with (
        over_http(house.url, "capture", house.ann, mode) as capture,
        over_http(house.url, "review", house.olga, mode) as review,
    ):
        before = await told(review, "list_submissions")
        handed = await told(capture, "submit_issue_for_review", **CASE)
        assert handed["status"] == "ok"
        one = {"submission_id": handed["id"]}
        waits = await told(capture, "get_submission_status", **one)
        assert (waits["location"], "review" in waits) == ("pending", False)
        queue = await told(review, "list_submissions", limit=1)
        assert [found["id"] for found in queue["submissions"]] == [handed["id"]]

        record = (await told(review, "get_submission", **one))["submission"]
        assert record["issue"]["reported_symptom"] == CASE["reported_symptom"]
        assert record["investigation"]["evidence"] == CASE["evidence"]
        assert record["submitter"]["name"] == CASE["submitter_name"]
        assert (record["tenant_id"], record["origin"]["user"]) == ("one", "ann")
        assert record["origin"]["reasons"] == ["low_confidence"]

        skipped = await told(review, "record_review", **one, **VERDICT | {"outcome": "skip"})
        assert (skipped["status"], "not an outcome" in skipped["message"]) == ("error", True)
        decided = await told(review, "record_review", **one, **VERDICT)
        assert (decided["status"], decided["location"]) == ("ok", "approved")
        again = await told(review, "record_review", **one, **VERDICT | {"outcome": "rejected"})
        assert again["status"] == "error"

        after = await told(capture, "get_submission_status", **one)
        assert after["location"] == "approved"
        assert after["review"]["notes"] == VERDICT["review_notes"]
        assert after["review"]["operator"]["role"] == VERDICT["operator_role"]
        approved = await told(review, "list_submissions", location="approved", limit=1)
        assert approved["submissions"][0]["id"] == handed["id"]
        assert (await told(review, "list_submissions"))["count"] == before["count"]
        assert (await told(capture, "list_submissions", limit=1))["submissions"][0]["review"][
            "decision"
        ] == "approved"


async def test_empty_queue_is_not_an_error(house: House) -> None:
    async with (
        over_http(house.url, "review", house.eve) as review,
        over_http(house.url, "capture", house.ben) as capture,
    ):
        for location in ("pending", "approved", "rejected"):
            empty = await told(review, "list_submissions", location=location)
            assert empty == {"status": "ok", "location": location, "count": 0, "submissions": []}
        assert await told(capture, "list_submissions") == {
            "status": "ok",
            "count": 0,
            "submissions": [],
        }


async def test_visibility_of_records(house: House) -> None:
    async with (
        over_http(house.url, "capture", house.ann) as ann,
        over_http(house.url, "capture", house.ben) as ben,
        over_http(house.url, "capture", house.olga) as olga,
        over_http(house.url, "capture", house.eve) as eve,
        over_http(house.url, "review", house.eve) as strange,
        over_http(house.url, "review", house.ann) as unfit,
    ):
        mine = (await told(ann, "submit_issue_for_review", **CASE))["id"]
        nothing = {"status": "not_found", "id": mine}
        assert await told(ben, "get_submission_status", submission_id=mine) == nothing
        assert (await told(olga, "get_submission_status", submission_id=mine))["status"] == "ok"
        assert await told(eve, "get_submission_status", submission_id=mine) == nothing
        assert await told(strange, "get_submission", submission_id=mine) == nothing
        assert await told(strange, "record_review", submission_id=mine, **VERDICT) == nothing
        listed = [await told(who, "list_submissions") for who in (ann, ben, olga, eve)]
        assert [mine in str(found) for found in listed] == [True, False, True, False]
        for tool, arguments in (
            ("list_submissions", {}),
            ("get_submission", {"submission_id": mine}),
            ("record_review", {"submission_id": mine, **VERDICT}),
        ):
            refused = await told(unfit, tool, **arguments)
            assert (refused["status"], "operator" in refused["message"]) == ("error", True)
        assert (await told(ann, "get_submission_status", submission_id=mine))[
            "location"
        ] == "pending"


HANDED_IN_WRONG: list[tuple[dict[str, Any], str]] = [
    ({"reported_symptom": None}, "reported_symptom"),
    ({"reported_symptom": "  "}, "reported_symptom"),
    ({"reported_symptom": "x" * (TEXT + 1)}, "reported_symptom"),
    ({"reported_symptom": "a\x00b"}, "reported_symptom"),
    ({"what_checked": "the route"}, "what_checked"),
    ({"evidence": ["x" * (TEXT + 1)]}, "evidence.0"),
    ({"evidence": ["x"] * 51}, "evidence"),
    ({"evidence": [1]}, "evidence.0"),
    ({"confidence": "fairly"}, "confidence"),
    ({"confidence": 0.5}, "confidence"),
    ({"impact": "HIGH"}, "impact"),
    ({"submitter_name": ""}, "submitter_name"),
    ({"submitter_role": " "}, "submitter_role"),
    ({"submitter_id": 7}, "submitter_id"),
    ({"site": "x" * (SHORT + 1)}, "site"),
    ({"tenant_id": "two"}, "tenant_id"),
    ({"conclusion": "x" * LONG}, "conclusion"),
]


def test_reports_and_counts_invalid_submissions(house: House) -> None:
    before = house.refused()
    tried = asyncio.run(_hand_in_wrongly(house))
    assert house.refused() - before == tried


async def _hand_in_wrongly(house: House) -> int:
    submit = "submit_issue_for_review"
    required = [
        name for name, field in SubmissionArguments.model_fields.items() if field.is_required()
    ]
    async with over_http(house.url, "capture", house.ben) as ben:
        for name in required:
            case = {key: value for key, value in CASE.items() if key != name}
            assert await told(ben, submit, **case) == {
                "status": "error",
                "message": f"{name} is required",
            }
        for wrong, place in HANDED_IN_WRONG:
            refused = await told(ben, submit, **CASE | wrong)
            assert (refused["status"], refused["message"].split(":")[0]) == ("error", place)
        assert (await told(ben, "list_submissions"))["count"] == 0
        await told(ben, submit, **CASE | {"what_checked": '["a list as its JSON"]'})
    return len(required) + len(HANDED_IN_WRONG)


def test_reports_and_counts_invalid_decisions(house: House) -> None:
    before = house.refused()
    tried = asyncio.run(_decide_wrongly(house))
    assert house.refused() - before == tried


async def _decide_wrongly(house: House) -> int:
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"outcome": "maybe"}, "Invalid outcome"),
        ({"outcome": "APPROVED"}, "Invalid outcome"),
        ({"review_notes": ""}, "review_notes"),
        ({"review_notes": "x" * (TEXT + 1)}, "review_notes"),
        ({"operator_name": " "}, "operator_name"),
        ({"operator_role": None}, "operator_role"),
        ({"reviewed_by": ""}, "reviewed_by"),
    ]
    async with (
        over_http(house.url, "capture", house.ann) as capture,
        over_http(house.url, "review", house.olga) as review,
    ):
        mine = (await told(capture, "submit_issue_for_review", **CASE))["id"]
        for wrong, said in wrongs:
            refused = await told(review, "record_review", submission_id=mine, **VERDICT | wrong)
            assert (refused["status"], refused["message"].split(":")[0]) == ("error", said)
        for name in VERDICT:
            left = {key: value for key, value in VERDICT.items() if key != name}
            refused = await told(review, "record_review", submission_id=mine, **left)
            assert refused == {"status": "error", "message": f"{name} is required"}
        waits = await told(capture, "get_submission_status", submission_id=mine)
        assert waits["location"] == "pending"
    return len(wrongs) + len(VERDICT)


@pytest.mark.parametrize("mode", MODES)
async def test_invalid_ids_and_limits(house: House, mode: str) -> None:
    missing = {"status": "error", "message": "submission_id is required"}
    async with (
        over_http(house.url, "capture", house.olga, mode) as capture,
        over_http(house.url, "review", house.olga, mode) as review,
    ):
        asked = (
            (capture, "get_submission_status", {}),
            (review, "get_submission", {}),
            (review, "record_review", VERDICT),
        )
        for client, tool, more in asked:
            assert await told(client, tool, **more) == missing
            for none in (None, "", "  "):
                assert await told(client, tool, submission_id=none, **more) == missing
            for bad in (*BAD_IDS, NO_RECORD):
                gone = await told(client, tool, submission_id=bad, **more)
                assert gone == {"status": "not_found", "id": bad[:SHORT]}
            assert (await told(client, tool, submission_id=7, **more))["status"] == "error"
        for client in (capture, review):
            for limit in (0, -1, 10**9, "x", None, 2.5, True, [1]):
                refused = await told(client, "list_submissions", limit=limit)
                assert (refused["status"], refused["message"][:5]) == ("error", "limit")
        for location in ("nowhere", "", "../approved", "reviewed", "Pending"):
            refused = await told(review, "list_submissions", location=location)
            assert refused["message"].startswith("Invalid location")
        assert (await told(review, "list_submissions", location=3))["status"] == "error"


async def test_descriptions_match_the_models(house: House) -> None:
    async with (
        over_http(house.url, "capture", house.ann) as capture,
        over_http(house.url, "review", house.olga) as review,
    ):
        tools = {
            (client.server_info.name, tool.name): tool
            for client in (capture, review)
            for tool in (await client.list_tools()).tools
        }
        assert [name for _, name in tools] == [
            "submit_issue_for_review", "get_submission_status", "list_submissions",
            "list_submissions", "get_submission", "record_review",
        ]  # fmt: skip
        for tool in tools.values():
            assert tool.title
            assert tool.description
            assert tool.annotations is not None
            Draft202012Validator.check_schema(tool.input_schema)
        submits = tools["tabwright-capture", "submit_issue_for_review"]
        records = tools["tabwright-review", "record_review"]
        Draft202012Validator(submits.input_schema).validate(CASE)
        Draft202012Validator(records.input_schema).validate({"submission_id": "x", **VERDICT})
        assert set(CASE) == set(submits.input_schema["required"])
        assert set(records.input_schema["required"]) == {"submission_id", *VERDICT}
        assert records.input_schema["properties"]["outcome"]["enum"] == ["approved", "rejected"]
        assert all(field["description"] for field in submits.input_schema["properties"].values())
        reads = [name for name, tool in tools.items() if tool.annotations.read_only_hint]  # type: ignore[union-attr]
        assert len(reads) == 4

        escalation = (await capture.get_prompt("escalation")).messages[0].content.text  # type: ignore[union-attr]
        queue = (await review.get_prompt("review_queue")).messages[0].content.text  # type: ignore[union-attr]
    assert (
        f"`high` from {HIGH_CONFIDENCE:g} on, `medium` from {MEDIUM_CONFIDENCE:g} on" in escalation
    )
    assert all(f"`{name}`" in escalation for name in submits.input_schema["properties"])
    assert all(f"`{name}`" in queue for name in records.input_schema["properties"])
    assert f"{TEXT:,} characters" in escalation
    assert "$" not in escalation + queue
