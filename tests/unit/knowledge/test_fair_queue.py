"""Each tenant in turn, none with more than its share."""

import asyncio

import pytest

from app.errors import Invalid
from knowledge.fair_queue import Lanes
from knowledge.jobs.broker import broker_of


async def test_a_tenant_with_many_does_not_hold_up_one_with_few() -> None:
    lanes, begun = Lanes(2, 2), []

    async def work(tenant: str) -> None:
        async with lanes.turn(tenant):
            begun.append(tenant)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(one) for one in "aaaaaabc"))
    assert begun[:2] == ["a", "a"]
    assert set(begun[2:5]) == {"a", "b", "c"}


async def test_no_tenant_has_more_than_its_share_and_places_come_back() -> None:
    lanes, most, now = Lanes(3, 2), 0, 0

    async def work() -> None:
        nonlocal most, now
        async with lanes.turn("a"):
            now += 1
            most = max(most, now)
            await asyncio.sleep(0)
            now -= 1

    tasks = [asyncio.create_task(work()) for _ in range(9)]
    await asyncio.sleep(0)
    for task in tasks[3:6]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (most, lanes.has_room("a")) == (2, True)
    async with lanes.turn("a"), lanes.turn("a"), lanes.turn("b"):
        assert not lanes.has_room("c")


@pytest.mark.parametrize("setting", ["redis://127.0.0.1:1/0", "no.such.module:broker", "nonsense"])
def test_a_broker_that_cannot_be_had_is_named_in_a_sentence(setting: str) -> None:
    with pytest.raises(Invalid, match="TABWRIGHT_BROKER"):
        broker_of(setting)
