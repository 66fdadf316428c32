"""Spending limits of one request, checked before each remote call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from statistics import median

from app.domain.hitl import Option, Question
from app.domain.metrics.usage import (
    CENT,
    BudgetIncrease,
    BudgetScope,
    BudgetStatus,
    CallIntent,
    Estimate,
    TaskBudget,
    TaskCost,
    format_usd,
    nano_to_usd,
    usd_to_nano,
)
from app.errors import BudgetReached
from app.usage.prices import MILLION, Prices

MIN_PAST_TASKS = 5  # past tasks needed to replace the default
MAX_PAST_TASKS = 100  # the newest tasks
CALLS = 4  # of a task that opens with a model call: the opening, two more actions, one judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class TypicalTask:
    """What the tenant's past tasks typically cost. `call_nano` is per call; None if unknown."""

    calls: int
    call_nano: int | None
    tasks: int


NOTHING_KNOWN = TypicalTask(calls=CALLS, call_nano=None, tasks=0)


def typical_task(past: Sequence[TaskCost], complexity: str = "COMPLEX") -> TypicalTask:
    """The medians over past tasks of this complexity that called a model."""
    similar = [one for one in past if one.complexity == complexity and one.calls]
    if len(similar) < MIN_PAST_TASKS:
        return NOTHING_KNOWN
    calls = max(1, round(median(one.calls for one in similar)))
    call_nano = round(median(one.cost_nano / one.calls for one in similar))
    return TypicalTask(calls=calls, call_nano=call_nano, tasks=len(similar))


def estimate_task(opening: int, typical: TypicalTask) -> Estimate:
    """Estimate the whole task. `opening` is the cost of its first call in billionths of a dollar; later
    calls are assumed to cost what past tasks' calls did, else the same as the first.
    """
    call_nano = opening if typical.call_nano is None else typical.call_nano
    total = opening + (typical.calls - 1) * call_nano
    basis = f"{CALLS} calls, as there are too few earlier tasks"
    if typical.tasks:
        basis = f"your last {typical.tasks} such tasks"
    return Estimate(
        calls=typical.calls,
        cost_usd=nano_to_usd(total),
        basis=f"this prompt's size, and {basis}",
    )


CHARS_A_TOKEN = 4  # of English, by Google's and OpenAI's rule of thumb
IMAGE_TOKENS = 1_000  # per screenshot, which providers cut into tiles of 258
REPLY_TOKENS = 300  # per reply; the limit is about ten times that and never reached


def estimate_call(intent: CallIntent, prices: Prices, on: date) -> int:
    """Estimate the cost in billionths of a dollar, uncached; 0 if no price is known."""
    if intent.kind == "search":
        return usd_to_nano(intent.credits * (prices.credit(intent.provider) or 0.0))
    rate = prices.rate(intent.provider, intent.model, on)
    if rate is None:
        return 0
    sent = intent.characters / CHARS_A_TOKEN + intent.images * IMAGE_TOKENS
    reply = min(REPLY_TOKENS, intent.most_output)
    return usd_to_nano((sent * rate.input + reply * rate.output) / MILLION)


OPENING = "opening"  # the purpose of a task's first call


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetBound:
    """One limit in billionths of a dollar; `spent` returns the current spending that counts against it.
    `month` is set for a monthly limit, "" for a task's.
    """

    scope: BudgetScope
    limit: int
    warn_at: float
    spent: Callable[[], int]
    month: str = ""

    def limit_with(self, lifts: tuple[BudgetIncrease, ...]) -> int:
        """The limit, or the higher one that a user approved for this task."""
        raised_limits = [
            one.until_nano for one in lifts if (one.scope, one.month) == (self.scope, self.month)
        ]
        return max(self.limit, *raised_limits) if raised_limits else self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetStop:
    """The limit that a call would exceed, and the cost of that call."""

    bound: BudgetBound
    spent: int
    limit: int
    need: int


@dataclass(slots=True)
class Allowance:
    """The limits of one request. `spending` is what the task's thread has recorded; `stopped` the last
    call that was blocked; `warnings` are shown with this response.
    """

    prices: Prices
    bounds: tuple[BudgetBound, ...] = ()
    typical: TypicalTask = NOTHING_KNOWN
    spending: TaskBudget = TaskBudget()
    estimate: Estimate | None = None
    stopped: BudgetStop | None = None
    warnings: list[str] = field(default_factory=list)

    def check(self, intent: CallIntent) -> None:
        """Check that the call fits the limits. Raises `BudgetReached`."""
        need = estimate_call(intent, self.prices, datetime.now(UTC).date())
        if intent.purpose == OPENING and self.estimate is None:
            self.estimate = estimate_task(need, self.typical)
        for bound in self.bounds:
            spent, limit = bound.spent(), bound.limit_with(self.spending.lifts)
            if spent >= limit or spent + need > limit:
                self.stopped = BudgetStop(bound=bound, spent=spent, limit=limit, need=need)
                raise BudgetReached(
                    f"{format_usd(spent)} of {format_usd(limit)} are spent ({bound.scope})"
                )

    def statuses(self) -> tuple[BudgetStatus, ...]:
        """The state of each limit, nearest first; a limit that blocked a call counts as reached."""
        statuses = []
        for bound in self.bounds:
            spent, limit = bound.spent(), bound.limit_with(self.spending.lifts)
            is_blocked = self.stopped is not None and self.stopped.bound is bound and spent < limit
            share = 1.0 if is_blocked else spent / limit
            status = BudgetStatus(
                scope=bound.scope,
                limit_usd=nano_to_usd(limit),
                spent_usd=nano_to_usd(spent),
                state="reached" if share >= 1 else "warning" if share >= bound.warn_at else "ok",
            )
            statuses.append((share, status))
        return tuple(one for _, one in sorted(statuses, key=lambda each: -each[0]))


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def use_allowance(allowance: Allowance | None) -> Iterator[None]:
    """Apply these limits to all calls within the context, including those of tasks started in it."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def check_allowance(intent: CallIntent) -> None:
    """The gate of every billable port. Raises `BudgetReached` if the request's limits are exceeded."""
    allowance = _allowance.get()
    if allowance is not None:
        allowance.check(intent)


TENTH = 10  # by which a user may exceed a monthly limit if no limit per task is set

WHOSE = {
    "task": "this task's budget",
    "user": "your budget for this month",
    "tenant": "your team's budget for this month",
}


def create_budget_question(
    stop: BudgetStop, allowance: Allowance, *, node: str, operator: bool
) -> Question:
    """Ask whether to spend more. Only an operator can raise a monthly limit: other users are told whom
    to ask, and may continue without the model or stop.
    """
    bound = stop.bound
    # The task's limit once more, or else a tenth of the month's.
    task_limits = [one.limit for one in allowance.bounds if one.scope == "task"]
    increase = max(*task_limits or [max(CENT, bound.limit // TENTH)], 2 * stop.need)
    lift = BudgetIncrease(
        scope=bound.scope, until_nano=max(stop.limit, stop.spent) + increase, month=bound.month
    )
    spend_option = Option(id="more", label=f"Spend up to {format_usd(increase)} more on this task")
    others = (
        Option(id="rules", label="Go on without the model"),
        Option(id="stop", label="Stop here"),
    )
    text, can_raise = _describe_stop(stop), operator or bound.scope == "task"
    return Question(
        text=text if can_raise else f"{text} An operator of your team can let it spend more.",
        kind="clarification",
        source="budget",
        return_to=f"{node}/spend",
        options=(spend_option, *others) if can_raise else others,
        further=() if can_raise else (spend_option,),
        about=bound.scope,
        lift=lift,
    )


def budget_warning(status: BudgetStatus) -> str:
    spent, limit = usd_to_nano(status.spent_usd), usd_to_nano(status.limit_usd)
    whose = WHOSE[status.scope]
    return f"{whose[0].upper()}{whose[1:]}: {format_usd(spent)} of {format_usd(limit)} are spent."


def _describe_stop(stop: BudgetStop) -> str:
    whose = WHOSE[stop.bound.scope]
    spent = f"{format_usd(stop.spent)} of {format_usd(stop.limit)} are spent"
    if stop.spent >= stop.limit:
        return f"{whose[0].upper()}{whose[1:]} is used up: {spent}. How shall this task go on?"
    need = f"it takes about {format_usd(stop.need)}"
    return f"One more call would pass {whose}: {spent}, and {need}. How shall this task go on?"
