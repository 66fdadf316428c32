"""The table of KPIs: each value over sums that can be checked by hand, and what is said of it."""

import pytest

from app.domain.metrics.kpi import (
    ActionTally,
    CorrectionTally,
    Latency,
    RatingTally,
    Tallies,
    TaskTally,
)
from app.metrics.targets import TARGETS, kpi_table, skill_warnings

# interact_flow.md, "Metrics and KPIs", and the chat's
WANTED = [
    ("Overall", "Task completion rate", "≥ 85%", "< 75%"),
    ("Overall", "p95 latency", "< 7s", "> 10s"),
    ("Complexity Routing", "SIMPLE task latency", "< 2s", "> 4s"),
    ("Complexity Routing", "Classification accuracy", "≥ 90%", "< 80%"),
    ("Action Chaining", "Chain success rate", "≥ 80%", "< 60%"),
    ("Action Chaining", "Round-trip reduction", "≥ 50%", "< 30%"),
    ("Dynamic Re-Planning", "Re-plan frequency", "< 20%", "> 40%"),
    ("Skills Library", "Skill hit rate", "≥ 10%", "N/A"),
    ("Skills Library", "Skill effectiveness", "≥ 60%", "< 40%"),
    ("Verification", "Verification success rate", "≥ 90%", "< 80%"),
    ("Self-Correction", "Correction success rate", "≥ 70%", "< 50%"),
    ("Chat", "User satisfaction", "≥ 80%", "N/A"),
]


def tried(source: str, status: str, count: int) -> CorrectionTally:
    return CorrectionTally(strategy="wait", source=source, status=status, count=count)


FOUND = Tallies(
    tasks=(
        TaskTally(
            status="completed", complexity="SIMPLE", count=6, looks=8, p95_ms=1500,
            skill_uses=2, skills_helped=1,
        ),
        TaskTally(
            status="completed", complexity="SIMPLE", misclassified=True, count=1, p95_ms=9000, looks=2
        ),
        TaskTally(
            status="completed", complexity="COMPLEX", count=1, looks=8, re_plans=3, p95_ms=9000,
            chains=4, chains_whole=3, chained=10, saved=6, skill_uses=2, skills_helped=2,
        ),
        TaskTally(status="failed", complexity="COMPLEX", count=1, looks=2, chains=1, chained=2),
        TaskTally(status="interrupted", complexity="COMPLEX", count=1),
        TaskTally(status="executing", complexity="SIMPLE", count=10, p95_ms=9000),
    ),
    actions=(
        ActionTally(tier=1, succeeded=True, count=17),
        ActionTally(tier=2, succeeded=False, count=3),
        ActionTally(tier=3, succeeded=None, count=9),
        ActionTally(kind="open", bin=9, count=9),
    ),
    corrections=(
        tried("strategy", "success", 3),
        tried("model", "failure", 1),
        tried("skill", "unknown", 1),
        tried("strategy", "pending", 2),
    ),
    passes=Latency(p95_ms=7_000, count=40),
    ratings=RatingTally(count=8, satisfied=6),
)  # fmt: skip
VALUES = {
    "task_completion_rate": (0.8, 10, "below_target"),
    "p95_latency": (7.0, 40, "below_target"),
    "simple_task_latency": (1.5, 6, "ok"),
    "classification_accuracy": (0.95, 20, "ok"),
    "chain_success_rate": (0.6, 5, "below_target"),
    "round_trip_reduction": (0.5, 12, "ok"),
    "re_plan_frequency": (0.15, 20, "ok"),
    "skill_hit_rate": (0.4, 10, "ok"),
    "skill_effectiveness": (0.75, 4, "ok"),
    "verification_success_rate": (0.85, 20, "below_target"),
    "correction_success_rate": (0.6, 5, "below_target"),
    "user_satisfaction": (0.75, 8, "below_target"),
}


def test_the_table_is_the_one_that_was_asked_for():
    found = [(one.feature, one.metric, one.target_text, one.alert_text) for one in TARGETS]
    assert found == WANTED
    assert all(one.meaning for one in TARGETS)


def test_each_value_is_what_its_meaning_says():
    found = {row.target.key: (row.value, row.count, row.state) for row in kpi_table(FOUND)}
    assert found == VALUES


def test_without_anything_to_measure_there_is_no_value_and_no_alarm():
    assert {(row.value, row.count, row.state) for row in kpi_table(Tallies())} == {
        (None, 0, "no_data")
    }


@pytest.mark.parametrize("target", TARGETS, ids=lambda one: one.key)
def test_a_target_that_is_met_exactly_and_a_threshold_that_is_reached_are_no_alert(target):
    assert target.state_of(target.target) == ("ok" if target.rising else "below_target")
    if target.alert is None:
        assert target.state_of(0.0) == "below_target"
        return
    step = -0.001 if target.rising else 0.001
    assert target.state_of(target.alert) == "below_target"
    assert target.state_of(target.alert + step) == "alert"


def test_many_skills_are_warned_of_before_any_are_dropped():
    assert skill_warnings(7_999) == ()
    (told,) = skill_warnings(8_000)
    assert told.startswith("8,000 skills")
