"""What counts against limits, with a clock that jumps and others who spend."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.metrics.usage import (
    BudgetIncrease,
    Budgets,
    CallIntent,
    Limit,
    TaskBudget,
    TaskCost,
    UsageFilter,
    UsageRecord,
)
from app.errors import BudgetReached
from app.usage import spendings as module
from app.usage.allowance import (
    CALLS,
    MIN_PAST_TASKS,
    Allowance,
    check_allowance,
    create_budget_question,
    estimate_task,
    typical_task,
    use_allowance,
)
from app.usage.prices import open_prices
from app.usage.spendings import Spendings
from tests.contract.store.test_usage import spent

MANY, CENT = 3_000, 10_000_000
TASK = Budgets(tenant="a", task=Limit(limit_usd=0.01))
WHOLE = Budgets(tenant="a", whole=Limit(limit_usd=1.0, warn_at=0.5))


class Rows:
    """What the store says was spent, by month; counts how often it is asked."""

    def __init__(self, **amounts: int) -> None:
        self.amounts, self.asked = amounts, 0
        self.past: list[TaskCost] = []
        self.gate: asyncio.Event | None = None

    async def sum_spent(
        self, tenant: str, span: UsageFilter | None = None, *, task_id: str = ""
    ) -> int:
        self.asked += 1
        if self.gate is not None:
            await self.gate.wait()
        return self.amounts.get("task" if span is None else f"m{span.since.month}", 0)

    async def recent_tasks(self, tenant: str, *, limit: int) -> list[TaskCost]:
        return self.past


class Clock:
    """A wall clock that is set, and one that never jumps."""

    def __init__(self) -> None:
        self.wall, self.steady = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), 0.0

    def now(self, _: object = None) -> datetime:
        return self.wall

    def monotonic(self) -> float:
        return self.steady


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "datetime", made)
    monkeypatch.setattr(module, "time", made)
    return made


async def nothing() -> None:
    pass


def sums(rows: Any) -> Spendings:
    return Spendings(rows, open_prices(), nothing)


async def allowance(sums: Spendings, budgets: Budgets) -> Allowance:
    return await sums.allowance(budgets, user="u", task_id="t", begins=False)


def called(cost_usd: float) -> UsageRecord:
    return spent("x", cost_usd=cost_usd)


def call(characters: int = MANY, purpose: str = "acting") -> CallIntent:
    return CallIntent(
        kind="model", provider="gemini", model="gemini-3.8-flash", purpose=purpose,
        characters=characters, most_output=2_000,
    )  # fmt: skip


async def test_a_call_counts_as_soon_as_it_ended_and_rows_are_read_seldom(clock: Clock) -> None:
    rows = Rows(m11=400_000_000)
    one = sums(rows)
    limits = await allowance(one, WHOLE)
    assert [status.state for status in limits.statuses()] == ["ok"]
    one.on_call(called(0.2), None)
    assert limits.statuses()[0].spent_usd == 0.6
    assert limits.statuses()[0].state == "warning"
    await allowance(one, WHOLE)
    assert rows.asked == 1
    clock.steady += module.FRESH_S + 1
    rows.amounts["m11"] = 950_000_000  # another process spent, too
    assert (await allowance(one, WHOLE)).statuses()[0].spent_usd == 0.95
    assert limits.statuses()[0].spent_usd == 0.95  # a request under way sees it as well


async def test_a_new_month_begins_at_nothing_and_a_clock_set_back_finds_the_old_one(
    clock: Clock,
) -> None:
    rows = Rows(m11=999_999_999, m12=0)
    one = sums(rows)
    with pytest.raises(BudgetReached):
        (await allowance(one, WHOLE)).check(call())
    clock.wall = datetime(2026, 12, 1, tzinfo=UTC)
    (await allowance(one, WHOLE)).check(call())
    clock.wall = datetime(2026, 11, 30, tzinfo=UTC)
    with pytest.raises(BudgetReached):
        (await allowance(one, WHOLE)).check(call())


async def test_no_call_leaves_that_does_not_fit(clock: Clock) -> None:
    one = sums(Rows(task=0))
    limits = await allowance(one, TASK)
    with use_allowance(limits):
        check_allowance(call())
        with pytest.raises(BudgetReached):
            check_allowance(
                call(characters=100_000)
            )  # 25,000 tokens at 0.75 for a million are 0.019
        one.on_call(called(0.01), None)
        with pytest.raises(BudgetReached):
            check_allowance(call(characters=0))
        search = CallIntent(kind="search", provider="tavily", model="s", purpose="s", credits=1)
        with pytest.raises(BudgetReached):
            check_allowance(search)
    check_allowance(call(characters=10**9))  # outside of a request nothing is limited


async def test_what_a_person_lifted_holds_for_its_month_alone(clock: Clock) -> None:
    one = sums(Rows(m11=999_999_999))
    limits = await allowance(one, WHOLE)
    for month, works in (("2026-10", False), ("2026-11", True)):
        lift = BudgetIncrease(scope="tenant", until_nano=2_000_000_000, month=month)
        limits.spending = TaskBudget(lifts=(lift,))
        if works:
            limits.check(call())
        else:
            with pytest.raises(BudgetReached):
                limits.check(call())


@pytest.mark.parametrize(
    ("budgets", "operator", "ids", "further"),
    [
        (TASK, False, ["more", "rules", "stop"], []),
        (WHOLE, False, ["rules", "stop"], ["more"]),
        (WHOLE, True, ["more", "rules", "stop"], []),
    ],
)
async def test_who_is_offered_what(
    clock: Clock, budgets: Budgets, operator: bool, ids: list[str], further: list[str]
) -> None:
    limits = await allowance(sums(Rows(task=CENT, m11=100 * CENT)), budgets)
    with pytest.raises(BudgetReached):
        limits.check(call())
    assert limits.stopped is not None
    asked = create_budget_question(limits.stopped, limits, node="planning", operator=operator)
    assert [option.id for option in asked.options] == ids
    assert [option.id for option in asked.further] == further
    assert (asked.return_to, asked.interrupt_type) == ("planning/spend", "action_choice")
    assert asked.lift is not None
    assert asked.lift.until_nano in (2 * CENT, 110 * CENT)


def test_an_estimate_is_drawn_from_ones_own_tasks_once_there_are_enough() -> None:
    few = typical_task(
        [TaskCost(complexity="COMPLEX", calls=9, cost_nano=9)] * (MIN_PAST_TASKS - 1)
    )
    assert estimate_task(1_000, few).calls == CALLS
    past = [
        TaskCost(complexity="COMPLEX", calls=calls, cost_nano=calls * 500)
        for calls in (2, 3, 3, 7, 90)
    ]
    simple = [TaskCost(complexity="SIMPLE", calls=50, cost_nano=5)] * 9
    found = estimate_task(1_000, typical_task([*past, *simple]))
    assert (found.calls, found.cost_usd) == (3, 0.000002)
    assert "your last 5 such tasks" in found.basis


async def test_a_sum_that_takes_long_to_read_holds_nobody_up(clock: Clock) -> None:
    rows, gate = Rows(m11=100_000_000), asyncio.Event()
    one = sums(rows)
    limits = await allowance(one, WHOLE)
    one._sums["a", "tenant", ""].took = module.PATIENCE_S * 2
    clock.steady += module.FRESH_S + 1
    rows.amounts["m11"], rows.gate = 300_000_000, gate
    await allowance(one, WHOLE)
    while rows.asked < 2:
        await asyncio.sleep(0)
    one.on_call(called(0.2), None)
    assert limits.statuses()[0].spent_usd == 0.3  # what was known, and what was called here
    gate.set()
    await asyncio.gather(*one._reading)
    assert limits.statuses()[0].spent_usd == 0.5
