"""Prometheus metrics: an observer that counts events, and the text to scrape."""

import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import psutil
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from app.domain.knowledge import Job
from app.domain.metrics.telemetry import ModelExchange, RunReport
from app.domain.metrics.usage import UsageRecord
from app.domain.review import LOCATIONS, Depths, ReviewOutcome
from app.observability.config import release
from app.observability.port import Observer
from app.observability.prometheus_metrics import Metrics
from app.settings import shared_metrics_folder

OTHER = "other"
MOST_NAMES = 60  # values per label, of models, strategies and so on
LONGEST_NAME = 80
ENDINGS = frozenset({"completed", "failed", "interrupted"})
METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"})


class Queue(Protocol):
    """A queue that is written or sent in the background; `dropped` counts since the process started."""

    @property
    def waiting(self) -> int: ...

    @property
    def dropped(self) -> int: ...


class LabelValues:
    """Bounds a label's values: after the first `most`, new ones become `other`."""

    def __init__(self, most: int = MOST_NAMES) -> None:
        self._most = most
        self._known: dict[str, str] = {}

    def __call__(self, name: str | None) -> str:
        if not name:
            return "none"
        if (known := self._known.get(name)) is not None:
            return known
        if len(self._known) >= self._most:
            return OTHER
        printable = "".join(c if c.isprintable() else "?" for c in name[:LONGEST_NAME])
        return self._known.setdefault(name, printable)


class PrometheusMetrics(Observer):
    """Counts events in this process, each in microseconds. Exceptions are caught by the fan-out."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._metrics = Metrics(self._registry)
        self._models, self._providers = LabelValues(), LabelValues()
        self._strategies, self._codes = LabelValues(), LabelValues()
        self._queues: dict[str, Queue] = {}
        self._dropped: dict[str, int] = {}
        self._metrics.build.labels(release(), platform.python_version()).set(1)
        self._metrics.store_up.set(1)  # nothing starts without it

    def watch_queue(self, name: str, queue: Queue) -> None:
        """Export the queue's size on each call of `set_levels`."""
        self._queues[name] = queue

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is a route template of the app."""
        known = method if method in METHODS else OTHER
        self._metrics.requests.labels(known, route, str(status)).inc()
        self._metrics.request_s.labels(known, route).observe(seconds)

    @contextmanager
    def count_stream(self) -> Iterator[None]:
        """Count an open event stream during the context."""
        self._metrics.streams.inc()
        try:
            yield
        finally:
            self._metrics.streams.dec()

    def set_levels(self, *, running: int, ping_s: float | None, free: float) -> None:
        """Set the gauges. `ping_s` is None if the store accepts no writes; `free` is a ratio."""
        self._metrics.running.set(running)
        self._metrics.store_up.set(ping_s is not None)
        self._metrics.store_ping.set(ping_s or 0.0)
        self._metrics.disk_free.set(free)
        for name, queue in self._queues.items():
            self._metrics.waiting.labels(name).set(queue.waiting)
            lost = queue.dropped
            self._metrics.dropped.labels(name).inc(max(0, lost - self._dropped.get(name, 0)))
            self._dropped[name] = lost

    def set_crowded_tenants(self, tenants: int) -> None:
        self._metrics.crowded.set(tenants)

    def set_review_depths(self, depths: Depths, damaged: int) -> None:
        """Set the depths of the review queue over all tenants."""
        for location in LOCATIONS:
            self._metrics.reviews.labels(location).set(getattr(depths, location))
        age_s = 0.0
        if depths.oldest_ms is not None:
            age_s = max(0.0, datetime.now(UTC).timestamp() - depths.oldest_ms / 1000)
        self._metrics.review_oldest.set(age_s)
        self._metrics.review_damaged.set(damaged)

    def count_review_submission(self) -> None:
        self._metrics.review_submitted.inc()

    def count_review_decision(self, outcome: ReviewOutcome, seconds: float) -> None:
        """Count a review decision, and the time since the record was submitted."""
        self._metrics.review_decided.labels(outcome).inc()
        self._metrics.review_s.observe(max(0.0, seconds))

    def count_review_refusal(self) -> None:
        self._metrics.review_refused.inc()

    def count_ingestion(self, job: Job) -> None:
        progress = job.progress
        outcomes = {
            "ingested": max(0, progress.documents - progress.unchanged),
            "unchanged": progress.unchanged,
            "failed": progress.failed,
        }
        for outcome, number in outcomes.items():
            if number:
                self._metrics.documents.labels(outcome).inc(number)
        for failure in job.errors:
            self._metrics.unread.labels(self._codes(failure.code)).inc()
        if job.started_at is not None and job.ended_at is not None:
            seconds = (job.ended_at - job.started_at).total_seconds()
            self._metrics.ingest_s.labels(job.request.kind, job.status).observe(max(0.0, seconds))

    def count_leak(self) -> None:
        self._metrics.leaks.inc()

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        provider, model = self._providers(record.provider), self._models(record.model)
        if record.kind == "search":
            self._metrics.searches.labels(provider, record.outcome).inc()
        else:
            self._metrics.calls.labels(record.kind, provider, model, record.outcome).inc()
            self._metrics.call_s.labels(provider, model).observe(record.duration_ms / 1000)
        counted = {
            "input": record.input_tokens,
            "cached": record.cached_tokens,
            "output": record.output_tokens,
            "thinking": record.thinking_tokens,
        }
        for kind, tokens in counted.items():
            if tokens > 0:
                self._metrics.tokens.labels(provider, model, kind).inc(tokens)
        self._metrics.cost.labels(provider, model).inc(max(0.0, record.cost_usd))
        if not record.priced:
            self._metrics.unpriced.labels(provider, model).inc()

    def on_run(self, report: RunReport) -> None:
        for span in report.nodes:
            self._metrics.nodes.labels(span.node).observe(max(0.0, span.duration_ms / 1000))
        if report.turn is not None:  # task metrics exclude chat turns
            return
        level = report.complexity or "none"
        self._metrics.runs.labels(report.answer, level).observe(report.server_ms / 1000)
        self._count_task(report, level)
        self._count_observation(report)
        tally = report.tally
        if report.actions:
            self._metrics.chain_actions.observe(report.actions)
        if tally.chain_length:
            self._metrics.chains.labels("completed" if tally.chain_succeeded else "partial").inc()
            self._metrics.chained.inc(tally.actions_started)
            self._metrics.saved.inc(tally.round_trips_saved)
        if report.answer == "interrupt" and report.question is not None:
            self._metrics.questions_asked.labels(report.question).inc()
        if tally.answered_kind is not None:
            self._metrics.questions_answered.labels(tally.answered_kind).inc()
        self._metrics.learned.inc(tally.skills_learned)
        failed = tally.skill_uses - tally.skills_helped
        for outcome, uses in (("helped", tally.skills_helped), ("failed", failed)):
            if uses > 0:
                self._metrics.uses.labels(outcome).inc(uses)

    def exposition(self) -> tuple[bytes, str]:
        """The text to scrape, of all workers, and its media type."""
        folder = shared_metrics_folder()
        if folder is None:
            return generate_latest(self._registry), CONTENT_TYPE_LATEST
        workers = CollectorRegistry()
        workers.register(_Workers(folder))
        remove_dead_gauges(folder)
        return generate_latest(workers), CONTENT_TYPE_LATEST

    def _count_task(self, report: RunReport, level: str) -> None:
        if report.tally.starts_task:
            self._metrics.tasks_started.inc()
            if report.complexity is not None:
                outcome = "taken back" if report.misclassified else "stands"
                self._metrics.classified.labels(level, outcome).inc()
        if report.status in ENDINGS:
            self._metrics.tasks_ended.labels(report.status, level).inc()
            simple = level == "SIMPLE" and not report.misclassified
            if simple and report.status == "completed":
                self._metrics.simple.observe(report.task_ms / 1000)

    def _count_observation(self, report: RunReport) -> None:
        """Count what the observation after an action led to."""
        if report.tier is not None:
            outcome = _outcome(report.action_succeeded)
            self._metrics.verdicts.labels(str(report.tier), outcome).inc()
            self._metrics.observations.labels("changed" if report.re_planned else "kept").inc()
        if report.strategy is not None:
            strategy, source = self._strategies(report.strategy), report.repair_source or "none"
            outcome = _outcome(report.repair_worked)
            self._metrics.corrections.labels(strategy, source, outcome).inc()
        if report.predicted is not None and report.prediction_met is not None:
            self._metrics.predictions.labels("met" if report.prediction_met else "unmet").inc()


def _outcome(succeeded: bool | None) -> str:
    return "undecided" if succeeded is None else "success" if succeeded else "failure"


class _Workers(Collector):
    """Collects from all workers. Skips empty files: a worker creates its file before writing to it, and
    the library cannot read that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        files = [str(one) for one in self._folder.glob("*.db") if one.stat().st_size]
        found: Iterable[Metric] = MultiProcessCollector.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return found


def remove_dead_gauges(folder: Path) -> None:
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            file.unlink(missing_ok=True)
