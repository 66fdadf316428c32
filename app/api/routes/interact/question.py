"""A question for a person, as every door shows it."""

from typing import Literal

from app.api.models import Moment, Reply
from app.domain.access import Concern
from app.domain.hitl import ExpectedInput, InterruptType, QuestionSource


class OptionView(Reply):
    """What may be chosen; `elementId` is the control it stands for on the page as it was sent."""

    id: str
    label: str
    element_id: str | None = None


class ApprovalView(Reply):
    """What exactly a yes lets happen: this call, on this element of this site. `undo` says what cannot
    be undone.
    """

    action: str
    description: str
    element_id: str | None = None
    element: str | None = None
    site: str
    effects: list[Concern] = []
    undo: str = ""


class QuestionView(Reply):
    """A question for a person. `message` names what is needed, and each of `fields` on a line.

    An `element_choice` is answered with the id of one of the `options`, or its label.
    """

    hitl_id: str
    kind: Literal["clarification", "approval", "disambiguation"]
    interrupt_type: InterruptType
    source: QuestionSource = "planner"
    message: str
    expected_input: ExpectedInput
    fields: list[str] = []
    options: list[OptionView] = []
    approval: ApprovalView | None = None
    asked_at: Moment | None = None
    expires_at: Moment
