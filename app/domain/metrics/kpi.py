"""Counts and sums for the KPIs of one tenant and period, as the store makes them."""

from typing import Literal

from app.domain.base import Value

Bucket = Literal["day", "week", "month"]


class ActionTally(Value):
    """Actions that came to the same.

    `kind` and `bin` are those of their predictions, None for those without one; bin n holds
    predicted shares from n/10 up to (n+1)/10, bin 4 all below 0.5. `tier` and `succeeded` are those
    of their verdicts, `tier` None for those without one. The rest are sums over `count` actions.
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
    """Corrections of one strategy and source that came to the same."""

    strategy: str
    source: str
    status: str
    count: int


class TaskTally(Value):
    """Tasks that ended, or stand, alike, with the sums of their own counters.

    `complexity` is what they were taken for at first; `misclassified` of them turned out to be COMPLEX.
    `chained` are the actions of tasks that sent several at once, `saved` the round trips which that saved
    them. `p95_ms` is that of the server time of whole tasks, in ms.
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
    """Answers of the chat that people rated, and how many of them they were satisfied with."""

    count: int = 0
    satisfied: int = 0


class Latency(Value):
    """Server time of `count` requests: 95 % of them took at most so many ms."""

    p95_ms: float | None = None
    count: int = 0


class Tallies(Value):
    """All that the KPIs are made of; `skills` is how many there are now."""

    actions: tuple[ActionTally, ...] = ()
    corrections: tuple[CorrectionTally, ...] = ()
    tasks: tuple[TaskTally, ...] = ()
    passes: Latency = Latency()
    ratings: RatingTally = RatingTally()
    skills: int = 0


MANY_SKILLS = 8_000  # of one tenant; interact_flow.md, "Skills explosion"


LOWEST_BIN = 4


HIGHEST_BIN = 9
