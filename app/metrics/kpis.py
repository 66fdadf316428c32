"""KPIs computed from sums, in the shape that the API answers. A rate is None if its denominator is 0."""

from collections.abc import Sequence
from typing import Any

from app.domain.metrics.kpi import (
    HIGHEST_BIN,
    LOWEST_BIN,
    ActionTally,
    CorrectionTally,
    Tallies,
)
from app.metrics.targets import kpi_table

Fields = dict[str, Any]


def compute_kpis(found: Tallies) -> Fields:
    """The KPIs of one tenant and period by the field names of the API's `KpisView`."""
    rates = {row.target.key: row.value for row in kpi_table(found)}
    corrections = found.corrections
    return {
        "predictions": _predictions([one for one in found.actions if one.bin is not None]),
        "verification": _verification([one for one in found.actions if one.tier is not None]),
        "corrections": {
            **_corrections(corrections),
            "by_strategy": _group(corrections, "strategy"),
            "by_source": _group(corrections, "source"),
        },
        "re_planning": {"rate": rates["re_plan_frequency"]},
        "tasks": {
            "count": _total(found.tasks),
            "failed": _total([one for one in found.tasks if one.status == "failed"]),
            "interrupted": _total([one for one in found.tasks if one.status == "interrupted"]),
            "completion_rate": rates["task_completion_rate"],
        },
        "skills": {
            "count": found.skills,
            "hit_rate": rates["skill_hit_rate"],
            "effectiveness": rates["skill_effectiveness"],
        },
    }


def _predictions(rows: Sequence[ActionTally]) -> Fields:
    kinds = sorted({one.kind or "" for one in rows})
    count = _total(rows)
    return {
        "count": count,
        "brier": _share(_total(rows, "brier"), count),
        "by_kind": [_reliability(kind, [o for o in rows if o.kind == kind]) for kind in kinds],
    }


def _reliability(kind: str, rows: Sequence[ActionTally]) -> Fields:
    """The calibration of the predictions for one kind of action."""
    count = _total(rows)
    numbers = range(LOWEST_BIN, HIGHEST_BIN + 1)
    bins = [_bin(number, [one for one in rows if one.bin == number]) for number in numbers]
    return {
        "kind": kind,
        "count": count,
        "brier": _mean(_total(rows, "brier"), count),
        "mean_predicted": _mean(_total(rows, "predicted"), count),
        "observed_rate": _mean(_total(rows, "met"), count),
        "bins": [one for one in bins if one["count"]],
    }


def _bin(number: int, rows: Sequence[ActionTally]) -> Fields:
    count = _total(rows)
    return {
        "lower": 0.0 if number == LOWEST_BIN else number / 10,
        "upper": (number + 1) / 10,
        "count": count,
        "predicted": _mean(_total(rows, "predicted"), count),
        "observed": _mean(_total(rows, "met"), count),
    }


def _verification(rows: Sequence[ActionTally]) -> Fields:
    decided = _total([one for one in rows if one.succeeded is not None])
    tiers = sorted({one.tier for one in rows if one.tier is not None})
    return {
        "count": _total(rows),
        "by_tier": [
            {"tier": tier, "count": _total([one for one in rows if one.tier == tier])}
            for tier in tiers
        ],
        "decided_share": _share(decided, _total(rows)),
        "success_rate": _share(_total([one for one in rows if one.succeeded]), decided),
        "tokens_saved": _total(rows, "tokens_saved"),
    }


def _group(rows: Sequence[CorrectionTally], by: str) -> list[Fields]:
    names = sorted({getattr(one, by) for one in rows})
    return [
        {"name": name, **_corrections([one for one in rows if getattr(one, by) == name])}
        for name in names
    ]


def _corrections(rows: Sequence[CorrectionTally]) -> Fields:
    """How many, and the success rate of settled ones; unknown results count as unsuccessful."""
    settled = _total([one for one in rows if one.status != "pending"])
    successes = _total([one for one in rows if one.status == "success"])
    return {"count": _total(rows), "success_rate": _share(successes, settled)}


def _total(rows: Sequence[object], name: str = "count") -> Any:  # noqa: ANN401 - as the field
    return sum(getattr(one, name) for one in rows)


def _share(part: float, whole: float) -> float | None:
    return _mean(part, whole) if whole else None


def _mean(total: float, count: float) -> float:
    return round(total / count, 4) if count else 0.0
