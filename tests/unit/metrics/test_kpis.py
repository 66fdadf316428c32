"""From sums to rates."""

import json
from types import SimpleNamespace

from app.domain.metrics.kpi import ActionTally, CorrectionTally, Tallies, TaskTally
from app.metrics import compute_kpis


def kpis_of(tallies):
    """The KPIs with their fields as attributes."""
    return json.loads(
        json.dumps(compute_kpis(tallies)), object_hook=lambda it: SimpleNamespace(**it)
    )


def tried(strategy, source, status, count=1):
    return CorrectionTally(strategy=strategy, source=source, status=status, count=count)


def test_nothing_has_no_rate():
    found = kpis_of(Tallies())
    assert (found.predictions.brier, found.verification.success_rate) == (None, None)
    assert (found.corrections.success_rate, found.re_planning.rate) == (None, None)
    assert (found.tasks.completion_rate, found.skills.hit_rate) == (None, None)


def test_the_reliability_of_each_kind_of_action():
    found = kpis_of(
        Tallies(
            actions=(
                ActionTally(kind="open", bin=9, count=3, predicted=2.79, met=3, brier=0.0147),
                ActionTally(kind="open", bin=4, count=1, predicted=0.3, met=0, brier=0.09),
                ActionTally(kind="submit", bin=8, count=2, predicted=1.7, met=1, brier=0.745),
                ActionTally(tier=1, succeeded=True, count=5),
            )
        )
    ).predictions
    assert found.count == 6
    assert found.brier == round((0.0147 + 0.09 + 0.745) / 6, 4)
    opened, submitted = found.by_kind
    assert (opened.kind, opened.count, opened.observed_rate) == ("open", 4, 0.75)
    assert (opened.mean_predicted, submitted.observed_rate) == (0.7725, 0.5)
    low, high = opened.bins
    assert (low.lower, low.upper, low.count, low.observed) == (0.0, 0.5, 1, 0.0)
    assert (high.lower, high.upper, high.predicted, high.observed) == (0.9, 1.0, 0.93, 1.0)


def test_verdicts_that_cannot_tell_are_no_failures():
    found = kpis_of(
        Tallies(
            actions=(
                ActionTally(tier=1, succeeded=True, count=6, tokens_saved=600),
                ActionTally(tier=1, succeeded=False, count=2, tokens_saved=200),
                ActionTally(tier=3, succeeded=None, count=2),
                ActionTally(kind="open", bin=9, count=7),
            )
        )
    ).verification
    assert [(one.tier, one.count) for one in found.by_tier] == [(1, 8), (3, 2)]
    assert (found.count, found.decided_share, found.success_rate) == (10, 0.8, 0.75)
    assert found.tokens_saved == 800


def test_corrections_are_rated_once_they_are_settled():
    found = kpis_of(
        Tallies(
            corrections=(
                tried("wait", "strategy", "success", 3),
                tried("wait", "strategy", "failure"),
                tried("other element", "skill", "unknown"),
                tried("other element", "model", "pending", 2),
            )
        )
    ).corrections
    assert (found.count, found.success_rate) == (7, 0.6)
    rates = {one.name: (one.count, one.success_rate) for one in found.by_strategy}
    assert rates == {"wait": (4, 0.75), "other element": (3, 0.0)}
    sources = {one.name: one.success_rate for one in found.by_source}
    assert sources == {"strategy": 0.75, "skill": 0.0, "model": None}


def test_tasks_that_still_run_are_neither_done_nor_failed():
    found = kpis_of(
        Tallies(
            tasks=(
                TaskTally(status="completed", count=6, looks=20, re_plans=3, skill_uses=2, skills_helped=1),
                TaskTally(status="failed", count=1, looks=10),
                TaskTally(status="interrupted", count=1),
                TaskTally(status="executing", count=2),
            ),
            corrections=(tried("wait", "strategy", "success", 6), tried("x", "skill", "success")),
            skills=4,
        )
    )  # fmt: skip
    assert (found.tasks.count, found.tasks.completion_rate) == (10, 0.75)
    assert found.re_planning.rate == 0.1
    assert (found.skills.count, found.skills.effectiveness) == (4, 0.5)
    assert found.skills.hit_rate == 0.25
