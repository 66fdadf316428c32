"""Sends to LangFuse on a thread of its own: what is told waits in bounded memory, counted when lost."""

import time
from collections import deque
from collections.abc import Iterator
from threading import Event, Thread
from typing import Protocol

import structlog

from app.domain.metrics.telemetry import ModelExchange, RunReport, Satisfaction
from app.domain.metrics.usage import UsageRecord
from app.observability.inbox import Inbox
from app.observability.langfuse_holding import HOLD_S, Holding
from app.observability.langfuse_scores import satisfaction
from app.observability.langfuse_shapes import Drawn
from app.observability.langfuse_wire import Lost

log = structlog.get_logger(__name__)

MOST_WAITING = 20_000  # calls and passes
MOST_SIZE = 32_000_000  # characters of their words
AT_ONCE = 100  # calls and passes drawn together
PARCEL = 50  # observations in one request: some 2 MB of prompts; LangFuse takes 4.5
WAIT_S = 1.0
LINGER_S = 0.5  # what comes within it goes together
SEND_S = 5.0
PAUSE_S = 1.0  # after it was not taken; doubled each time, up to
LONGEST_PAUSE = 30  # times that
MOST_TRIES = 12  # answered with a failure, in some five minutes: that is for the parcel then
TELL_EVERY_S = 60.0

Told = tuple[UsageRecord, ModelExchange | None] | RunReport | Satisfaction


class Wire(Protocol):
    """What sends; for the one thread."""

    def send(self, drawn: Drawn, timeout_s: float) -> None:
        """Raises `Lost`."""
        ...

    def close(self) -> None:
        """Nothing more is sent."""
        ...


class Sender:
    """`tell` it; it does the rest. `dropped` counts what was lost, `waiting` what is not sent yet."""

    def __init__(
        self,
        wire: Wire,
        *,
        hold_s: float = HOLD_S,
        pause_s: float = PAUSE_S,
        wait_s: float = WAIT_S,
        linger_s: float = LINGER_S,
    ) -> None:
        self._wire = wire
        self._pause_s, self._wait_s, self._linger_s = pause_s, wait_s, linger_s
        self._inbox: Inbox[Told] = Inbox(MOST_WAITING, MOST_SIZE)
        self._holding = Holding(hold_s, self._undrawn)
        self._ending = Event()
        self._deadline = 0.0
        self._in_hand = 0
        self._lost = 0
        self._told_lost, self._told_at = 0, -TELL_EVERY_S
        self._thread = Thread(target=self._run, name="langfuse", daemon=True)

    @property
    def dropped(self) -> int:
        """Calls, passes, observations and scores that were lost."""
        return self._inbox.dropped + self._lost

    @property
    def waiting(self) -> int:
        """What was told and is not sent yet: calls and passes, and what was drawn of them."""
        return len(self._inbox) + len(self._holding) + self._in_hand

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def tell(self, told: Told, size: int) -> None:
        """Take it in; returns at once."""
        self._inbox.put(told, size)

    def end(self, within_s: float) -> None:
        """Send what waits, within that time, and end; whatever its server does."""
        until = time.monotonic() + within_s
        self._deadline = until - within_s / 5  # some of it is for closing
        self._ending.set()
        self._inbox.close()
        self._thread.join(max(0.0, until - time.monotonic()))
        self._lose(self.waiting)  # where its server holds the thread, which ends with the process
        if self.dropped > self._told_lost:
            log.error("langfuse: traces lost", dropped=self.dropped)

    def _run(self) -> None:
        while not self._ending.is_set():
            self._step(self._inbox.take(AT_ONCE, self._wait_s, self._linger_s))
        while self._time_left() > 0 and (told := self._inbox.take(AT_ONCE, 0.0)):
            self._step(told)
        try:
            self._deliver(self._holding.rest())
        finally:
            self._wire.close()

    def _step(self, told: list[Told]) -> None:
        self._in_hand = len(told)
        drawn = sum((self._drawn(one) for one in told), self._holding.overdue())
        self._deliver(drawn)

    def _drawn(self, told: Told) -> Drawn:
        """Nothing that is wrong with one of them may cost another, or end the thread."""
        try:
            if isinstance(told, RunReport):
                return self._holding.passed(told)
            if isinstance(told, Satisfaction):
                return Drawn(scores=(satisfaction(told),))
            return self._holding.called(*told)
        except Exception as error:  # noqa: BLE001 - told
            self._undrawn(error)
            return Drawn()

    def _undrawn(self, error: Exception) -> None:
        self._lose(1)
        log.error("langfuse: not drawn", exc_info=error)

    def _deliver(self, drawn: Drawn) -> None:
        parcels = deque(_parcels(drawn))
        self._in_hand = len(drawn)
        while parcels:
            parcel = parcels.popleft()
            if self._taken(parcel):
                self._in_hand -= len(parcel)
            elif len(parcel) > 1:
                parcels.extendleft(reversed(list(_parcels(parcel, len(parcel) // 2))))
            else:
                self._in_hand -= 1
                self._lose(1)

    def _taken(self, parcel: Drawn) -> bool:
        """Send it, again and again while the server is away; False when it must be smaller."""
        tries, pause = 0, self._pause_s
        while tries < MOST_TRIES and (left := self._time_left()) > 0:
            try:
                self._wire.send(parcel, min(SEND_S, left))
            except Lost as why:
                if why.why == "too_much":
                    return False
                if why.why == "refused":
                    self._lose(why.count)
                    return True
                tries += why.answered
                self._tell(str(why))
            except Exception:
                log.exception("langfuse: not sent")
                return False
            else:
                self._tell_back()
                return True
            if self._ending.wait(pause):
                self._deadline = 0.0  # it had its chance
            pause = min(2 * pause, LONGEST_PAUSE * self._pause_s)
        self._lose(len(parcel))
        return True

    def _time_left(self) -> float:
        return self._deadline - time.monotonic() if self._ending.is_set() else SEND_S

    def _lose(self, count: int) -> None:
        self._lost += count

    def _tell(self, why: str) -> None:
        """Say that it is away, at most once a minute."""
        now = time.monotonic()
        if now - self._told_at >= TELL_EVERY_S:
            self._told_at, self._told_lost = now, self.dropped
            log.warning("langfuse: away", why=why, waiting=self.waiting, dropped=self.dropped)

    def _tell_back(self) -> None:
        if self._told_at > 0:
            self._told_at = -TELL_EVERY_S
            log.info("langfuse: back", waiting=self.waiting, dropped=self.dropped)


def _parcels(drawn: Drawn, most: int = PARCEL) -> Iterator[Drawn]:
    """Observations and scores apart, so that neither is sent twice for the other's sake."""
    for at in range(0, len(drawn.observations), most):
        yield Drawn(drawn.observations[at : at + most])
    for at in range(0, len(drawn.scores), most):
        yield Drawn(scores=drawn.scores[at : at + most])
