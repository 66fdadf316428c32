"""Counts and sums for the KPIs of one tenant and period, as computed by the store."""

from typing import Literal

from app.domain.base import Value

Bucket = Literal["day", "week", "month"]


class ActionTally(Value):
    """Actions with the same outcome.

    `kind` and `bin` are those of the prediction, None without one; bin n covers predicted shares in [n/10,
    (n+1)/10), bin 4 everything below 0.5. `tier` and `succeeded` are those of the verdict; `tier` is None
    without one. The rest are sums over `count` actions.
    """

    kind: str | None = None
    bin: int | None = None
    tier: int | None = None
    succeeded: bool | None = None
    count: int
    predicted: float = 0.0
    met: int = 0
    brier: float = 0.0
    tokens_saved: int = 0


class CorrectionTally(Value):
    """Corrections with the same strategy, source and outcome."""

    strategy: str
    source: str
    status: str
    count: int


class TaskTally(Value):
    """Tasks with the same status and complexity, and the sums of their counters.

    `complexity` is the initial classification; `misclassified` tasks turned out to be COMPLEX. `chained`
    counts the actions of tasks that sent several at once, `saved` the round trips saved by that. `p95_ms`
    is the 95th percentile of the server time of whole tasks, in ms.
    """

    status: str
    complexity: str | None = None
    misclassified: bool = False
    count: int
    looks: int = 0
    re_plans: int = 0
    skill_uses: int = 0
    skills_helped: int = 0
    chains: int = 0
    chains_whole: int = 0
    chained: int = 0
    saved: int = 0
    p95_ms: float | None = None


class RatingTally(Value):
    """The number of rated chat answers, and of those rated as satisfying."""

    count: int = 0
    satisfied: int = 0


class Latency(Value):
    """Server time of `count` requests: the 95th percentile in ms."""

    p95_ms: float | None = None
    count: int = 0


class Tallies(Value):
    """All inputs of the KPIs; `skills` is the current number of skills."""

    actions: tuple[ActionTally, ...] = ()
    corrections: tuple[CorrectionTally, ...] = ()
    tasks: tuple[TaskTally, ...] = ()
    passes: Latency = Latency()
    ratings: RatingTally = RatingTally()
    skills: int = 0


MANY_SKILLS = 8_000  # per tenant; interact_flow.md, "Skills explosion"
LOWEST_BIN = 4
HIGHEST_BIN = 9
