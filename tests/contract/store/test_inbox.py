"""What every store must do for a list of questions, and for a lease that a person takes."""

from app.store.repositories import Store
from tests.contract.store.test_hitl import question
from tests.contract.store.test_store import MINUTE, NOW


class TestListing:
    async def test_is_newest_first_of_one_or_of_all(self, store: Store) -> None:
        first, second = question(1), question(2, user="v", task_id="t2")
        for one in (first, second):
            await store.hitl.put(one)
        assert await store.hitl.listed("a", limit=5) == [second, first]
        assert await store.hitl.listed("a", user="u", limit=5) == [first]
        assert await store.hitl.listed("a", status="answered", limit=5) == []
        assert await store.hitl.listed("b", limit=5) == []

    async def test_goes_on_where_it_ended_within_a_moment_too(self, store: Store) -> None:
        same = [question(1, task_id=f"t{n}") for n in range(3)]
        at_once = [one.model_copy(update={"hitl_id": f"h{n}"}) for n, one in enumerate(same)]
        later = question(2)
        for one in (*at_once, later):
            await store.hitl.put(one)
        seen, after = [], None
        while page := await store.hitl.listed("a", limit=2, after=after):
            seen += page
            after = (page[-1].created_at, page[-1].hitl_id)
        assert seen == [later, *at_once]

    async def test_begins_at_a_moment(self, store: Store) -> None:
        for n in (1, 2, 3):
            await store.hitl.put(question(n, task_id=f"t{n}"))
        found = await store.hitl.listed("a", limit=5, since=NOW + 2 * MINUTE)
        assert [one.task_id for one in found] == ["t3", "t2"]
