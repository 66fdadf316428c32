"""The sums that the table of KPIs is made of, and the same over time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.access import Principal
from app.domain.metrics.kpi import MANY_SKILLS, Latency, Tallies
from app.metrics.targets import kpi_table
from app.skills import storage
from app.skills.storage import crowded_tenants, log_crowded_tenants
from app.store.repositories import Store
from tests.contract.store.test_corrections import correction
from tests.contract.store.test_kpis import HOUR, NOW, SPAN, ended, judged, predicted, sent
from tests.fakes.log_lines import capture_module_log

DAY = timedelta(days=1)
MONDAY = datetime(2026, 11, 16, tzinfo=UTC)


def values(found: Tallies) -> dict[str, float | None]:
    return {row.target.key: row.value for row in kpi_table(found)}


async def save(store: Store, *tasks: Any, **change: Any) -> None:
    for task in tasks:
        await store.tasks.save(task.model_copy(update=change))


async def test_times_are_those_of_every_request_and_of_whole_simple_tasks(store: Store) -> None:
    for number in range(1, 21):
        quick = ended(str(number), "completed", serverMs=100.0 * number)
        await save(store, quick, complexity="SIMPLE", pass_ms=(float(number), 1_000.0 * number))
    slow = ended("slow", "completed", serverMs=60_000, misclassified=1)
    await save(store, slow, complexity="SIMPLE")
    await save(store, ended("none", "failed", serverMs=60_000), complexity="COMPLEX")
    found = await store.kpis.tallies("a", *SPAN)
    assert found.passes.count == 40
    assert found.passes.p95_ms == pytest.approx(18_000, rel=0.06)  # of 40 values the 38th
    told = values(found)
    assert told["simple_task_latency"] == pytest.approx(1.9, rel=0.06)  # of 20 the 19th
    assert told["classification_accuracy"] == pytest.approx(21 / 22, abs=1e-4)


async def test_chains_and_what_they_saved(store: Store) -> None:
    chained = {"chains": 4, "chainsWhole": 3, "actions": 12, "roundTripsSaved": 6}
    await store.tasks.save(ended("1", "completed", **chained))
    await store.tasks.save(ended("2", "completed", chains=1, actions=4, roundTripsSaved=1))
    await store.tasks.save(ended("3", "completed", actions=50))  # it had none
    told = values(await store.kpis.tallies("a", *SPAN))
    assert told["chain_success_rate"] == 0.6
    assert told["round_trip_reduction"] == round(7 / 16, 4)


async def test_what_was_left_is_interrupted_though_nobody_looked(store: Store) -> None:
    await store.tasks.save(ended("1", "completed"))
    await save(store, ended("2", "executing"), ended("3", "awaiting_user"), updated_at=NOW - HOUR)
    await store.tasks.save(ended("4", "executing"))
    told = await store.kpis.tallies("a", *SPAN)
    assert {one.status: one.count for one in told.tasks} == {
        "completed": 1, "interrupted": 2, "executing": 1,
    }  # fmt: skip
    assert values(told)["task_completion_rate"] == round(1 / 3, 4)


async def test_a_series_is_the_sums_of_each_stretch(store: Store) -> None:
    first, second, next_week = MONDAY + HOUR, MONDAY + DAY, MONDAY + 7 * DAY
    await save(store, ended("1", "completed"), created_at=first, pass_ms=(10.0,))
    await save(store, ended("2", "failed"), created_at=second, pass_ms=(30.0, 40.0))
    await save(store, ended("3", "completed"), created_at=next_week)
    await save(store, ended("4", "failed", tenant="b"), created_at=first)
    await store.actions.add(
        [
            sent("x", prediction=predicted(0.9, met=True), created_at=second),
            sent("y", verification=judged(1, worked=False), created_at=next_week),
        ]
    )
    tried = correction(1).model_copy(update={"created_at": first, "status": "success"})
    await store.corrections.settle("a", {}, then=[tried])
    span = ("a", MONDAY, MONDAY + 14 * DAY)

    days = await store.kpis.series(*span, "day")
    assert sorted(days) == [MONDAY, second, next_week]
    told = {day: values(one) for day, one in days.items()}
    assert [told[day]["task_completion_rate"] for day in sorted(told)] == [1.0, 0.0, 1.0]
    assert told[MONDAY]["correction_success_rate"] == 1.0
    assert told[next_week]["verification_success_rate"] == 0.0
    assert [one.bin for one in days[second].actions] == [9]
    assert days[second].passes.count == 2

    weeks = await store.kpis.series(*span, "week")
    assert sorted(weeks) == [MONDAY, next_week]
    assert weeks[MONDAY].passes.count == 3
    months = await store.kpis.series(*span, "month")
    assert sorted(months) == [datetime(2026, 11, 1, tzinfo=UTC)]
    whole = await store.kpis.tallies(*span)
    assert months[datetime(2026, 11, 1, tzinfo=UTC)].passes == whole.passes
    assert (await store.kpis.series("c", *span[1:], "day")) == {}


async def test_rows_from_before_there_were_such_counts_have_none(store: Store) -> None:
    await store.tasks.save(ended("1", "completed", looks=2))
    found = await store.kpis.tallies("a", *SPAN)
    assert found.passes == Latency()
    told = values(found)
    assert told["p95_latency"] is told["chain_success_rate"] is None
    assert told["simple_task_latency"] is None


async def test_a_tenant_with_many_skills_is_told_of_once_a_day(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = capture_module_log(monkeypatch, storage)
    for tenant in ("a", "b"):
        await store.keys.create(Principal(tenant=tenant, user="u"))

    async def count_all(tenant: str) -> int:
        return {"a": MANY_SKILLS, "b": MANY_SKILLS - 1}[tenant]

    monkeypatch.setattr(store.skills, "count_all", count_all)
    assert await crowded_tenants(store) == {"a": MANY_SKILLS}
    assert [await log_crowded_tenants(store) for _ in range(2)] == [1, 1]
    assert [(one["event"], one["tenantId"]) for one in lines] == [("many skills", "a")]
