"""The scores of a pass: how its look at what was done, its correction and its prediction came out."""

from collections.abc import Iterable, Iterator
from statistics import fmean

from app.domain.metrics.telemetry import RunReport, Satisfaction
from app.observability.langfuse_shapes import Observation, Score, long_id


def scores_of(report: RunReport, trace_id: str, observation_id: str) -> tuple[Score, ...]:
    """The scores of what the pass looked at; they hang on the observation of that look.

    `verification_success`, `correction_success`, `prediction_met`: 1 or 0; `verification_confidence`,
    `prediction_predicted`: 0 to 1; `prediction_brier`: the squared difference of the last two, 0 is best;
    `answer_support`: the share of an answer's claims that stand undoubted; `answer_doubt`: how many do not.
    """
    values: dict[str, float | None] = {
        "verification_success": _number(report.action_succeeded),
        "verification_confidence": report.confidence,
        "correction_success": _number(report.repair_worked),
        "answer_support": report.support,
        "answer_doubt": report.doubt,
    }
    if report.predicted is not None and report.met is not None:
        values |= {
            "prediction_predicted": report.predicted,
            "prediction_met": float(report.met),
            "prediction_brier": (report.predicted - float(report.met)) ** 2,
        }
    return tuple(
        Score(
            score_id=long_id(trace_id, report.request_id, name),
            trace_id=trace_id,
            observation_id=observation_id,
            name=name,
            value=value,
            at=report.ended_at,
        )
        for name, value in values.items()
        if value is not None
    )


def relevance_scores(retrieved: Iterable[Observation]) -> Iterator[Score]:
    """`retrieval_relevance`: the mean of what was retrieved, 0 to 1, where it has a relevance."""
    for one in retrieved:
        known = [row["relevance"] for row in one.output if row["relevance"] is not None]
        if known:
            yield Score(
                score_id=long_id(one.trace.trace_id, one.span_id, "relevance"),
                trace_id=one.trace.trace_id,
                observation_id=one.span_id,
                name="retrieval_relevance",
                value=fmean(known),
                at=one.ended_at,
            )


def satisfaction(given: Satisfaction) -> Score:
    """`user_satisfaction`, of a whole turn: 1 or 0, with the person's comment. Given again it is the same
    score with another value.
    """
    return Score(
        score_id=long_id(given.trace_id, given.message_id, "user_satisfaction"),
        trace_id=given.trace_id,
        observation_id=None,
        name="user_satisfaction",
        value=float(given.satisfied),
        at=given.at,
        comment=given.comment,
    )


def _number(given: bool | None) -> float | None:
    return None if given is None else float(given)
