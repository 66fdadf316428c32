"""A question for a person, and what may come back."""

from typing import Literal

from app.domain.base import Value
from app.domain.skill import ElementRef

QuestionKind = Literal["clarification", "approval", "disambiguation"]
ReturnTo = Literal[
    "planning/replan", "step_refinement/continue", "grounding/apply_selection", "execution/approved"
]


class Option(Value):
    """One thing that may be meant: a control of the page, in words, with its id there."""

    id: str
    label: str
    element_id: str | None = None
    element: ElementRef | None = None


class Question(Value):
    """What a run waits for a person to say. `fields` names what is missing, a line each; `options`
    are what to choose from, made from the page and never by a model; `about` is the phrase that fits
    them all.

    `hitl_id` is empty until the question is put; `return_to` is where the run goes on.
    """

    text: str
    fields: tuple[str, ...] = ()
    hitl_id: str = ""
    kind: QuestionKind = "clarification"
    return_to: ReturnTo = "planning/replan"
    expires_at: str = ""  # ISO 8601, UTC
    options: tuple[Option, ...] = ()
    about: str = ""
