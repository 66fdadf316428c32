"""Writes that are sent together mean what they mean one by one, where the server takes them so or not."""

import pytest

from app.store import batch as hops
from app.store.open import Opened
from app.store.repositories import Store
from tests.contract.store.test_store import action, begin, message, session, task


@pytest.fixture(params=["together", "one by one"])
def sending(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How writes are sent; MongoDB 7 takes them one by one."""
    if request.param == "one by one":
        monkeypatch.setattr(hops, "BULK_WRITE_SINCE", 1_000_000)
    return str(request.param)


@pytest.mark.usefixtures("sending")
async def test_rows_that_are_there_stay_and_all_others_are_written(opened: Opened) -> None:
    store = opened.store
    await store.messages.add([message("m1", content="first")])
    await store.actions.add([action("a1")])
    lease = await store.leases.acquire("a", "t1", claim="r", ttl_s=60)
    assert lease is not None
    claim = (await begin(store)).claim

    async def write(sent: Store) -> str:
        await sent.tasks.save(task(status="executing"))
        await sent.messages.add([message("m1", content="again"), message("m2")])
        await sent.actions.settle("a", {"a1": "success"}, None, then=[action("a1"), action("a2")])
        await sent.sessions.touch(session(), new_task=True)
        await sent.operations.complete("a", "k", {"n": 1}, claim=claim)
        await sent.leases.release(lease)
        return "written"

    assert await opened.together.write(write) == "written"
    assert (await store.tasks.get("a", "t1")).status == "executing"
    said = await store.messages.of_session("a", "s", limit=9)
    assert {one.message_id: one.content for one in said} == {"m1": "first", "m2": "hello"}
    done = await store.actions.of_task("a", "t1")
    assert {one.action_id: one.status for one in done} == {"a1": "success", "a2": "pending"}
    assert (await store.sessions.get("a", "s")).task_count == 1
    assert (await begin(store)).result == {"n": 1}
    assert await store.leases.acquire("a", "t1", claim="another", ttl_s=60)


@pytest.mark.usefixtures("sending")
async def test_what_is_read_there_is_read_after_what_was_written(opened: Opened) -> None:
    async def write(store: Store) -> tuple[bool, int]:
        await store.tasks.save(task())
        await store.messages.add([message("m1")])
        found = await store.tasks.find("a", "t1")
        return found is not None, len(await store.messages.of_session("a", "s", limit=9))

    assert await opened.together.write(write) == (True, 1)


async def test_of_what_fails_nothing_is_sent_then_or_later(opened: Opened) -> None:
    async def fail(store: Store) -> None:
        await store.messages.add([message("lost")])
        raise ValueError("in between")

    async def write(store: Store) -> None:
        await store.messages.add([message("kept")])

    for _ in range(3):
        with pytest.raises(ValueError, match="in between"):
            await opened.together.write(fail)
        await opened.together.write(write)
    said = await opened.store.messages.of_session("a", "s", limit=9)
    assert [one.message_id for one in said] == ["kept"]
