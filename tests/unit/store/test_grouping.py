"""Writes that come while another is under way are made together, and fail each for itself."""

import asyncio
from collections.abc import Sequence

import pytest

from app.store.mongo.group_commit import MOST, GroupCommit


class Store:
    """Doubles numbers, so slowly as it is told."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.answers = asyncio.Event()

    async def write(self, some: list[int]) -> Sequence[int | Exception]:
        self.calls.append(some)
        await self.answers.wait()
        return [one * 2 if one >= 0 else ValueError(one) for one in some]


@pytest.fixture
def store() -> Store:
    return Store()


async def begun(grouped: GroupCommit[int, int], *numbers: int) -> list[asyncio.Task[int]]:
    tasks = [asyncio.ensure_future(grouped(one)) for one in numbers]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_what_comes_meanwhile_is_written_together(store: Store) -> None:
    grouped = GroupCommit(store.write)
    tasks = await begun(grouped, 1)
    tasks += await begun(grouped, *range(2, MOST + 3))
    store.answers.set()
    assert await asyncio.gather(*tasks) == [one * 2 for one in range(1, MOST + 3)]
    assert [len(some) for some in store.calls] == [1, MOST, 1]


async def test_one_that_fails_fails_alone(store: Store) -> None:
    store.answers.set()
    tasks = await begun(GroupCommit(store.write), 1, -1, 3)
    one, failed, three = await asyncio.gather(*tasks, return_exceptions=True)
    assert (one, three) == (2, 6)
    assert isinstance(failed, ValueError)


async def test_what_breaks_is_told_to_all_and_the_next_go_on() -> None:
    async def broken(some: list[int]) -> Sequence[int]:
        if 1 in some:
            raise ConnectionError
        return some

    grouped: GroupCommit[int, int] = GroupCommit(broken)
    tasks = await begun(grouped, 1, 2)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [ConnectionError] * 2
    assert await grouped(3) == 3


async def test_one_that_is_cancelled_waits_for_its_write_or_is_never_written(store: Store) -> None:
    grouped = GroupCommit(store.write)
    (written,) = await begun(grouped, 1)
    waiting, stays = await begun(grouped, 2, 3)
    written.cancel()
    waiting.cancel()
    await asyncio.wait((waiting,))
    assert not written.done()  # its write is under way
    store.answers.set()
    with pytest.raises(asyncio.CancelledError):
        await written
    assert await stays == 6
    assert store.calls == [[1], [3]]
