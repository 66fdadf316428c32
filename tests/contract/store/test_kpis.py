"""The sums that KPIs are made of."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.metrics.kpi import ActionTally
from app.domain.task import Task, TaskAction
from app.store.repositories import Store
from tests.contract.store.test_corrections import correction

NOW = datetime.now(UTC).replace(microsecond=0)
HOUR = timedelta(hours=1)
SPAN = (NOW - HOUR, NOW + HOUR)


def sent(action_id: str, tenant: str = "a", **more: Any) -> TaskAction:
    known: dict[str, Any] = {"created_at": NOW} | more
    return TaskAction(
        action_id=action_id, task_id="t", tenant=tenant, step_index=0, thought="",
        action="click(1)", **known,
    )  # fmt: skip


def predicted(share: float, *, met: bool, kind: str = "submit") -> dict[str, Any]:
    brier = (share - met) ** 2
    return {"kind": kind, "predicted": share, "met": met, "unmet": [], "brier": brier}


def judged(tier: int, *, worked: bool | None, saved: int = 0) -> dict[str, Any]:
    return {"actionSucceeded": worked, "verificationTier": tier, "tokensSaved": saved}


def ended(task_id: str, status: Any, tenant: str = "a", **metrics: float) -> Task:
    return Task(
        task_id=task_id, tenant=tenant, user="u", session_id="s", url="https://x.test", query="q",
        status=status, metrics=metrics, created_at=NOW, updated_at=NOW,
    )  # fmt: skip


async def actions_of(store: Store, tenant: str = "a") -> list[ActionTally]:
    found = await store.kpis.tallies(tenant, *SPAN)
    return sorted(found.actions, key=lambda one: (one.bin or 0, one.met, one.tier or 0))


async def test_nothing_is_summed_of_nothing(store: Store) -> None:
    found = await store.kpis.tallies("a", *SPAN)
    assert (found.actions, found.corrections, found.tasks, found.skills) == ((), (), (), 0)


async def test_predictions_fall_into_fixed_bins(store: Store) -> None:
    shares = [0.0, 0.499, 0.5, 0.69, 0.7, 0.899, 0.9, 1.0]
    await store.actions.add(
        [sent(str(n), prediction=predicted(s, met=True)) for n, s in enumerate(shares)]
    )
    bins = {one.bin: one.count for one in await actions_of(store)}
    assert bins == {4: 2, 5: 1, 6: 1, 7: 1, 8: 1, 9: 2}


async def test_what_was_predicted_and_what_came_is_added_up(store: Store) -> None:
    await store.actions.add(
        [
            sent("x", prediction=predicted(0.9, met=True), verification=judged(1, worked=True, saved=100)),
            sent("y", prediction=predicted(0.9, met=False), verification=judged(1, worked=True, saved=100)),
            sent("z", verification=judged(3, worked=None)),
        ]
    )  # fmt: skip
    undecided, both = await actions_of(store)
    assert (undecided.bin, undecided.tier, undecided.succeeded) == (None, 3, None)
    assert (both.kind, both.bin, both.tier, both.succeeded) == ("submit", 9, 1, True)
    assert (both.count, both.met, both.tokens_saved) == (2, 1, 200)
    assert round(both.brier, 4) == 0.82
    assert round(both.predicted, 4) == 1.8


async def test_a_settled_action_keeps_its_prediction(store: Store) -> None:
    await store.actions.add([sent("x"), sent("y")])
    scored = predicted(0.8, met=True)
    await store.actions.settle(
        "a", {"x": "success", "y": "success"}, judged(1, worked=True), predictions={"x": scored}
    )
    rows = {row.action_id: row for row in await store.actions.of_task("a", "t")}
    assert (rows["x"].prediction, rows["y"].prediction) == (scored, None)
    assert (rows["x"].verification, rows["y"].verification) == (None, judged(1, worked=True))


async def test_another_tenant_and_another_time_count_for_nothing(store: Store) -> None:
    score = predicted(0.9, met=True)
    await store.actions.add(
        [
            sent("x", tenant="b", prediction=score),
            sent("y", prediction=score, created_at=NOW - 2 * HOUR),
            sent("z", prediction=score, created_at=NOW + HOUR),
        ]
    )
    await store.tasks.save(ended("t", "completed", tenant="b"))
    found = await store.kpis.tallies("a", *SPAN)
    assert (found.actions, found.tasks) == ((), ())


async def test_tasks_with_their_counters(store: Store) -> None:
    await store.tasks.save(ended("1", "completed", looks=4, rePlans=1))
    await store.tasks.save(ended("2", "completed", looks=6, skillUses=2, skillsHelped=1))
    await store.tasks.save(ended("3", "failed"))
    found = {one.status: one for one in (await store.kpis.tallies("a", *SPAN)).tasks}
    done = found["completed"]
    assert (done.count, done.looks, done.re_plans) == (2, 10, 1)
    assert (done.skill_uses, done.skills_helped) == (2, 1)
    assert (found["failed"].count, found["failed"].looks) == (1, 0)


async def test_corrections_by_what_was_tried_and_what_came(store: Store) -> None:
    tried = [correction(n).model_copy(update={"created_at": NOW}) for n in (1, 2, 3)]
    await store.corrections.settle("a", {}, then=tried)
    await store.corrections.settle("a", {"r1": "success", "r2": "failure"})
    found = (await store.kpis.tallies("a", *SPAN)).corrections
    counts = {(one.strategy, one.source, one.status): one.count for one in found}
    assert counts == {
        ("re-find", "strategy", "success"): 1,
        ("re-find", "strategy", "failure"): 1,
        ("re-find", "strategy", "pending"): 1,
    }
