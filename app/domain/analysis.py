"""How a goal is approached."""

from typing import Literal

from app.domain.base import Value
from app.domain.effect import Effect
from app.domain.plan import Plan, Refinement
from app.domain.question import Question

Source = Literal["MEMORY", "PAGE", "WEB_SEARCH", "ASK_USER"]
IntentType = Literal["operation", "conversation", "meta"]


class Complexity(Value):
    """SIMPLE: one clear action on one identifiable element. `reason` in plain words."""

    level: Literal["SIMPLE", "COMPLEX"]
    reason: str = ""


class Analysis(Value):
    """What a goal needs before it can be planned, and what was already worked out with it.

    `required_sources` are all to be used. `answer` is set when nothing is to be done on the page
    (conversation, meta); `missing` says, in words for the person, what could not be understood;
    `question` must be answered by the person first; `search` is what to find out on the web.
    `plan` and `first`, the step's first refinement on this same page, are set when the call that
    analysed gave them too. `confidence` in 0..1, `missing_fields`, and `effect`, the gravest that the goal
    needs, are the planner's own view, for the gate to people.
    """

    required_sources: tuple[Source, ...] = ("PAGE",)
    answer: str | None = None
    missing: str | None = None
    question: Question | None = None
    search: str | None = None
    intent_type: IntentType = "operation"
    confidence: float = 1.0
    effect: Effect | None = None
    missing_fields: tuple[str, ...] = ()
    plan: Plan | None = None
    first: Refinement | None = None
    outputs: dict[str, str] = {}  # what the sub-task before the current one hands on, by name
    notice: str | None = None
