"""What every store must do for a list of tasks, and for what each of them took."""

from datetime import timedelta

from app.domain.metrics.usage import UsageTotals
from app.domain.task import Task
from app.store.repositories import Store
from tests.contract.store.test_store import MINUTE, NOW, task
from tests.contract.store.test_usage import spent

FOUND = {
    "plan": {"steps": []},
    "last_chain": {"actionIds": []},
    "web_search_result": {"query": "q"},
}


def made(number: int, **over: object) -> Task:
    """One a minute."""
    at = NOW + number * MINUTE
    return task(f"t{number}", **({"created_at": at, "updated_at": at} | over))


class TestTasksListed:
    async def test_are_newest_first_of_one_or_of_all_by_status_and_time(self, store: Store) -> None:
        tasks = [
            made(1, status="completed"),
            made(2, user="v", status="failed", **FOUND),
            made(3, status="failed"),
        ]
        for one in [*tasks, made(4, tenant="b")]:
            await store.tasks.save(one)
        listed = store.tasks.listed
        bare = tasks[1].model_copy(update=dict.fromkeys(FOUND))
        assert await listed("a", limit=5) == [tasks[2], bare, tasks[0]]
        assert await listed("a", limit=1) == [tasks[2]]
        assert await listed("a", user="v", limit=5) == [bare]
        assert await listed("a", status="failed", limit=5) == [tasks[2], bare]
        assert await listed("a", user="u", status="failed", limit=5) == [tasks[2]]
        since, until = NOW + 2 * MINUTE, NOW + 3 * MINUTE
        assert await listed("a", since=since, until=until, limit=5) == [bare]

    async def test_go_on_where_they_ended_within_a_moment_too(self, store: Store) -> None:
        same = [task(f"s{n}") for n in range(3)]
        for one in (*same, made(1)):
            await store.tasks.save(one)
        seen, after = [], None
        while page := await store.tasks.listed("a", limit=2, after=after):
            seen += page
            after = (page[-1].created_at, page[-1].task_id)
        assert seen == [made(1), *same]


class TestSpentByTask:
    async def test_is_summed_for_each_of_the_tenants_own(self, store: Store) -> None:
        later = NOW + timedelta(seconds=1)
        rows = [
            spent("1"),
            spent("2", created_at=later, priced=False, cost_usd=0.0),
            spent("3", kind="search", purpose="search", input_tokens=0, output_tokens=0, credits=1),
            spent("4", task_id="other"),
            spent("5", tenant="b"),
        ]
        await store.usage.add(rows)
        found = await store.usage.spent_by_task("a", ["t", "none"])
        assert found == {
            "t": UsageTotals(
                model_calls=2,
                input_tokens=2_400,
                output_tokens=160,
                cost_usd=0.000435 * 2,
                cost_known=False,
            )
        }
        assert await store.usage.spent_by_task("a", []) == {}
