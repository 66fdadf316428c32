"""Metrics of ingestion jobs."""

from datetime import UTC, datetime, timedelta

from app.domain.knowledge import IngestFailure, IngestRequest, Job, Progress
from app.observability.prometheus import PrometheusMetrics


def test_counts_a_finished_job_by_the_outcome_of_its_documents() -> None:
    now = datetime.now(UTC)
    job = Job(
        job_id="j",
        tenant="one",
        request=IngestRequest(kind="link", url="https://docs.example/"),
        status="completed",
        progress=Progress(documents=5, unchanged=2, failed=1),
        errors=(
            IngestFailure(source="https://docs.example/a", code="PAGE_GONE", reason="It is gone"),
        ),
        created_at=now,
        started_at=now,
        ended_at=now + timedelta(seconds=2),
        updated_at=now,
    )
    signals = PrometheusMetrics()
    signals.count_ingestion(job)
    told = signals.exposition()[0].decode()
    for line in (
        'tabwright_documents_total{outcome="ingested"} 3.0',
        'tabwright_documents_total{outcome="unchanged"} 2.0',
        'tabwright_documents_total{outcome="failed"} 1.0',
        'tabwright_documents_unread_total{code="PAGE_GONE"} 1.0',
        'tabwright_ingest_seconds_sum{kind="link",status="completed"} 2.0',
    ):
        assert line in told
    assert "docs.example" not in told
