"""The numbers of the review queue, held against the records themselves: in the terminal, over HTTP, in
Prometheus; and the end of all of it with its tenant.
"""

import asyncio
import json
import statistics
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from app.cli.doctor import _review_queue
from app.domain.review import Identity, Record, Review, ReviewedRecord, Submission, new_record_id
from app.review.stats import DAY_MS
from app.settings import Settings
from app.store.open import open_reviews, review_folder
from app.store.reviews.port import Reviews
from app.store.server.embedded_server import is_ours
from app.store.server.record import Running
from tests.contract.store.test_delegations import consent_of, delegation
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import begin, to_the_end
from tests.integration.cli.test_commands import within
from tests.unit.review.test_records import RECORD

OPERATOR = Identity(name="Ann", role="operator")
AGENT, ASKED = {"kind": "task", "user": "jo"}, {"kind": "mcp", "user": "jo"}

UNFINISHED = "Open the Patient menu and press the Discharge button"  # there is no such button


def now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


def record(tenant: str, at: int, origin: dict[str, Any]) -> Submission:
    fields = deepcopy(RECORD) | {"id": new_record_id(), "tenant_id": tenant, "submitted_at_ms": at}
    return Submission.model_validate(fields | {"origin": origin})


def review(outcome: str, at: int) -> Review:
    return Review.model_validate(
        {"decision": outcome, "reviewed_at_ms": at, "notes": "Seen", "operator": OPERATOR}
        | {"reviewed_by": "Ann"}
    )


async def fill(reviews: Reviews) -> list[Record]:
    """Twelve of one tenant over 55 days, some decided after 1 to 5 days, and one of a neighbour."""
    now = now_ms()
    made: list[Record] = []
    for number in range(12):
        at = now - number * 5 * DAY_MS - 1_000
        one = record("acme", at, AGENT if number % 3 else ASKED)
        made.append(await reviews.submit(one))
        if number % 4:
            outcome = "approved" if number % 5 else "rejected"
            decision = review(outcome, min(now, at + number % 6 * DAY_MS))
            made[-1] = await reviews.decide("acme", one.id, decision)
    await reviews.submit(record("umbrella", now, AGENT))
    for _ in range(3):
        await reviews.refused("acme", now)
    return made


def settings_of(kind: str, settings: Settings) -> tuple[Settings, dict[str, str]]:
    """The store of this kind, and how the command is told of it."""
    if kind == "files":
        return settings.model_copy(update={"mongodb_uri": None}), {}
    assert settings.mongodb_uri is not None
    return settings, {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }


@pytest.mark.parametrize("kind", ["files", "mongodb"])
def test_the_numbers_in_the_terminal_are_those_of_the_records(
    kind: str, settings: Settings, tmp_path: Path
) -> None:
    kept, told = settings_of(kind, settings)

    async def made() -> list[Record]:
        async with open_reviews(kept) as reviews:
            return await fill(reviews)

    empty = within("review", "stats", data=tmp_path, **told)
    assert "No records for default." in empty.stdout
    records = asyncio.run(made())
    since = now_ms() - 30 * DAY_MS
    ended = [one for one in records if isinstance(one, ReviewedRecord)]
    recent = [one for one in ended if one.review.reviewed_at_ms >= since]
    own = [one.review.decision for one in recent if one.origin.kind == "task"]
    took = [one.review.reviewed_at_ms - one.submitted_at_ms for one in recent]
    fresh = [one for one in records if one.submitted_at_ms >= since]

    said = within("review", "stats", "--tenant", "acme", "--json", data=tmp_path, **told)
    found = json.loads(said.stdout)
    assert (found["pending"], found["approved"] + found["rejected"]) == (
        12 - len(ended),
        len(ended),
    )
    assert (found["submitted"], found["reviewed"]) == (len(fresh), len(recent))
    assert found["median_review_ms"] == int(statistics.median(took))
    assert found["agreement"] == pytest.approx(own.count("approved") / len(own), abs=1e-4)
    tries = len(fresh) + len(recent) + 3
    assert (found["refused"], found["refused_share"]) == (3, pytest.approx(3 / tries, abs=1e-4))
    oldest = max(now_ms() - one.submitted_at_ms for one in records if one.location == "pending")
    assert oldest - 60_000 < found["oldest_age_ms"] <= oldest
    assert found["damaged"] == 0

    shown = within("review", "stats", "--tenant", "acme", data=tmp_path, **told).stdout
    assert f"{len(recent)} (" in next(line for line in shown.splitlines() if "reviewed in" in line)
    listed = within("review", "list", "--tenant", "acme", "--json", data=tmp_path, **told)
    waiting = [one.id for one in records if one.location == "pending"]
    assert [one["id"] for one in json.loads(listed.stdout)] == waiting
    lines = within("review", "list", "--tenant", "acme", data=tmp_path, **told).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == waiting
    none = within("review", "list", "--tenant", "nobody", data=tmp_path, **told).stdout
    assert "--location approved" in none


def test_workers_of_our_own_store_share_the_files_with_the_commands(tmp_path: Path) -> None:
    """The parent hands the store's address down, which is no MongoDB of one's own."""
    own = Settings(_env_file=None, data_dir=tmp_path)
    running = Running(kind="x", pid=1, port=1, started=0.0, program="x", storage="x")
    worker = own.model_copy(update={"mongodb_uri": SecretStr(running.uri)})
    assert not is_ours(worker)
    running.write(tmp_path / "store.json")
    assert is_ours(worker)
    assert is_ours(own)


async def test_kpis_and_prometheus_tell_of_the_records(client, operator, opened):
    now = now_ms()
    for number in range(5):
        one = record("one", now - number * DAY_MS, AGENT)
        await opened.reviews.submit(one)
    body = {"outcome": "rejected", "notes": "It was the wrong form"}
    for status in (200, 409):
        reply = await operator.post(f"/api/review/{one.id}/decision", json=body)
        assert reply.status_code == status, reply.text
    part = (await operator.get("/api/metrics/kpis")).json()["review"]
    assert (part["pending"], part["approved"], part["rejected"]) == (4, 0, 1)
    assert (part["submitted"], part["reviewed"], part["agreement"]) == (5, 1, 0)
    assert (part["refused"], part["refusedShare"]) == (1, pytest.approx(1 / 7, abs=1e-4))
    assert part["medianReviewMs"] == pytest.approx(4 * DAY_MS, abs=60_000)
    assert part["targets"][-1]["key"] == "review_coverage"
    rows = {row["key"]: (row["state"], row["count"]) for row in part["targets"]}
    assert rows["review_invalid_writes"] == ("below_target", 7)
    assert rows["review_whole_records"] == ("ok", 5)

    async def scraped() -> dict[tuple[str, ...], float]:
        text = (await operator.get("/metrics")).text
        return {
            (one.name.removeprefix("tabwright_review_"), *one.labels.values()): one.value
            for family in text_string_to_metric_families(text)
            for one in family.samples
            if one.name.startswith("tabwright_review_")
        }

    # The queue is counted at times, not for each scrape.
    async with asyncio.timeout(30):
        while (found := await scraped())["records", "pending"] != 4:
            await asyncio.sleep(0.2)
    assert found["records", "rejected"] == 1
    assert found["decisions_total", "rejected"] == found["refused_total",] == 1
    assert found["oldest_age_seconds",] == pytest.approx(3 * 86_400, abs=60)
    assert found["time_to_decision_seconds_sum",] == pytest.approx(4 * 86_400, abs=60)
    assert found["damaged",] == 0


async def test_a_task_that_had_to_be_filed_and_has_no_record_is_noticed(client, opened, database):
    page = ClinicPage()
    await to_the_end(
        client,
        page,
        await begin(client, page, UNFINISHED),
    )

    async def covered() -> tuple[str, float | None, int]:
        rows = (await client.get("/api/metrics/kpis")).json()["review"]["targets"]
        (row,) = [one for one in rows if one["key"] == "review_coverage"]
        return row["state"], row["value"], row["count"]

    assert await covered() == ("ok", 1, 1)
    assert database["reviews"].delete_many({}).deleted_count == 1
    assert await covered() == ("alert", 0, 1)


def test_doctor_says_whether_the_queue_can_be_written_and_read(
    settings: Settings, tmp_path: Path
) -> None:
    kept, _ = settings_of("files", settings)

    async def made() -> None:
        async with open_reviews(kept) as reviews:
            await reviews.submit(record("acme", 1, AGENT))

    asyncio.run(made())
    assert asyncio.run(_doctor(kept)) == (True, "1 pending, none damaged")
    (file,) = (review_folder(kept) / "pending").iterdir()
    file.write_text("{}")
    ok, detail = asyncio.run(_doctor(kept))
    assert (ok, detail) == (False, "0 pending, 1 damaged")


async def _doctor(settings: Settings) -> tuple[bool, str]:
    found = await _review_queue(settings)
    return found.ok, found.detail


@pytest.mark.parametrize("kind", ["files", "mongodb"])
def test_a_deleted_tenant_has_no_records_and_its_neighbour_has(
    kind: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, told = settings_of(kind, settings)

    async def made() -> None:
        async with open_reviews(kept) as reviews:
            await fill(reviews)

    asyncio.run(made())
    monkeypatch.setattr("app.cli.key.CLOSED_S", 0.01)
    gone = within("tenant", "delete", "--tenant", "acme", "--yes", data=tmp_path, **told)
    assert gone.returncode == 0, gone.stderr
    listed = {
        tenant: within("review", "list", "--tenant", tenant, "--json", data=tmp_path, **told).stdout
        for tenant in ("acme", "umbrella")
    }
    assert json.loads(listed["acme"]) == []
    assert len(json.loads(listed["umbrella"])) == 1


async def test_nothing_is_left_of_a_tenants_other_doors_either(store, database):
    """Delegated tasks, consents, records on their way, and what decisions did."""
    for tenant in ("acme", "umbrella"):
        asked = delegation(f"d-{tenant}", tenant=tenant)
        await store.delegations.add(asked)
        await store.delegations.consent(consent_of(asked))
        await store.outbox.add(record(tenant, 1, AGENT))
        await store.effects.add(tenant, new_record_id(), ["history"], at=datetime.now(UTC))
    names = ("delegations", "consents", "review_outbox", "review_effects")
    kept = {name: database[name].count_documents({"tenantId": "acme"}) for name in names}
    assert await store.tenants.delete("acme") == kept == dict.fromkeys(names, 1)
    assert all(database[name].count_documents({}) == 1 for name in names)
