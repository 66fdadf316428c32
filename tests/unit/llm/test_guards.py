"""Retries, the circuit breaker and the limit on concurrent calls."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.errors import ModelMisconfigured, ModelRefused, ModelUnavailable
from app.llm.providers.guards import CallGuards, CircuitBreaker
from app.llm.providers.transport import CallFailed

AWAY = CallFailed(ModelUnavailable("busy"), retryable=True)
ENDED = CallFailed(ModelUnavailable("gone"))
NEVER_AGAIN = CallFailed(ModelMisconfigured("no such model"))


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def soon(seconds: float = 5) -> float:
    return asyncio.get_running_loop().time() + seconds


def goes(*outcomes: object) -> Callable[[], Awaitable[object]]:
    """Attempts that go like this, one after the other."""
    left = list(outcomes)

    async def attempt() -> object:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    attempt.left = left  # type: ignore[attr-defined]
    return attempt


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guards(clock: Clock) -> CallGuards:
    return CallGuards(
        first_pause_s=0.001, breaker=lambda: CircuitBreaker(opens_after=3, open_s=30, clock=clock)
    )


async def test_what_is_down_is_left_alone_then_tried_once_then_trusted(
    guards: CallGuards, clock: Clock
) -> None:
    with pytest.raises(CallFailed, match="busy"):
        await guards.run("m", soon(), goes(AWAY, AWAY, AWAY))
    unasked = goes("never")
    with pytest.raises(CallFailed, match="3 times in a row") as failed:
        await guards.run("m", soon(), unasked)
    assert unasked.left == ["never"]  # type: ignore[attr-defined]
    assert failed.value.error.retry_after == 30
    clock.now += 31
    assert await guards.run("m", soon(), goes("back")) == "back"
    assert await guards.run("m", soon(), goes("still")) == "still"


async def test_one_call_tries_it_while_the_others_go_without(
    guards: CallGuards, clock: Clock
) -> None:
    with pytest.raises(CallFailed):
        await guards.run("m", soon(), goes(AWAY, AWAY, AWAY))
    clock.now += 31
    gate = asyncio.Event()

    async def slow() -> str:
        await gate.wait()
        return "back"

    trying = asyncio.create_task(guards.run("m", soon(), slow))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(CallFailed, match="not called"):
        await guards.run("m", soon(), goes("never"))
    gate.set()
    assert await trying == "back"


async def test_a_failed_trial_begins_the_pause_anew(guards: CallGuards, clock: Clock) -> None:
    with pytest.raises(CallFailed):
        await guards.run("m", soon(), goes(AWAY, AWAY, AWAY))
    clock.now += 31
    with pytest.raises(CallFailed, match="gone"):
        await guards.run("m", soon(), goes(ENDED))
    clock.now += 29
    with pytest.raises(CallFailed, match="not called"):
        await guards.run("m", soon(), goes("never"))


async def test_a_cancelled_trial_leaves_room_for_another(guards: CallGuards, clock: Clock) -> None:
    with pytest.raises(CallFailed):
        await guards.run("m", soon(), goes(AWAY, AWAY, AWAY))
    clock.now += 31
    trying = asyncio.create_task(guards.run("m", soon(), asyncio.Event().wait))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    trying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await trying
    assert await guards.run("m", soon(), goes("back")) == "back"


async def test_each_model_has_a_breaker_of_its_own(guards: CallGuards) -> None:
    with pytest.raises(CallFailed):
        await guards.run("strong", soon(), goes(AWAY, AWAY, AWAY))
    assert await guards.run("fast", soon(), goes("here")) == "here"


async def test_refusals_do_not_open_it(guards: CallGuards) -> None:
    no = CallFailed(ModelRefused("no"))
    for failure in (no, NEVER_AGAIN) * 5:
        with pytest.raises(CallFailed, match="no"):
            await guards.run("m", soon(), goes(failure))
    assert await guards.run("m", soon(), goes("here")) == "here"


async def test_three_tries_at_most_and_none_where_it_cannot_help(guards: CallGuards) -> None:
    assert await guards.run("a", soon(), goes(AWAY, AWAY, "third")) == "third"
    with pytest.raises(CallFailed, match="no such model"):
        await guards.run("b", soon(), goes(NEVER_AGAIN, "never"))


async def test_no_try_begins_after_the_deadline(guards: CallGuards) -> None:
    asked_to_wait = CallFailed(ModelUnavailable("busy"), retryable=True, after=10)
    attempt = goes(asked_to_wait, "too late")
    async with asyncio.timeout(9):
        with pytest.raises(CallFailed, match="busy"):
            await guards.run("m", soon(5), attempt)
    assert attempt.left == ["too late"]  # type: ignore[attr-defined]


async def test_no_more_calls_at_once_than_allowed() -> None:
    guards = CallGuards(concurrent=2)
    now = most = 0

    async def call() -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1

    await asyncio.gather(*(guards.run("m", soon(), call) for _ in range(9)))
    assert most == 2


async def test_waiting_for_room_counts_against_the_deadline() -> None:
    guards = CallGuards(concurrent=1)
    first = asyncio.create_task(guards.run("m", soon(30), asyncio.Event().wait))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(CallFailed, match="at the same time"):
        await guards.run("m", soon(0.05), goes("never"))
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await guards.run("m", soon(), goes("room")) == "room"
