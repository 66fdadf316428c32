"""What every store must do for the rows of what models cost."""

import asyncio
from datetime import timedelta

from app.domain.metrics.usage import UsageRecord
from app.store.repositories import Store
from tests.contract.store.test_store import NOW


def spent(usage_id: str, **over: object) -> UsageRecord:
    fields: dict[str, object] = {
        "usage_id": usage_id,
        "tenant": "a",
        "user": "u",
        "session_id": "s",
        "task_id": "t",
        "trace_id": "tr",
        "request_id": "r",
        "purpose": "opening",
        "action_type": "PLANNING",
        "provider": "gemini",
        "model": "gemini-3-flash",
        "input_tokens": 1_200,
        "cached_tokens": 900,
        "output_tokens": 80,
        "thinking_tokens": 0,
        "total_tokens": 1_280,
        "cost_usd": 0.000435,
        "priced": True,
        "duration_ms": 812.5,
        "ok": True,
        "created_at": NOW,
    }
    return UsageRecord.model_validate(fields | over)


class TestUsage:
    async def test_rows_come_back_equal_in_the_order_they_were_made(self, store: Store) -> None:
        late = spent("2", created_at=NOW + timedelta(seconds=1), ok=False, priced=False)
        same = spent("3", created_at=NOW + timedelta(seconds=1))
        await store.usage.add([late, same, spent("1")])
        assert await store.usage.of_task("a", "t") == [spent("1"), late, same]

    async def test_adding_again_changes_nothing(self, store: Store) -> None:
        await store.usage.add([spent("1")])
        await asyncio.gather(*(store.usage.add([spent("1", cost_usd=9.0)]) for _ in range(3)))
        assert await store.usage.of_task("a", "t") == [spent("1")]

    async def test_a_tenant_and_a_task_see_only_their_own(self, store: Store) -> None:
        await store.usage.add([spent("1"), spent("1", tenant="b"), spent("2", task_id="t2")])
        assert await store.usage.of_task("a", "t") == [spent("1")]
        assert await store.usage.of_task("b", "t") == [spent("1", tenant="b")]

    async def test_no_rows_no_write(self, store: Store) -> None:
        await store.usage.add([])
        assert await store.usage.of_task("a", "t") == []
