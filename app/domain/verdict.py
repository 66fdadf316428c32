"""What is expected of an action, and what is found of it: prediction, verdict, opinion, score."""

from typing import Literal

from app.domain.access import Effect
from app.domain.base import Value


class NextGoal(Value):
    """What must be there for the following step."""

    description: str
    role: str | None = None
    text: str | None = None
    required: bool = False


class ExpectedOutcome(Value):
    """What can be checked after an action. `values` maps element ids to what they should hold;
    `elements` are texts or names that should appear; None for `url_should_change` is unknown.
    `confidence` in 0..1 is how likely all of it comes; 0 where nothing was predicted.
    """

    description: str = ""
    url_should_change: bool | None = None
    elements: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    values: dict[str, str] = {}
    next_goal: NextGoal | None = None
    confidence: float = 0.0


class PredictionScore(Value):
    """A prediction held against what came. `kind` is that of the last action predicted, `predicted`
    the confidence it was made with, `met` whether all of it that can be checked came; `brier` is
    the square of the difference.
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
    """What came of the last action. `goal_achieved` is completed with confidence >= 0.70.

    `succeeded` is None when it cannot be told; `doubted`: because the page shows something against it.
    `contradicted`: what was seen speaks for it and against it, or a tier for it and another against it.
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
    """What a model says of the last chain: None where it cannot tell. `completed` is said of the
    whole goal (or the current sub-task), and `quote` is the text of the page that shows it. `tier` 1: there
    was no model that could be asked; `notice` then tells the person so.
    """

    succeeded: bool | None = None
    completed: bool | None = None
    confidence: float = 0.0
    reason: str = ""
    quote: str = ""
    tier: Literal[1, 2, 3] = 1
    notice: str | None = None


class RePlan(Value):
    """Whether the plan still fits a page that is another: `continue` it, `modify` its rest, or
    `regenerate` it. `similarity` in 0..1 is that of the page to the one before.
    """

    decision: Literal["continue", "modify", "regenerate"]
    reason: str
    similarity: float


GOAL_CONFIDENCE = 0.70  # DESIGN, "Verification"


class Critique(Value):
    """Whether a refinement makes sense before it is sent; `reason` says why it does not."""

    sensible: bool = True
    reason: str = ""


class EffectReview(Value):
    """What the critic says of acts before they are sent: what they do now, None where it is not sure, and
    whether the person's words want exactly that.
    """

    effect: Effect | None = None
    requested: bool = False


AnswerMeaning = Literal["no", "question", "instead", "unclear"]
"""What a free answer to "May this be done?" means: not to do it, a question back, to do something else or
otherwise, or nothing that can be told.
"""
