"""Rows are written behind the request: whatever the store does, and however the process ends."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from app.domain.metrics.usage import UsageRecord
from app.errors import Invalid, StoreUnavailable
from app.usage import service
from app.usage.meter import NOBODY, usage_row
from app.usage.prices import Charge
from app.usage.service import UsageWriter
from tests.unit.usage.observer import usage


class Ledger:
    """A store of usage rows that can be away, or refuse some of them."""

    def __init__(self):
        self.rows: dict[str, UsageRecord] = {}
        self.away = False
        self.poison: dict[str, Exception] = {}
        self.writes = 0
        self.usage = self

    async def __call__(self, calls):
        return await calls(self)

    async def add(self, records):
        """Like the real one: what may be written is, and adding again changes nothing."""
        self.writes += 1
        await asyncio.sleep(0)
        if self.away:
            raise StoreUnavailable
        self.rows |= {one.usage_id: one for one in records if one.usage_id not in self.poison}
        for one in records:
            if one.usage_id in self.poison:
                raise self.poison[one.usage_id]


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
async def writer(ledger, monkeypatch) -> AsyncIterator[UsageWriter]:
    monkeypatch.setattr(service, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(service, "LONGEST_PAUSE_S", 0.002)
    made = UsageWriter(ledger)
    made.start()
    yield made
    await made.close()


def row(name, now) -> UsageRecord:
    made = usage_row(usage(), NOBODY, Charge(0.1, known=True), now)
    return made.model_copy(update={"usage_id": str(name)})


@pytest.fixture
def rows():
    now = datetime(2026, 11, 22, tzinfo=UTC)
    return [row(name, now) for name in range(1_200)]


async def until(true):
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.001)


async def test_rows_are_there_for_who_waits_for_them(writer, ledger, rows):
    for one in rows:
        writer.add(one)
    assert writer.waiting == len(rows)
    await writer.flush()
    assert list(ledger.rows) == [one.usage_id for one in rows]
    assert (writer.waiting, writer.stored, ledger.writes) == (0, 1_200, 3)


async def test_a_reader_is_not_held_up_by_what_comes_after(writer, ledger, rows):
    async def busy():
        for one in rows[10:]:
            writer.add(one)
            await asyncio.sleep(0)

    for one in rows[:10]:
        writer.add(one)
    flood = asyncio.create_task(busy())
    await writer.flush()
    assert {one.usage_id for one in rows[:10]} <= set(ledger.rows)
    await flood


async def test_what_a_dead_store_could_not_take_is_written_when_it_is_back(writer, ledger, rows):
    ledger.away = True
    for one in rows:
        writer.add(one)
    await until(lambda: ledger.writes > 3)
    await writer.flush()  # nobody waits for a store that is away
    assert (ledger.rows, writer.waiting) == ({}, 1_200)
    ledger.away = False
    await until(lambda: not writer.waiting)
    assert (len(ledger.rows), writer.dropped) == (1_200, 0)


async def test_memory_is_bounded_and_what_is_dropped_is_counted(writer, ledger, rows, monkeypatch):
    monkeypatch.setattr(service, "MOST_WAITING", 100)
    ledger.away = True
    for one in rows:
        writer.add(one)
    assert (writer.waiting, writer.dropped) == (100, 1_100)
    ledger.away = False
    await until(lambda: not writer.waiting)
    assert list(ledger.rows) == [one.usage_id for one in rows[-100:]]


@pytest.mark.parametrize("refusal", [Invalid("no"), StoreUnavailable(), RuntimeError("odd")])
async def test_a_row_that_the_store_refuses_stands_in_no_others_way(writer, ledger, rows, refusal):
    ledger.poison = {"7": refusal}
    for one in rows[:600]:
        writer.add(one)
    await until(lambda: len(ledger.rows) == 599)
    for one in rows[600:]:
        writer.add(one)
        await asyncio.sleep(0)
    await until(lambda: not writer.waiting)
    assert (len(ledger.rows), writer.dropped, writer.stored) == (1_199, 1, 1_199)


async def test_what_waits_at_the_end_is_written(ledger, rows):
    writer = UsageWriter(ledger)
    writer.start()
    for one in rows:
        writer.add(one)
    await writer.close()
    assert (len(ledger.rows), writer.dropped) == (1_200, 0)
    writer.add(rows[0])  # by what is late
    assert (writer.waiting, writer.dropped) == (0, 1)


async def test_an_end_is_not_held_up_by_a_dead_store(ledger, rows, monkeypatch):
    monkeypatch.setattr(service, "DRAIN_S", 0.05)

    async def hanging(calls):
        await asyncio.Event().wait()

    writer = UsageWriter(hanging)
    writer.start()
    for one in rows:
        writer.add(one)
    async with asyncio.timeout(60):
        await writer.close()
    assert (writer.waiting, writer.dropped) == (0, 1_200)
