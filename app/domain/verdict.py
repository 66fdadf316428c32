"""Predictions, verdicts, opinions and scores of actions."""

from typing import Literal

from app.domain.access import Effect
from app.domain.base import Value


class NextGoal(Value):
    """What must be present for the next step."""

    description: str
    role: str | None = None
    text: str | None = None
    required: bool = False


class ExpectedOutcome(Value):
    """What can be checked after an action.

    `values` maps element ids to expected values; `elements` are texts or names that should appear;
    `url_should_change` is None if unknown. `confidence` in 0..1 is the probability that all of it comes
    true; 0 without a prediction.
    """

    description: str = ""
    url_should_change: bool | None = None
    elements: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    values: dict[str, str] = {}
    next_goal: NextGoal | None = None
    confidence: float = 0.0


class PredictionScore(Value):
    """A prediction compared with the outcome.

    `kind` is that of the last predicted action, `predicted` its confidence, `met` whether everything
    checkable came true; `brier` is the squared difference.
    """

    action_id: str
    kind: str
    predicted: float
    met: bool
    unmet: tuple[str, ...] = ()

    @property
    def brier(self) -> float:
        """0 is best, 1 worst."""
        return (self.predicted - float(self.met)) ** 2


class Verdict(Value):
    """The result of the last action. `goal_achieved` means completed with confidence >= 0.70.

    `succeeded` is None if unknown; `doubted`: because the page shows contrary evidence. `contradicted`:
    observations, or tiers, disagree.
    """

    succeeded: bool | None
    task_completed: bool = False
    confidence: float = 0.0
    tier: Literal[1, 2, 3] = 1
    tokens_saved: int = 0
    reason: str = ""
    doubted: bool = False
    contradicted: bool = False
    observations: tuple[str, ...] = ()

    @property
    def goal_achieved(self) -> bool:
        """DESIGN: task completed with confidence >= 0.70."""
        return self.task_completed and self.confidence >= GOAL_CONFIDENCE


class ModelOpinion(Value):
    """A model's opinion of the last chain; None means it cannot tell.

    `completed` refers to the whole goal (or the current sub-task); `quote` is the page text that proves it.
    `tier` 1: no model was available; `notice` then tells the person.
    """

    succeeded: bool | None = None
    completed: bool | None = None
    confidence: float = 0.0
    reason: str = ""
    quote: str = ""
    tier: Literal[1, 2, 3] = 1
    notice: str | None = None


class RePlan(Value):
    """Whether the plan still fits a changed page: `continue` it, `modify` its rest, or `regenerate` it.

    `similarity` to the previous page is in 0..1.
    """

    decision: Literal["continue", "modify", "regenerate"]
    reason: str
    similarity: float


GOAL_CONFIDENCE = 0.70  # DESIGN, "Verification"


class Critique(Value):
    """Whether a decision makes sense before it is sent; if not, `reason` says why."""

    sensible: bool = True
    reason: str = ""


class EffectReview(Value):
    """The critic's assessment of acts before they are sent: their effects now (None if unsure), and whether
    the person's words ask for exactly that.
    """

    effect: Effect | None = None
    requested: bool = False


AnswerMeaning = Literal["no", "question", "instead", "unclear"]
"""Meanings of a free-text answer to "May this be done?": no, a counter-question, something different, or
unclear.
"""
