"""The review queue: uncertain or high-impact results go to an operator."""

from app.review.advice import find_advice
from app.review.effects import DecisionEffects, run_follower
from app.review.service import MOST_RECORDS, ReviewService, first_error
from app.review.stats import (
    DAY_MS,
    REVIEW_TARGETS,
    ReviewStats,
    compute_coverage,
    compute_review_stats,
    measure_queue,
)
from app.review.submission import (
    HIGH_CONFIDENCE,
    MEDIUM_CONFIDENCE,
    REASON_TEXTS,
    FiledRecord,
    RecordFiling,
    ReviewCase,
    Wording,
    explain_reasons,
    filing_summary,
    id_of_answer,
    id_of_task,
    level_of,
    load_record,
    reasons_of,
    record_view,
    run_delivery,
)

__all__ = [
    "DAY_MS",
    "HIGH_CONFIDENCE",
    "MEDIUM_CONFIDENCE",
    "MOST_RECORDS",
    "REASON_TEXTS",
    "REVIEW_TARGETS",
    "DecisionEffects",
    "FiledRecord",
    "RecordFiling",
    "ReviewCase",
    "ReviewService",
    "ReviewStats",
    "Wording",
    "compute_coverage",
    "compute_review_stats",
    "explain_reasons",
    "filing_summary",
    "find_advice",
    "first_error",
    "id_of_answer",
    "id_of_task",
    "level_of",
    "load_record",
    "measure_queue",
    "reasons_of",
    "record_view",
    "run_delivery",
    "run_follower",
]
