"""What stands between the agent and a provider that is slow, busy or down."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from app.errors import ModelUnavailable
from app.llm.providers.transport import CallFailed

ATTEMPTS = 3  # over the wire for one reply
FIRST_PAUSE_S = 0.4  # doubled each time, of which a random half to whole is waited
CONCURRENT = 16  # calls in flight to one provider, a process
OPENS_AFTER = 5  # failures in a row
OPEN_S = 30.0

Result = TypeVar("Result")
Clock = Callable[[], float]


class CircuitBreaker:
    """Lets no calls through for a while once a model failed several times in a row.

    After `open_s` one call goes through; when it works all do, when it fails the while begins anew.
    Our own: pybreaker knows no asyncio, aiobreaker has seen no release in years, and what is wanted
    here, that a cancelled call counts for nothing, is in none of them.
    """

    def __init__(
        self, opens_after: int = OPENS_AFTER, open_s: float = OPEN_S, clock: Clock = time.monotonic
    ) -> None:
        self._opens_after = opens_after
        self._open_s = open_s
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._trying = False

    def admit(self) -> None:
        """Let a call through, or raise `CallFailed`. Then tell how it went, whatever happened."""
        if self._open_until is None:
            return
        left = self._open_until - self._clock()
        if left > 0 or self._trying:
            away = ModelUnavailable(
                f"it failed {self._failures} times in a row and is left alone for now",
                retry_after=max(1, round(left)),
            )
            raise CallFailed(away)
        self._trying = True

    def record_success(self) -> None:
        """The provider answered."""
        self._failures, self._open_until, self._trying = 0, None, False

    def record_failure(self) -> None:
        """It did not."""
        self._failures += 1
        self._trying = False
        if self._failures >= self._opens_after:
            self._open_until = self._clock() + self._open_s

    def record_abandoned(self) -> None:
        """The call was cancelled on this side: nothing is known."""
        self._trying = False


class CallGuards:
    """Retries, breakers (one a model), and a limit on calls at the same time, for one provider."""

    def __init__(
        self,
        concurrent: int = CONCURRENT,
        first_pause_s: float = FIRST_PAUSE_S,
        breaker: Callable[[], CircuitBreaker] = CircuitBreaker,
    ) -> None:
        self._room = asyncio.Semaphore(concurrent)
        self._first_pause_s = first_pause_s
        self._breakers = defaultdict[str, CircuitBreaker](breaker)

    async def run(
        self, model: str, deadline: float, attempt: Callable[[], Awaitable[Result]]
    ) -> Result:
        """What `attempt` gives, tried again where that may help and time is left.

        `deadline` is in the event loop's time. Raises `CallFailed`; when cancelled, the attempt is.
        """
        retrying = AsyncRetrying(
            retry=retry_if_exception(
                lambda error: isinstance(error, CallFailed) and error.retryable
            ),
            wait=self._pause,
            stop=lambda state: _enough(state, deadline),
            reraise=True,
        )
        return await retrying(self._once, model, deadline, attempt)

    async def _once(
        self, model: str, deadline: float, attempt: Callable[[], Awaitable[Result]]
    ) -> Result:
        breaker = self._breakers[model]
        try:
            async with asyncio.timeout_at(deadline):
                await self._room.acquire()
        except TimeoutError as error:
            raise CallFailed(ModelUnavailable("too many calls at the same time")) from error
        try:
            breaker.admit()
            return await _told(breaker, deadline, attempt)
        finally:
            self._room.release()

    def _pause(self, state: RetryCallState) -> float:
        """Seconds: what the provider asked for, else doubled each time; never in step with others."""
        jittered = self._first_pause_s * 2.0 ** (state.attempt_number - 1) * random.uniform(0.5, 1)
        error = state.outcome.exception() if state.outcome else None
        asked = error.after if isinstance(error, CallFailed) else None
        return jittered if asked is None else asked + jittered / 4


async def _told(
    breaker: CircuitBreaker, deadline: float, attempt: Callable[[], Awaitable[Result]]
) -> Result:
    try:
        async with asyncio.timeout_at(deadline):
            result = await attempt()
    except TimeoutError as error:
        breaker.record_failure()
        raise CallFailed(ModelUnavailable("it did not answer in time")) from error
    except CallFailed as failure:
        # A refused key or schema is an answer too: the next call may fare better.
        away = isinstance(failure.error, ModelUnavailable)
        (breaker.record_failure if away else breaker.record_success)()
        raise
    except BaseException:
        breaker.record_abandoned()
        raise
    breaker.record_success()
    return result


def _enough(state: RetryCallState, deadline: float) -> bool:
    return (
        state.attempt_number >= ATTEMPTS
        or asyncio.get_running_loop().time() + state.upcoming_sleep >= deadline
    )
