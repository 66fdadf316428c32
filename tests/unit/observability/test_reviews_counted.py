"""Prometheus metrics of the review queue."""

import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from app.domain.review import Identity, Review, Submission, new_record_id
from app.errors import AlreadyReviewed
from app.observability.prometheus import PrometheusMetrics
from app.observability.sampler import count_reviews, total_depths
from app.store.reviews.files import FileReviews
from tests.unit.observability.test_prometheus import samples
from tests.unit.review.test_records import RECORD

WORKER = """
import sys
from app.domain.review import Depths
from app.observability.prometheus import PrometheusMetrics
signals = PrometheusMetrics()
pending = int(sys.stdin.readline())
signals.set_review_depths(Depths(pending=pending, approved=2), damaged=1)
signals.count_review_submission()
print(signals.exposition()[0].decode(), flush=True)
sys.stdin.readline()
"""


def record(at: int) -> Submission:
    fields = deepcopy(RECORD) | {"id": new_record_id(), "submitted_at_ms": at}
    return Submission.model_validate(fields)


def review(at: int) -> Review:
    operator = Identity(name="Ann", role="operator")
    return Review(
        decision="approved", reviewed_at_ms=at, notes="Seen", operator=operator, reviewed_by="Ann"
    )


async def test_counts_each_record_and_decision_once(tmp_path: Path) -> None:
    signals = PrometheusMetrics()
    reviews = count_reviews(FileReviews(tmp_path), signals)
    first, second = record(1_000), record(2_000)
    for one in (first, second, first):  # filed again, as after a crash
        await reviews.submit(one)
    await reviews.decide("clinic", first.id, review(91_000))
    with pytest.raises(AlreadyReviewed):
        await reviews.decide("clinic", first.id, review(95_000))
    await reviews.refused("clinic", 95_000)
    signals.set_review_depths(*await total_depths(reviews))
    found = samples(signals)
    assert found["review_submissions_total",] == 2
    assert found["review_decisions_total", "approved"] == found["review_refused_total",] == 1
    assert found["review_time_to_decision_seconds_sum",] == pytest.approx(90)
    assert (found["review_records", "pending"], found["review_records", "approved"]) == (1, 1)
    assert found["review_oldest_age_seconds",] > 1e9


def test_workers_export_the_latest_depths_and_all_submissions(tmp_path: Path) -> None:
    """Not the sum, which would be every record once for each worker."""
    (tmp_path / "counter_0.db").touch()  # of a worker that is just starting
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    try:
        _, text = (
            _scraped(worker, pending) for worker, pending in zip(workers, (5, 3), strict=True)
        )
        assert 'tabwright_review_records{location="pending"} 3.0' in text
        assert 'tabwright_review_records{location="approved"} 2.0' in text
        assert "tabwright_review_damaged 1.0" in text
        assert "tabwright_review_submissions_total 2.0" in text
    finally:
        for one in workers:
            one.communicate()


def _scraped(worker: "subprocess.Popen[str]", pending: int) -> str:
    """What it shows once so many wait; up to the line that ends it."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{pending}\n")
    worker.stdin.flush()
    return "".join(iter(worker.stdout.readline, "\n"))
