"""What a task will probably cost, before its first call of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from app.domain.budget import Estimate
from app.domain.money import usd
from app.domain.usage_sum import TaskCost

ENOUGH = 5  # past tasks that tell more than the default does
LOOKED_AT = 100  # the newest tasks
CALLS = (
    4  # of a task that opens with a model: it opens, acts twice more, and once something is judged
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """What a task took by the tenant's own past ones. `call_nano` is one call; None where not known."""

    calls: int
    call_nano: int | None
    tasks: int


NOTHING_KNOWN = Typical(calls=CALLS, call_nano=None, tasks=0)


def typical_of(past: Sequence[TaskCost], complexity: str = "COMPLEX") -> Typical:
    """The medians over past tasks of this kind that asked a model."""
    alike = [one for one in past if one.complexity == complexity and one.calls]
    if len(alike) < ENOUGH:
        return NOTHING_KNOWN
    calls = max(1, round(median(one.calls for one in alike)))
    each = round(median(one.cost_nano / one.calls for one in alike))
    return Typical(calls=calls, call_nano=each, tasks=len(alike))


def estimate_of(opening: int, typical: Typical) -> Estimate:
    """Of the whole task, whose first call takes `opening` billionths of a dollar; the calls after it are
    like those of past tasks, or like the first.
    """
    each = opening if typical.call_nano is None else typical.call_nano
    total = opening + (typical.calls - 1) * each
    told = f"your last {typical.tasks} such tasks" if typical.tasks else "no earlier tasks"
    basis = f"this prompt's size, and {told}"
    if not typical.tasks:
        basis = f"this prompt's size, and {CALLS} calls, as there are too few earlier tasks"
    return Estimate(calls=typical.calls, cost_usd=usd(total), basis=basis)
