"""Rates from sums. A rate is None if its denominator is 0."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.domain.metrics.kpi import (
    HIGHEST_BIN,
    LOWEST_BIN,
    ActionTally,
    CorrectionTally,
    Tallies,
)
from app.metrics.targets import kpi_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Predictions with a confidence in [from, to): the mean prediction and the observed share."""

    lower: float
    upper: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Calibration of the predictions for one kind of action; the best Brier score is 0."""

    kind: str
    count: int
    brier: float
    mean_predicted: float
    observed_rate: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """All checkable predictions."""

    count: int
    brier: float | None
    by_kind: tuple[Reliability, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TierCount:
    """How many verdicts one tier gave."""

    tier: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifications:
    """The share of decided verdicts, and of those the share of successes."""

    count: int
    by_tier: tuple[TierCount, ...]
    decided_share: float | None
    success_rate: float | None
    tokens_saved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedShare:
    """Corrections of one strategy or source, and the success rate of the settled ones."""

    name: str
    count: int
    success_rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """What was tried after failures."""

    count: int
    success_rate: float | None
    by_strategy: tuple[NamedShare, ...]
    by_source: tuple[NamedShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RePlanning:
    """The share of observations after which the plan was changed or replaced."""

    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """The completion rate counts finished tasks only."""

    count: int
    failed: int
    interrupted: int
    completion_rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skills:
    """The number of skills. `hit_rate`: the share of needs that a skill served. `effectiveness`: the share
    of uses that helped.
    """

    count: int
    hit_rate: float | None
    effectiveness: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kpis:
    """One tenant's KPIs for one period."""

    predictions: Predictions
    verification: Verifications
    corrections: Corrections
    re_planning: RePlanning
    tasks: Tasks
    skills: Skills


def compute_kpis(found: Tallies) -> Kpis:
    """The rates of these sums."""
    rates = {row.target.key: row.value for row in kpi_table(found)}
    return Kpis(
        predictions=_predictions([one for one in found.actions if one.bin is not None]),
        verification=_verification([one for one in found.actions if one.tier is not None]),
        corrections=_corrections(found.corrections),
        re_planning=RePlanning(rate=rates["re_plan_frequency"]),
        tasks=Tasks(
            count=sum(one.count for one in found.tasks),
            failed=sum(one.count for one in found.tasks if one.status == "failed"),
            interrupted=sum(one.count for one in found.tasks if one.status == "interrupted"),
            completion_rate=rates["task_completion_rate"],
        ),
        skills=Skills(
            count=found.skills,
            hit_rate=rates["skill_hit_rate"],
            effectiveness=rates["skill_effectiveness"],
        ),
    )


def _predictions(some: Sequence[ActionTally]) -> Predictions:
    kinds = sorted({one.kind or "" for one in some})
    by_kind = tuple(_reliability(kind, [o for o in some if o.kind == kind]) for kind in kinds)
    count = sum(one.count for one in some)
    return Predictions(
        count=count, brier=_share(sum(one.brier for one in some), count), by_kind=by_kind
    )


def _reliability(kind: str, some: Sequence[ActionTally]) -> Reliability:
    count = sum(one.count for one in some)
    numbers = range(LOWEST_BIN, HIGHEST_BIN + 1)
    bins = (_bin(number, [one for one in some if one.bin == number]) for number in numbers)
    return Reliability(
        kind=kind,
        count=count,
        brier=_mean(sum(one.brier for one in some), count),
        mean_predicted=_mean(sum(one.predicted for one in some), count),
        observed_rate=_mean(sum(one.met for one in some), count),
        bins=tuple(one for one in bins if one.count),
    )


def _bin(number: int, some: Sequence[ActionTally]) -> Bin:
    count = sum(one.count for one in some)
    return Bin(
        lower=0.0 if number == LOWEST_BIN else number / 10,
        upper=(number + 1) / 10,
        count=count,
        predicted=_mean(sum(one.predicted for one in some), count),
        observed=_mean(sum(one.met for one in some), count),
    )


def _verification(some: Sequence[ActionTally]) -> Verifications:
    count = sum(one.count for one in some)
    decided = sum(one.count for one in some if one.succeeded is not None)
    tiers = sorted({one.tier for one in some if one.tier is not None})
    return Verifications(
        count=count,
        by_tier=tuple(
            TierCount(tier=tier, count=sum(one.count for one in some if one.tier == tier))
            for tier in tiers
        ),
        decided_share=_share(decided, count),
        success_rate=_share(sum(one.count for one in some if one.succeeded), decided),
        tokens_saved=sum(one.tokens_saved for one in some),
    )


def _corrections(some: Sequence[CorrectionTally]) -> Corrections:
    return Corrections(
        count=sum(one.count for one in some),
        success_rate=_helped(some),
        by_strategy=_named(some, lambda one: one.strategy),
        by_source=_named(some, lambda one: one.source),
    )


def _named(
    some: Sequence[CorrectionTally], name_of: Callable[[CorrectionTally], str]
) -> tuple[NamedShare, ...]:
    groups: dict[str, list[CorrectionTally]] = {}
    for one in some:
        groups.setdefault(name_of(one), []).append(one)
    return tuple(
        NamedShare(name=name, count=sum(o.count for o in them), success_rate=_helped(them))
        for name, them in sorted(groups.items())
    )


def _helped(some: Iterable[CorrectionTally]) -> float | None:
    """The success rate of settled corrections; unknown results count as unsuccessful."""
    settled = [one for one in some if one.status != "pending"]
    worked = sum(one.count for one in settled if one.status == "success")
    return _share(worked, sum(one.count for one in settled))


def _share(part: float, whole: float) -> float | None:
    return _mean(part, whole) if whole else None


def _mean(total: float, count: float) -> float:
    return round(total / count, 4) if count else 0.0
