"""Calls are told of before the pass that they are part of: they wait for it here, for a while."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic

from app.domain.metrics.telemetry import ModelExchange, RunReport
from app.domain.metrics.usage import UsageRecord
from app.observability.langfuse_shapes import Drawn
from app.observability.langfuse_trace import call_alone, pass_whole

HOLD_S = 60.0  # a pass with a few slow models; a call that waited longer goes under its request
MOST_HELD = 2_000  # calls; beyond it the oldest go under their request

Made = tuple[UsageRecord, ModelExchange | None]


@dataclass(slots=True)
class _Waiting:
    """The calls of one request, and when the first of them came."""

    since: float
    calls: list[Made]


class Holding:
    """Turns what is told into what is sent. For one thread; `hold_s` is how long calls wait. Nothing
    that is wrong with one of them costs another: `undrawn` hears what it raised.
    """

    def __init__(
        self, hold_s: float = HOLD_S, undrawn: Callable[[Exception], None] = lambda _: None
    ) -> None:
        self._hold_s = hold_s
        self._undrawn = undrawn
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        """How many calls wait."""
        return self._count

    def called(self, record: UsageRecord, exchange: ModelExchange | None) -> Drawn:
        """A call. Nothing is sent yet of one that waits for its pass."""
        if not record.request_id:
            return self._alone([(record, exchange)])
        waiting = self._waiting.setdefault(record.request_id, _Waiting(monotonic(), []))
        waiting.calls.append((record, exchange))
        self._count += 1
        return self._let_go(lambda _: self._count > MOST_HELD)

    def passed(self, report: RunReport) -> Drawn:
        """A pass, with the calls that were made in it."""
        waiting = self._waiting.pop(report.request_id, None)
        calls = waiting.calls if waiting else []
        self._count -= len(calls)
        try:
            return pass_whole(report, calls)
        except Exception as error:  # noqa: BLE001 - told
            self._undrawn(error)
            return self._alone(calls)

    def overdue(self) -> Drawn:
        """The calls that waited too long for their pass."""
        before = monotonic() - self._hold_s
        return self._let_go(lambda waiting: waiting.since <= before)

    def rest(self) -> Drawn:
        """All that still wait."""
        return self._let_go(lambda _: True)

    def _let_go(self, goes: Callable[[_Waiting], bool]) -> Drawn:
        """Those that have waited longest, as long as they are to go."""
        gone: list[Made] = []
        while self._waiting and goes(next(iter(self._waiting.values()))):
            _, waiting = self._waiting.popitem(last=False)
            self._count -= len(waiting.calls)
            gone.extend(waiting.calls)
        return self._alone(gone)

    def _alone(self, calls: Iterable[Made]) -> Drawn:
        drawn = Drawn()
        for made in calls:
            try:
                drawn += call_alone(*made)
            except Exception as error:  # noqa: BLE001 - told
                self._undrawn(error)
        return drawn
