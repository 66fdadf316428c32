"""Records every remote call: on the request's meter, as a usage row, and for observers."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from threading import get_ident

import structlog

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import CallUsage, UsageRecord
from app.errors import Refused
from app.observability.port import Observer, Observers
from app.store.batch import StoreBatch
from app.usage.meter import NOBODY, add_to_meter, current_spender, usage_row
from app.usage.prices import Prices, open_prices

log = structlog.get_logger(__name__)

MOST_WAITING = 10_000  # rows, about 1 kB each
BATCH = 500  # rows per insert
FIRST_PAUSE_S = 0.25  # after a failed write; doubled up to the longest pause
LONGEST_PAUSE_S = 5.0
DRAIN_S = 2.0  # at shutdown
SETTLE_S = 1.0  # how long a reader waits for pending writes
REJECTIONS = 5  # attempts for a row that fails while others succeed
LOG_EVERY_S = 10.0  # a long outage of the store must not flood the log


class UsageWriter:
    """A queue of rows that one task writes in batches, in order.

    During an outage of the store up to `MOST_WAITING` rows are queued; beyond that the oldest are
    dropped. Writes are idempotent, so a batch is retried when its result is unknown. A failed batch is
    halved, down to single rows; a row that keeps failing while others succeed is dropped. Dropped rows
    are counted and logged.
    """

    def __init__(self, together: StoreBatch) -> None:
        self._together = together
        self._waiting: deque[UsageRecord] = deque()
        self._in_flight = 0
        self._batch_size = BATCH
        self._pause_s = 0.0
        self._rejections: dict[str, tuple[int, int]] = {}  # failures, and `stored` at the first
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._settled = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._added = 0
        self._logged_at = float("-inf")
        self.stored = 0
        self.dropped = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting) + self._in_flight

    def start(self) -> None:
        self._task = asyncio.create_task(self._write_all())

    def add(self, row: UsageRecord) -> None:
        """Queue the row. Returns immediately."""
        self._added += 1
        if self._closing.is_set() and (self._task is None or self._task.done()):
            self._drop(1, "the process ends")
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._drop(1, "the store has been unavailable for too long")
        self._waiting.append(row)
        self._wake.set()

    async def flush(self) -> None:
        """Wait until the rows added so far are stored or dropped, for `SETTLE_S` at most. Returns at
        once during an outage of the store.
        """
        target = self._added
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S), self._settled:
                await self._settled.wait_for(
                    lambda: self.stored + self.dropped >= target or self._pause_s > 0
                )

    async def close(self) -> None:
        """Write the queued rows, for `DRAIN_S` at most, and stop."""
        self._closing.set()
        self._wake.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=DRAIN_S)
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self.waiting:
            self._drop(self.waiting, "the process ends")
            self._waiting.clear()

    async def _write_all(self) -> None:
        while self._waiting or not self._closing.is_set():
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await self._write_batch()

    async def _write_batch(self) -> None:
        batch = [self._waiting.popleft() for _ in range(min(self._batch_size, len(self._waiting)))]
        self._in_flight = len(batch)
        try:
            await self._together(lambda store: store.usage.add(batch))
        except asyncio.CancelledError:
            self._waiting.extendleft(reversed(batch))
            raise
        except Exception as error:  # noqa: BLE001 - no error may block the following rows
            self._requeue(batch, error)
        else:
            self.stored += len(batch)
            self._batch_size, self._pause_s = min(BATCH, self._batch_size * 2), 0.0
            for row in batch if self._rejections else ():
                self._rejections.pop(row.usage_id, None)
        finally:
            self._in_flight = 0
            async with self._settled:
                self._settled.notify_all()
        if self._pause_s and self._closing.is_set():
            await asyncio.sleep(FIRST_PAUSE_S)
        elif self._pause_s:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), self._pause_s)

    def _requeue(self, batch: Sequence[UsageRecord], error: Exception) -> None:
        """Put the rows back; a single row goes to the end so that it does not block others."""
        is_outage = not isinstance(error, Refused)
        pause_s = min(LONGEST_PAUSE_S, self._pause_s * 2) or FIRST_PAUSE_S
        self._pause_s = pause_s if is_outage else 0.0
        log.warning("usage rows not stored yet", error=type(error).__name__, rows=len(batch))
        if len(batch) > 1:
            self._batch_size = max(1, len(batch) // 2)
            self._waiting.extendleft(reversed(batch))
            return
        [row] = batch
        times, since = self._rejections.get(row.usage_id, (0, self.stored))
        if times + 1 >= REJECTIONS and (not is_outage or self.stored > since):
            self._rejections.pop(row.usage_id, None)
            self._drop(1, "the store rejects it")
            return
        self._rejections[row.usage_id] = (times + 1, since)
        self._waiting.append(row)

    def _drop(self, count: int, why: str) -> None:
        self.dropped += count
        now = asyncio.get_running_loop().time()
        if now - self._logged_at >= LOG_EVERY_S:
            self._logged_at = now
            log.error("usage rows dropped", why=why, dropped=self.dropped)


class UsageService:
    """`record` is the hook of every billable port; nothing else writes usage rows.

    Rows are written and observers notified in the background, so neither can delay or fail a request.
    `prices` are the current prices.
    """

    def __init__(
        self, together: StoreBatch, observer: Observer | None = None, prices: Prices | None = None
    ) -> None:
        self.prices = prices or open_prices()
        self._observer = Observers((observer,) if observer is not None else ())
        self._writer = UsageWriter(together)
        self._unpriced: set[tuple[str, str]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    @property
    def dropped(self) -> int:
        return self._writer.dropped

    def record(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        """Record a call. Thread-safe; returns immediately and never raises."""
        try:
            row = self._row(usage)
            if get_ident() == self._thread or self._loop is None:
                self._publish(row, exchange)
            else:
                self._loop.call_soon_threadsafe(self._publish, row, exchange)
        except Exception:
            log.exception("usage not recorded", purpose=usage.purpose, model=usage.model)

    async def flush(self) -> None:
        await self._writer.flush()

    def add_observer(self, observer: Observer) -> None:
        """Notify one more observer of each call."""
        self._observer = Observers((self._observer, observer))

    def start(self) -> None:
        self._loop, self._thread = asyncio.get_running_loop(), get_ident()
        self._writer.start()

    async def close(self) -> None:
        """Write the queued rows, for two seconds at most, and stop."""
        await self._writer.close()

    def _row(self, usage: CallUsage) -> UsageRecord:
        now, by = datetime.now(UTC), current_spender()
        charge = self.prices.charge(usage, now.date())
        row = usage_row(usage, by, charge, now)
        add_to_meter(row)
        if by is NOBODY:
            log.warning("call outside of a request", purpose=usage.purpose, model=usage.model)
        name = (usage.provider, usage.model)
        if not charge.known and usage.counted and name not in self._unpriced:
            self._unpriced.add(name)  # logged once; each such row is marked as well
            log.warning(
                "no price is known: name it in the file of TABWRIGHT_PRICES",
                provider=usage.provider,
                model=usage.model,
            )
        return row

    def _publish(self, row: UsageRecord, exchange: ModelExchange | None) -> None:
        self._writer.add(row)
        self._observer.on_call(row, exchange)


@asynccontextmanager
async def open_usage(
    together: StoreBatch, observer: Observer | None = None, prices: Prices | None = None
) -> AsyncIterator[UsageService]:
    """Open the service; on exit it writes the queued rows."""
    service = UsageService(together, observer, prices)
    service.start()
    try:
        yield service
    finally:
        await service.close()
