"""Tenants get slots in turn, none more than its share."""

import asyncio

import pytest

from app.errors import Invalid
from knowledge.fair_queue import FairQueue
from knowledge.jobs.broker import create_broker


async def test_a_tenant_with_many_does_not_hold_up_one_with_few() -> None:
    lanes, begun = FairQueue(2, 2), []

    async def work(tenant: str) -> None:
        async with lanes.slot(tenant):
            begun.append(tenant)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(one) for one in "aaaaaabc"))
    assert begun[:2] == ["a", "a"]
    assert set(begun[2:5]) == {"a", "b", "c"}


async def test_no_tenant_has_more_than_its_share_and_places_come_back() -> None:
    lanes, most, now = FairQueue(3, 2), 0, 0

    async def work() -> None:
        nonlocal most, now
        async with lanes.slot("a"):
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
    async with lanes.slot("a"), lanes.slot("a"), lanes.slot("b"):
        assert not lanes.has_room("c")


@pytest.mark.parametrize("setting", ["redis://127.0.0.1:1/0", "no.such.module:broker", "nonsense"])
def test_a_broker_that_cannot_be_had_is_named_in_a_sentence(setting: str) -> None:
    with pytest.raises(Invalid, match="TABWRIGHT_BROKER"):
        create_broker(setting)
