"""Prometheus metrics of calls and runs."""

import os
import subprocess
import sys
from time import perf_counter

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.domain.metrics.telemetry import RunCounts
from app.observability.prometheus import MOST_NAMES, OTHER, PrometheusMetrics, remove_dead_gauges
from tests.unit.observability.reports import a_call, a_pass

IDENTIFYING = ("one", "ann", "s1", "T1", "r1", "Add a patient")  # as `telling` has them


class Found(dict[tuple[str, ...], float]):
    """Every sample by its name and the values of its labels, in any order."""

    def __getitem__(self, key: tuple[str, ...]) -> float:
        return super().__getitem__((key[0], *sorted(key[1:])))


def samples(signals: PrometheusMetrics) -> Found:
    families = text_string_to_metric_families(signals.exposition()[0].decode())
    return Found(
        ((one.name.removeprefix("tabwright_"), *sorted(one.labels.values())), one.value)
        for family in families
        for one in family.samples
    )


@pytest.fixture
def signals() -> PrometheusMetrics:
    return PrometheusMetrics()


def test_counts_a_call_with_tokens_and_cost(signals):
    signals.on_call(a_call(), None)
    signals.on_call(a_call(priced=False, cost_usd=0.0, ok=False, outcome="timeout"), None)
    found = samples(signals)
    assert found["model_calls_total", "model", "gemini", "flash", "ok"] == 1
    assert found["model_calls_total", "model", "gemini", "flash", "timeout"] == 1
    kinds = ("input", "cached", "output", "thinking")
    tokens = {kind: found["tokens_total", "gemini", "flash", kind] for kind in kinds}
    assert tokens == {"input": 2000, "cached": 800, "output": 400, "thinking": 100}
    assert found["cost_usd_total", "gemini", "flash"] == pytest.approx(0.0125)
    assert found["unpriced_calls_total", "gemini", "flash"] == 1
    assert found["model_call_seconds_sum", "gemini", "flash"] == pytest.approx(0.5)


def test_failed_run_ends_no_task_and_leaks_are_counted(signals):
    signals.on_run(a_pass(answer="error", status="active"))
    signals.count_leak()
    found = samples(signals)
    assert not any(name[0] == "tasks_ended_total" for name in found)
    assert found["instructions_leaked_total",] == 1


def test_search_is_not_a_model_call(signals):
    signals.on_call(a_call(kind="search", provider="tavily", model="basic", cost_usd=0.008), None)
    found = samples(signals)
    assert found["searches_total", "tavily", "ok"] == 1
    assert found["cost_usd_total", "tavily", "basic"] == pytest.approx(0.008)
    assert not any(name[0] == "model_calls_total" for name in found)


def test_ignores_negative_numbers(signals):
    signals.on_call(a_call(input_tokens=-5, cost_usd=-1.0), None)
    assert samples(signals)["cost_usd_total", "gemini", "flash"] == 0


def test_counts_task_observation_chain_and_questions_of_a_run(signals):
    signals.on_run(
        a_pass(
            answer="done", status="completed", complexity="SIMPLE", task_ms=800, actions=3,
            tier=2, action_succeeded=True, re_planned=True, predicted=0.9, prediction_met=False,
            strategy="wait", repair_source="strategy", repair_worked=True,
            tally=RunCounts(
                starts_task=True, actions_started=3, actions_succeeded=3, chain_length=3,
                skills_learned=1, skill_uses=3, skills_helped=2, answered_kind="approval",
            ),
        )
    )  # fmt: skip
    found = samples(signals)
    assert found["tasks_ended_total", "completed", "SIMPLE"] == found["tasks_begun_total",] == 1
    assert found["simple_task_seconds_sum",] == pytest.approx(0.8)
    assert found["pass_seconds_count", "done", "SIMPLE"] == 1
    assert found["node_seconds_sum", "planning"] == pytest.approx(1.0)
    assert found["verifications_total", "2", "success"] == found["looks_total", "changed"] == 1
    assert found["corrections_total", "wait", "strategy", "success"] == 1
    assert found["predictions_total", "unmet"] == found["chains_total", "completed"] == 1
    assert (found["chained_actions_total",], found["round_trips_saved_total",]) == (3, 2)
    assert (found["skill_uses_total", "helped"], found["skill_uses_total", "failed"]) == (2, 1)
    assert found["questions_answered_total", "approval"] == found["skills_learned_total",] == 1


def test_misclassified_task_is_not_a_simple_one(signals):
    report = a_pass(
        answer="done", status="completed", complexity="SIMPLE", misclassified=True,
        tally=RunCounts(starts_task=True),
    )  # fmt: skip
    signals.on_run(report)
    signals.on_run(a_pass(answer="interrupt", question="approval"))
    found = samples(signals)
    assert found["simple_task_seconds_count",] == 0
    assert found["classifications_total", "SIMPLE", "taken back"] == 1
    assert found["questions_asked_total", "approval"] == 1


def test_labels_name_no_user_and_are_bounded(signals):
    for number in range(3 * MOST_NAMES):
        signals.on_call(a_call(model=f"model-{number}\n{{x}}"), None)
        signals.on_run(a_pass(strategy=f"do {number}", repair_worked=None))
    signals.count_request("BREW", "/api/x/{id}", 200, 0.1)
    found = samples(signals)
    labels = {value for name in found for value in name[1:]}
    assert not labels & set(IDENTIFYING)
    models = {label for label in labels if label.startswith("model-")}
    assert len(models) == MOST_NAMES
    assert not any("\n" in label for label in labels)
    assert found["model_calls_total", "model", "gemini", OTHER, "ok"] == 2 * MOST_NAMES
    assert found["requests_total", OTHER, "/api/x/{id}", "200"] == 1


class Full:
    waiting, dropped = 7, 3


def test_exports_queue_sizes_and_adds_up_losses(signals):
    queue = Full()
    signals.watch_queue("usage", queue)
    signals.set_levels(running=2, ping_s=0.004, free=0.25)
    queue.dropped, queue.waiting = 5, 0
    signals.set_levels(running=0, ping_s=None, free=0.25)
    found = samples(signals)
    assert found["queue_dropped_total", "usage"] == 5
    assert (found["queue_waiting", "usage"], found["runs_running",], found["store_up",]) == (
        0,
        0,
        0,
    )


def test_dead_worker_keeps_its_counters_and_loses_its_gauges(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    gone, alive = (f"gauge_livesum_{pid}.db" for pid in (child.pid, os.getpid()))
    kept = {alive, f"counter_{child.pid}.db", f"histogram_{child.pid}.db"}
    for name in (gone, *kept):
        (tmp_path / name).touch()
    remove_dead_gauges(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == kept


def test_counting_is_fast(signals):
    report, call = a_pass(complexity="COMPLEX", tier=1, action_succeeded=True), a_call()
    signals.on_run(report), signals.on_call(call, None)
    best = 1.0
    for _ in range(200):
        began = perf_counter()
        signals.count_request("POST", "/api/agent/interact", 200, 0.03)
        signals.on_run(report)
        signals.on_call(call, None)
        best = min(best, perf_counter() - began)
    assert best < 0.0002
