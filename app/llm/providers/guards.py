"""Guards against slow, busy or unavailable providers."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from app.errors import ModelUnavailable
from app.llm.providers.transport import CallFailed

ATTEMPTS = 3  # remote calls per reply
FIRST_PAUSE_S = 0.4  # doubled each time; the wait is a random half to whole of it
CONCURRENT = 16  # concurrent calls to one provider, per process
OPENS_AFTER = 5  # consecutive failures
OPEN_S = 30.0

Result = TypeVar("Result")
Clock = Callable[[], float]


class CircuitBreaker:
    """Rejects calls for a while after several consecutive failures of a model.

    After `open_s` one trial call is allowed; its success closes the breaker, its failure restarts the
    wait. Written here because pybreaker does not support asyncio, aiobreaker is unmaintained, and
    neither can ignore a cancelled call.
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
        """Admit a call or raise `CallFailed`. Record the result afterwards in any case."""
        if self._open_until is None:
            return
        left = self._open_until - self._clock()
        if left > 0 or self._trying:
            reason = f"it failed {self._failures} times in a row and is not called for now"
            raise CallFailed(ModelUnavailable(reason, retry_after=max(1, round(left))))
        self._trying = True

    def record_success(self) -> None:
        self._failures, self._open_until, self._trying = 0, None, False

    def record_failure(self) -> None:
        self._failures += 1
        self._trying = False
        if self._failures >= self._opens_after:
            self._open_until = self._clock() + self._open_s

    def record_abandoned(self) -> None:
        """The call was cancelled by us, so its result is unknown."""
        self._trying = False


class CallGuards:
    """Retries, circuit breakers (one per model), and a concurrency limit for one provider."""

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
        """Run `attempt` and retry it while that may help and time is left.

        `deadline` is in event-loop time. Cancelling this cancels the attempt. Raises `CallFailed`.
        """
        retrying = AsyncRetrying(
            retry=retry_if_exception(
                lambda error: isinstance(error, CallFailed) and error.retryable
            ),
            wait=self._pause,
            stop=lambda state: _should_stop(state, deadline),
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
            return await _run_attempt(breaker, deadline, attempt)
        finally:
            self._room.release()

    def _pause(self, state: RetryCallState) -> float:
        """The wait in seconds: as the provider asked, else exponential with jitter."""
        jittered = self._first_pause_s * 2.0 ** (state.attempt_number - 1) * random.uniform(0.5, 1)
        error = state.outcome.exception() if state.outcome else None
        asked = error.after if isinstance(error, CallFailed) else None
        return jittered if asked is None else asked + jittered / 4


async def _run_attempt(
    breaker: CircuitBreaker, deadline: float, attempt: Callable[[], Awaitable[Result]]
) -> Result:
    try:
        async with asyncio.timeout_at(deadline):
            result = await attempt()
    except TimeoutError as error:
        breaker.record_failure()
        raise CallFailed(ModelUnavailable("it did not answer in time")) from error
    except CallFailed as failure:
        # A rejected key or schema proves that the provider is up, so it counts as a success.
        away = isinstance(failure.error, ModelUnavailable)
        (breaker.record_failure if away else breaker.record_success)()
        raise
    except BaseException:
        breaker.record_abandoned()
        raise
    breaker.record_success()
    return result


def _should_stop(state: RetryCallState, deadline: float) -> bool:
    return (
        state.attempt_number >= ATTEMPTS
        or asyncio.get_running_loop().time() + state.upcoming_sleep >= deadline
    )
