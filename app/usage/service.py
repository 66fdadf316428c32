"""Records every remote call: on the request's meter, as a usage row, and for observers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from threading import get_ident
from uuid import uuid4

import structlog

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import CallUsage, UsageRecord
from app.observability.port import Observer, Observers
from app.store.batch import StoreBatch
from app.usage.meter import NOBODY, MeteredCall, add_to_meter, current_spender, usage_row
from app.usage.prices import Prices, open_prices
from app.usage.row_writer import UsageWriter

log = structlog.get_logger(__name__)


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
        """Rows that are not stored yet."""
        return self._writer.waiting

    @property
    def dropped(self) -> int:
        """Rows dropped since the process started."""
        return self._writer.dropped

    def record(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        """Record a call. Thread-safe; returns immediately and never raises."""
        try:
            row = self._row(usage)
            if get_ident() == self._thread or self._loop is None:
                self._tell(row, exchange)
            else:
                self._loop.call_soon_threadsafe(self._tell, row, exchange)
        except Exception:
            log.exception("a call is not accounted for", purpose=usage.purpose, model=usage.model)

    async def flush(self) -> None:
        """Wait up to a second for recorded rows to be stored, before reading them."""
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
        now = datetime.now(UTC)
        charge = self.prices.charge(usage, now.date())
        call = MeteredCall(usage, now, charge.usd, charge.known, str(uuid4()))
        add_to_meter(call)
        by = current_spender()
        if by is NOBODY:
            log.warning("a call that nobody made", purpose=usage.purpose, model=usage.model)
        if not charge.known:
            self._flag(usage)
        return usage_row(call, by)

    def _tell(self, row: UsageRecord, exchange: ModelExchange | None) -> None:
        self._writer.add(row)
        self._observer.on_call(row, exchange)

    def _flag(self, usage: CallUsage) -> None:
        """Log a missing price once; each such row is marked as well."""
        name = (usage.provider, usage.model)
        if usage.counted and name not in self._unpriced:
            self._unpriced.add(name)
            log.warning(
                "no price is known: name it in the file of TABWRIGHT_PRICES",
                provider=usage.provider,
                model=usage.model,
            )


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
