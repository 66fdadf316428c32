"""What one request may spend: asked before each call over the wire, by whoever makes it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from statistics import median

from app.domain.metrics.budget import (
    BudgetIncrease,
    BudgetScope,
    BudgetStatus,
    Estimate,
    TaskBudget,
    format_usd,
    nano_to_usd,
    usd_to_nano,
)
from app.domain.metrics.usage import CallIntent, TaskCost
from app.errors import BudgetReached
from app.usage.prices import MILLION, Prices

ENOUGH = 5  # past tasks that tell more than the default does
LOOKED_AT = 100  # the newest tasks
CALLS = (
    4  # of a task that opens with a model: it opens, acts twice more, and once something is judged
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypicalTask:
    """What a task took by the tenant's own past ones. `call_nano` is one call; None where not known."""

    calls: int
    call_nano: int | None
    tasks: int


NOTHING_KNOWN = TypicalTask(calls=CALLS, call_nano=None, tasks=0)


def typical_task(past: Sequence[TaskCost], complexity: str = "COMPLEX") -> TypicalTask:
    """The medians over past tasks of this kind that asked a model."""
    alike = [one for one in past if one.complexity == complexity and one.calls]
    if len(alike) < ENOUGH:
        return NOTHING_KNOWN
    calls = max(1, round(median(one.calls for one in alike)))
    each = round(median(one.cost_nano / one.calls for one in alike))
    return TypicalTask(calls=calls, call_nano=each, tasks=len(alike))


def estimate_task(opening: int, typical: TypicalTask) -> Estimate:
    """Of the whole task, whose first call takes `opening` billionths of a dollar; the calls after it are
    like those of past tasks, or like the first.
    """
    each = opening if typical.call_nano is None else typical.call_nano
    total = opening + (typical.calls - 1) * each
    told = f"your last {typical.tasks} such tasks" if typical.tasks else "no earlier tasks"
    basis = f"this prompt's size, and {told}"
    if not typical.tasks:
        basis = f"this prompt's size, and {CALLS} calls, as there are too few earlier tasks"
    return Estimate(calls=typical.calls, cost_usd=nano_to_usd(total), basis=basis)


CHARS_A_TOKEN = 4  # of English, by Google's and OpenAI's own rule of thumb
IMAGE_TOKENS = 1_000  # of one picture of a page, which providers cut into tiles of 258
REPLY_TOKENS = 300  # of our replies; their bound is about ten times that, and never used up


def estimate_call(intent: CallIntent, prices: Prices, on: date) -> int:
    """Billionths of a dollar; 0 where no price is known. Nothing is taken to be cached."""
    if intent.kind == "search":
        credit = prices.file.searches.get(intent.provider.casefold())
        return usd_to_nano(intent.credits * credit.credit) if credit else 0
    rate = prices.rate(intent.provider, intent.model, on)
    if rate is None:
        return 0
    sent = intent.characters / CHARS_A_TOKEN + intent.images * IMAGE_TOKENS
    reply = min(REPLY_TOKENS, intent.most_output)
    return usd_to_nano((sent * rate.input + reply * rate.output) / MILLION)


OPENS = "opening"  # the purpose of the call that a task begins with


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetBound:
    """One limit, in billionths of a dollar, and what counts against it; `spent` says how much now.

    `month` is that of a monthly limit, "" for a task's. `whose` names whom it holds for.
    """

    scope: BudgetScope
    limit: int
    warn_at: float
    spent: Callable[[], int]
    month: str = ""
    whose: str = ""

    def under(self, lifts: tuple[BudgetIncrease, ...]) -> int:
        """The limit, or what a person let this task spend beyond it."""
        mine = [
            one.until_nano for one in lifts if (one.scope, one.month) == (self.scope, self.month)
        ]
        return max(self.limit, *mine) if mine else self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetStop:
    """Which limit a call would pass, and what that call would take."""

    bound: BudgetBound
    spent: int
    limit: int
    need: int


@dataclass(slots=True)
class Allowance:
    """The limits of one request. `spending` is what the task's thread knows; `stopped` the last call that
    did not leave, `warnings` what the person is told with this answer.
    """

    prices: Prices
    bounds: tuple[BudgetBound, ...] = ()
    typical: TypicalTask = NOTHING_KNOWN
    spending: TaskBudget = TaskBudget()
    estimate: Estimate | None = None
    stopped: BudgetStop | None = None
    warnings: list[str] = field(default_factory=list)

    def check(self, intent: CallIntent) -> None:
        """Return when the call may leave. Raises `BudgetReached`."""
        need = estimate_call(intent, self.prices, datetime.now(UTC).date())
        if intent.purpose == OPENS and self.estimate is None:
            self.estimate = estimate_task(need, self.typical)
        for bound in self.bounds:
            spent, limit = bound.spent(), bound.under(self.spending.lifts)
            if spent >= limit or spent + need > limit:
                self.stopped = BudgetStop(bound=bound, spent=spent, limit=limit, need=need)
                raise BudgetReached(
                    f"{format_usd(spent)} of {format_usd(limit)} are spent ({bound.scope})"
                )

    def standings(self) -> tuple[BudgetStatus, ...]:
        """How each limit stands, the nearest first; one that kept a call back is reached."""
        found = []
        for bound in self.bounds:
            spent, limit = bound.spent(), bound.under(self.spending.lifts)
            stops = self.stopped is not None and self.stopped.bound is bound and spent < limit
            share = 1.0 if stops else spent / limit
            found.append((share, _standing(bound, spent, limit, share)))
        return tuple(one for _, one in sorted(found, key=lambda each: -each[0]))


def _standing(bound: BudgetBound, spent: int, limit: int, share: float) -> BudgetStatus:
    return BudgetStatus(
        scope=bound.scope,
        limit_usd=nano_to_usd(limit),
        spent_usd=nano_to_usd(spent),
        state="reached" if share >= 1 else "warning" if share >= bound.warn_at else "ok",
    )


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def use_allowance(allowance: Allowance | None) -> Iterator[None]:
    """These limits for all that is called within, also by tasks that are started within."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def check_allowance(intent: CallIntent) -> None:
    """The gate of every port that costs. Raises `BudgetReached` where the request's limits say so."""
    allowance = _allowance.get()
    if allowance is not None:
        allowance.check(intent)
