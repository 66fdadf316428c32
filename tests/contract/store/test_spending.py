"""What every store must do for sums over what was spent, and for budgets."""

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from app.domain.metrics.usage import (
    Budgets,
    GroupBy,
    Limit,
    UsageFilter,
    UsageGroup,
    sum_usage,
    usd_to_nano,
)
from app.store.repositories import Store
from app.store.usage import NANOS
from tests.contract.store.test_usage import spent

MONTH = datetime(2026, 11, 1, tzinfo=UTC)
NEXT = datetime(2026, 12, 1, tzinfo=UTC)
NOVEMBER = UsageFilter(since=MONTH, until=NEXT)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def sums(store: Store, by: GroupBy, span: UsageFilter = NOVEMBER) -> dict[str, UsageGroup]:
    return {group.key: group for group in await store.usage.sum_by("a", span, by)}


class TestSums:
    async def test_rows_are_added_up_by_what_they_have_in_common(self, store: Store) -> None:
        night = MONTH + DAY - timedelta(milliseconds=1)
        await store.usage.add(
            [
                spent("1", created_at=MONTH, cost_usd=0.01, thinking_tokens=5),
                spent("2", created_at=night, user="v", ok=False, model="m", purpose="judging"),
                spent("3", created_at=MONTH + DAY, cost_usd=0.0, priced=False, provider="p"),
                spent("4", created_at=NEXT, task_id="late"),
                spent("5", tenant="b", created_at=MONTH),
            ]
        )
        days = await sums(store, "day")
        assert {key: group.calls for key, group in days.items()} == {
            "2026-11-01": 2,
            "2026-11-02": 1,
        }
        first = days["2026-11-01"]
        assert (first.input_tokens, first.cached_tokens, first.thinking_tokens) == (2_400, 1_800, 5)
        assert (first.cost_nano, first.failed_calls) == (10_435_000, 1)
        assert days["2026-11-02"].unpriced_calls == 1
        assert set(await sums(store, "user")) == {"u", "v"}
        assert set(await sums(store, "model")) == {"gemini-3-flash", "m"}
        assert set(await sums(store, "provider")) == {"gemini", "p"}
        assert set(await sums(store, "actionType")) == {"PLANNING"}
        both = UsageFilter(since=MONTH, until=NEXT + HOUR)
        assert set(await sums(store, "month", both)) == {"2026-11", "2026-12"}
        assert set(await sums(store, "task", both)) == {"t", "late"}
        own = UsageFilter(since=MONTH, until=NEXT, user="v")
        assert [group.calls for group in (await sums(store, "day", own)).values()] == [1]
        assert await store.usage.sum_by("c", NOVEMBER, "day") == []

    async def test_ten_thousand_tiny_costs_add_up_exactly(self, store: Store) -> None:
        draw = random.Random(7)
        tokens = [draw.randrange(1, 2_000) for _ in range(10_000)]
        costs = [count * 0.01 / 1_000_000 for count in tokens]
        exact = sum(Decimal(count) * Decimal("0.00000001") for count in tokens)
        models = ["a", "b", "c"]
        rows = [
            {
                "tenantId": "a",
                "usageId": str(index),
                "createdAt": MONTH,
                "model": models[index % 3],
                "costUsd": cost,
                "priced": True,
                "ok": True,
            }
            | (
                {} if index % 2 else {NANOS: usd_to_nano(cost)}
            )  # every other one is a row of before
            for index, cost in enumerate(costs)
        ]
        await store.usage._rows.insert_many(rows, ordered=False)  # type: ignore[attr-defined]
        groups = list((await sums(store, "model")).values())
        assert sum_usage(groups).cost_nano == exact * 1_000_000_000
        assert sum_usage(groups).calls == len(tokens)
        assert await store.usage.sum_spent("a", NOVEMBER) == exact * 1_000_000_000

    async def test_what_one_task_or_user_spent(self, store: Store) -> None:
        await store.usage.add(
            [spent("1", created_at=MONTH), spent("2", created_at=NEXT, user="v", task_id="t2")]
        )
        assert await store.usage.sum_spent("a", task_id="t") == 435_000
        assert await store.usage.sum_spent("a", NOVEMBER) == 435_000
        assert await store.usage.sum_spent("a", UsageFilter(since=MONTH, until=NEXT, user="v")) == 0
        assert await store.usage.sum_spent("b", NOVEMBER) == 0
        by_task = await store.usage.spent_by_task("a", ["t", "t2", "none"])
        assert {key: one.cost_usd for key, one in by_task.items()} == {
            "t": 0.000435,
            "t2": 0.000435,
        }

    async def test_models_are_summed_for_each_day(self, store: Store) -> None:
        await store.usage.add(
            [
                spent("1", created_at=MONTH),
                spent("2", created_at=MONTH + HOUR),
                spent("3", created_at=MONTH + DAY, priced=False),
                spent("4", created_at=MONTH, kind="search", model="basic", credits=2.0),
            ]
        )
        rated = await store.usage.sum_by_model_and_day("a", NOVEMBER)
        assert [(one.model, one.kind, one.day.day, one.calls) for one in rated] == [
            ("basic", "search", 1, 1),
            ("gemini-3-flash", "model", 1, 2),
            ("gemini-3-flash", "model", 2, 1),
        ]
        assert (rated[0].credits, rated[2].priced) == (2.0, False)


class TestPages:
    async def test_pages_follow_each_other_without_a_gap(self, store: Store) -> None:
        rows = [spent(f"{n:02}", created_at=MONTH + HOUR * (n // 4)) for n in range(14)]
        await store.usage.add([*rows, spent("x", tenant="b", created_at=MONTH)])
        found: list[str] = []
        after = None
        for _ in range(6):
            page = await store.usage.page("a", NOVEMBER, limit=3, after=after)
            found += [row.usage_id for row in page]
            if page:
                after = (page[-1].created_at, page[-1].usage_id)
                # A newer row in between moves nothing.
                await store.usage.add([spent(f"new{len(found)}", created_at=MONTH + DAY)])
        assert found == [f"{n:02}" for n in range(13, -1, -1)]

    async def test_a_page_is_of_one_user_or_task(self, store: Store) -> None:
        await store.usage.add(
            [spent("1", user="v", created_at=MONTH), spent("2", created_at=MONTH)]
        )
        theirs = UsageFilter(since=MONTH, until=NEXT, user="v", task_id="t")
        assert [one.usage_id for one in await store.usage.page("a", theirs, limit=9)] == ["1"]
        assert (
            await store.usage.page("a", theirs.model_copy(update={"task_id": "o"}), limit=9) == []
        )


class TestBudgets:
    async def test_what_was_set_comes_back(self, store: Store) -> None:
        assert not (await store.budgets.get("a")).has_limits
        odd = {"a.b": Limit(limit_usd=1.0), "$c": Limit(limit_usd=2.5, warn_at=0.5)}
        one = Budgets(tenant="a", task=Limit(limit_usd=0.2), users=odd, updated_at=MONTH)
        await store.budgets.put(one)
        assert await store.budgets.get("a") == one
        await store.budgets.put(Budgets(tenant="a", whole=Limit(limit_usd=9.0)))
        assert await store.budgets.get("a") == Budgets(tenant="a", whole=Limit(limit_usd=9.0))
        assert not (await store.budgets.get("b")).has_limits
