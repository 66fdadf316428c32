"""Corrections, as the store keeps them."""

from datetime import UTC, datetime, timedelta

from app.domain.memory import CorrectionRecord, FailedState, SuccessfulAction
from app.domain.page import ElementRef
from app.store.repositories import Store

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def correction(number: int = 1, tenant: str = "a", task: str = "t") -> CorrectionRecord:
    save = ElementRef(role="btn", name="Save", group="form: Patient")
    return CorrectionRecord(
        repair_id=f"r{number}",
        step=2,
        attempt=number,
        source="strategy",
        strategy="re-find",
        reason="element not found",
        failed=FailedState(action='click("4")', error_type="ELEMENT_NOT_FOUND", element=save),
        tried=SuccessfulAction(action='click("9")', strategy="re-find", element=save),
        tenant=tenant,
        task_id=task,
        domain="crm.example",
        created_at=NOW + timedelta(seconds=number),
    )


async def test_a_correction_comes_back_as_it_was_kept(store: Store) -> None:
    await store.corrections.settle("a", {}, then=[correction()])
    assert await store.corrections.of_task("a", "t") == [correction()]


async def test_it_is_settled_while_the_next_is_added(store: Store) -> None:
    await store.corrections.settle("a", {}, then=[correction(1)])
    await store.corrections.settle("a", {"r1": "failure"}, then=[correction(2)])
    await store.corrections.settle("a", {"r2": "success"})
    found = await store.corrections.of_task("a", "t")
    assert [(one.repair_id, one.status) for one in found] == [("r1", "failure"), ("r2", "success")]


async def test_one_that_is_there_stays_as_it_is(store: Store) -> None:
    await store.corrections.settle("a", {}, then=[correction()])
    await store.corrections.settle("a", {"r1": "success"}, then=[correction()])
    found = await store.corrections.of_task("a", "t")
    assert [one.status for one in found] == ["success"]


async def test_another_tenant_neither_sees_nor_settles_it(store: Store) -> None:
    await store.corrections.settle("a", {}, then=[correction()])
    await store.corrections.settle("b", {"r1": "failure"})
    assert await store.corrections.of_task("b", "t") == []
    found = await store.corrections.of_task("a", "t")
    assert [one.status for one in found] == ["pending"]
