"""The thread that sends: what waits, what is tried again, what is lost and counted, how it ends."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from app.domain.metrics.usage import UsageRecord
from app.observability import langfuse_holding
from app.observability.inbox import Inbox
from app.observability.langfuse_holding import Holding
from app.observability.langfuse_sending import Sender
from app.observability.langfuse_shapes import Drawn
from app.observability.langfuse_wire import Lost
from tests.unit.observability.reports import a_call, a_pass

HELD_S = 30.0  # what a server that hangs takes


class FakeWire:
    """Takes what is drawn, or does what `trouble` does with it."""

    def __init__(self) -> None:
        self.taken: list[Drawn] = []
        self.tries = 0
        self.trouble: Callable[[Drawn], None] | None = None
        self.closed = False

    def send(self, drawn: Drawn, timeout_s: float) -> None:
        self.tries += 1
        if self.trouble is not None:
            self.trouble(drawn)
        self.taken.append(drawn)

    def close(self) -> None:
        self.closed = True

    @property
    def names(self) -> list[str]:
        return [one.name for drawn in self.taken for one in drawn.observations]


@contextmanager
def sending(wire: FakeWire, hold_s: float = 60.0) -> Iterator[Sender]:
    sender = Sender(wire, hold_s=hold_s, pause_s=0.001, wait_s=0.05, linger_s=0.0)
    sender.start()
    yield sender
    sender.end(1.0)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def raising(error: Lost) -> Callable[[Drawn], None]:
    def trouble(_: Drawn) -> None:
        raise error

    return trouble


def test_a_call_waits_for_its_pass_and_goes_with_it() -> None:
    wire = FakeWire()
    with sending(wire) as sender:
        sender.tell((a_call(2.4), None), 100)
        sender.tell(a_pass(), 100)
        until(lambda: "opening" in wire.names)
    assert wire.names.index("request") < wire.names.index("opening")
    assert wire.closed
    assert sender.dropped == 0


def test_a_call_whose_pass_does_not_come_goes_without_it() -> None:
    wire = FakeWire()
    with sending(wire, hold_s=0.05) as sender:
        sender.tell((a_call(), None), 100)
        until(lambda: wire.names == ["opening"])
    with sending(wire) as sender:
        sender.tell((a_call(), None), 100)
    assert wire.names == ["opening", "opening"]  # the second at the end


def test_what_a_server_that_is_away_did_not_take_it_gets_when_it_is_back() -> None:
    wire = FakeWire()
    wire.trouble = raising(Lost("away"))
    with sending(wire, hold_s=0.0) as sender:
        for _ in range(5):
            sender.tell((a_call(), None), 100)
        until(lambda: wire.tries > 3)
        wire.trouble = None
        until(lambda: len(wire.names) == 5)
    assert sender.dropped == 0


def test_a_parcel_that_is_answered_with_failures_only_is_given_up_and_counted() -> None:
    wire = FakeWire()

    def trouble(drawn: Drawn) -> None:
        if any(one.name == "bad" for one in drawn.observations):
            raise Lost("away", answered=True)

    wire.trouble = trouble
    with sending(wire, hold_s=0.0) as sender:
        sender.tell((a_call(purpose="bad"), None), 100)
        until(lambda: sender.dropped == 1)
        sender.tell((a_call(), None), 100)
        until(lambda: wire.names == ["opening"])


def test_of_what_is_too_much_only_the_part_that_is_never_taken_is_lost() -> None:
    wire = FakeWire()

    def trouble(drawn: Drawn) -> None:
        if len(drawn) > 2 or any(one.name == "bad" for one in drawn.observations):
            raise Lost("too_much", answered=True)

    wire.trouble = trouble
    with sending(wire, hold_s=0.0) as sender:
        for number in range(7):
            sender.tell((a_call(purpose="bad" if number == 3 else f"n{number}"), None), 100)
        until(lambda: len(wire.names) == 6 and sender.dropped == 1)
    assert sorted(wire.names) == ["n0", "n1", "n2", "n4", "n5", "n6"]


def test_what_cannot_be_drawn_is_lost_alone() -> None:
    wire = FakeWire()
    with sending(wire, hold_s=0.0) as sender:
        sender.tell((a_call(), None), 100)
        sender.tell(("nonsense", None), 100)  # type: ignore[arg-type]
        sender.tell((a_call(), None), 100)
        until(lambda: wire.names == ["opening", "opening"] and sender.dropped == 1)


def odd_call() -> UsageRecord:
    """One that no provider of ours makes, and that cannot be drawn."""
    return a_call(purpose="odd").model_copy(update={"created_at": None})


def test_of_what_waited_for_its_pass_only_what_cannot_be_drawn_is_lost() -> None:
    wire = FakeWire()
    with sending(wire, hold_s=0.05) as sender:
        for call in (a_call(), odd_call(), a_call()):
            sender.tell((call, None), 100)
        until(lambda: wire.names == ["opening", "opening"] and sender.dropped == 1)
        sender.tell((a_call(purpose="later"), None), 100)
        until(lambda: "later" in wire.names)


def test_of_a_pass_that_cannot_be_drawn_the_calls_are_kept() -> None:
    wire = FakeWire()
    with sending(wire) as sender:
        for call in (a_call(), odd_call()):
            sender.tell((call, None), 100)
        sender.tell(a_pass(), 100)
        until(lambda: wire.names == ["opening"])
    assert sender.dropped == 2


def test_what_cannot_be_sent_is_lost_alone() -> None:
    wire = FakeWire()

    def trouble(drawn: Drawn) -> None:
        if any(one.name == "bad" for one in drawn.observations):
            raise UnicodeEncodeError("utf-8", "x", 0, 1, "half a character")

    wire.trouble = trouble
    with sending(wire, hold_s=0.0) as sender:
        for name in ("one", "bad", "two"):
            sender.tell((a_call(purpose=name), None), 100)
        until(lambda: len(wire.names) == 2 and sender.dropped == 1)
    assert sorted(wire.names) == ["one", "two"]


def test_it_ends_in_time_whatever_its_server_does() -> None:
    wire, held = FakeWire(), threading.Event()
    wire.trouble = lambda _: (held.wait(HELD_S), None)[1]
    sender = Sender(wire, hold_s=0.0, wait_s=0.05, linger_s=0.0)
    sender.start()
    for _ in range(300):
        sender.tell((a_call(), None), 100)
    until(lambda: wire.tries == 1)
    before = time.monotonic()
    sender.end(0.3)
    assert time.monotonic() - before < HELD_S / 2
    assert sender.dropped == 300
    held.set()


def test_an_inbox_is_bounded_in_number_and_size_and_counts_what_goes() -> None:
    inbox: Inbox[int] = Inbox(most=3, most_size=100)
    for number in range(5):
        inbox.put(number, 10)
    assert inbox.dropped == 2
    inbox.put(5, 95)
    assert (inbox.take(9, 0.0), inbox.dropped) == ([5], 5)
    inbox.put(6, 1_000)  # too large, and the only one
    assert inbox.take(9, 0.0) == [6]


def test_calls_that_wait_for_passes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(langfuse_holding, "MOST_HELD", 10)
    holding = Holding(60.0)
    drawn = [holding.called(a_call(request_id=f"r{number}"), None) for number in range(15)]
    assert sum(map(len, drawn)) == 5
    assert len(holding.rest()) == 10
