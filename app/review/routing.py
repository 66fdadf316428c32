"""What goes to an operator, and why. Pure: the same case always has the same reasons.

| of a task that ended, or an answer of the chat | reason               |
|------------------------------------------------|----------------------|
| confidence is medium or low                    | `low_confidence`     |
| what was seen contradicts itself               | `conflicting_evidence` |
| its impact is high (risk, breach or policy)    | `high_impact`        |
| a person asks for a second opinion             | `asked_for`          |
"""

from dataclasses import dataclass

from app.domain.review import Impact, Level, Reason

HIGH, MEDIUM = 0.85, 0.7  # of a confidence in 0..1; a task is called completed from 0.7 on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCase:
    """What decides whether someone is to look at it."""

    confidence: Level
    impact: Impact = "normal"
    conflicting: bool = False
    asked_for: bool = False


def level_of(confidence: float) -> Level:
    """The level of a confidence in 0..1."""
    return "high" if confidence >= HIGH else "medium" if confidence >= MEDIUM else "low"


def reasons_of(case: ReviewCase) -> tuple[Reason, ...]:
    """Why it goes to an operator; none where it does not."""
    found: dict[Reason, bool] = {
        "low_confidence": case.confidence != "high",
        "conflicting_evidence": case.conflicting,
        "high_impact": case.impact == "high",
        "asked_for": case.asked_for,
    }
    return tuple(reason for reason, holds in found.items() if holds)


WORDS: dict[Reason, str] = {
    "low_confidence": "The confidence is not high",
    "conflicting_evidence": "What was seen contradicts itself",
    "high_impact": "It may matter much, or cannot be undone",
    "asked_for": "A person asked for a second opinion",
}


def explain_reasons(reasons: tuple[Reason, ...]) -> str:
    """The reasons in words."""
    return "; ".join(WORDS[reason] for reason in reasons)
