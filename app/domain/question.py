"""A question for a person, and what may come back."""

from typing import Literal

from app.domain.base import Value

QuestionKind = Literal["clarification", "approval", "disambiguation"]
ReturnTo = Literal[
    "planning/replan", "step_refinement/continue", "grounding/apply_selection", "execution/approved"
]


class Question(Value):
    """What a run waits for a person to say. `fields` names what is missing, a line each.

    `hitl_id` is empty until the question is put; `return_to` is where the run goes on.
    """

    text: str
    fields: tuple[str, ...] = ()
    hitl_id: str = ""
    kind: QuestionKind = "clarification"
    return_to: ReturnTo = "planning/replan"
    expires_at: str = ""  # ISO 8601, UTC
