"""Questions to users, as all clients show them."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.routes.interact.observation import MESSAGES, Text
from app.bounds import Bounded
from app.domain.access import Concern
from app.domain.hitl import ExpectedInput, InterruptType, QuestionSource, UserAction
from app.hitl import CANCEL, HitlAnswer
from app.text import patterns

MOST_ACTIONS = 200  # of a user before handing back
NAME_CHARS, URL_CHARS, ROLE_CHARS = 200, 2_000, 40

Answer = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("answer")]


def write_out(value: object) -> object:
    """Replace booleans and numbers by the text they stand for."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    return [write_out(one) for one in value] if isinstance(value, list) else value


AnswerValue = Annotated[
    Answer | Annotated[list[Answer], Field(max_length=MESSAGES)] | None, BeforeValidator(write_out)
]


class HitlResponseIn(RequestModel):
    """A user's answer: `type` is the question's `interruptType`, or `cancel`."""

    hitl_id: Text
    type: Text
    value: AnswerValue = None

    @model_validator(mode="after")
    def _check_value(self) -> "HitlResponseIn":
        if self.type != CANCEL and not self._parts:
            raise ValueError("value: must not be empty; use type `cancel` to cancel")
        return self

    @property
    def _parts(self) -> tuple[str, ...]:
        values = self.value if isinstance(self.value, list) else [self.value or ""]
        return tuple(part.strip() for part in values if part.strip())

    def answer(self) -> HitlAnswer:
        if self.type == CANCEL:
            return HitlAnswer(hitl_id=self.hitl_id, kind=CANCEL, text=None)
        return HitlAnswer(
            hitl_id=self.hitl_id,
            kind=self.type,
            text=", ".join(self._parts),
            chosen=self._parts if isinstance(self.value, list) else (),
        )


class PersonActIn(RequestModel):
    """What the user did in the page, on which control (role and name). Typed text is never sent."""

    kind: Literal["click", "type", "choose", "navigate", "submit"]
    role: Text = ""
    name: Text = ""
    url: Text = ""
    at: datetime | None = None

    def user_action(self) -> UserAction:
        at = self.at
        return UserAction(
            kind=self.kind,
            role=self.role[:ROLE_CHARS],
            name=" ".join(self.name.split())[:NAME_CHARS],
            url=patterns.split("[?#]", self.url, maxsplit=1)[0][:URL_CHARS],
            at=at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at,
        )


class HandBackIn(RequestModel):
    """The user hands back a task they had taken over, with what they did themselves, oldest first."""

    actions: Annotated[list[PersonActIn], Field(max_length=MOST_ACTIONS)] = []

    def user_actions(self) -> tuple[UserAction, ...]:
        return tuple(one.user_action() for one in self.actions)


class OptionView(ResponseModel):
    """An option; `elementId` is its control on the page as it was sent."""

    id: str
    label: str
    element_id: str | None = None


class ApprovalView(ResponseModel):
    """What exactly an approval allows: this call on this element of this site. `undo` says what cannot be
    undone.
    """

    action: str
    description: str
    element_id: str | None = None
    element: str | None = None
    site: str
    effects: list[Concern] = []
    undo: str = ""


class QuestionView(ResponseModel):
    """A question for the user. `message` names what is needed, with each of `fields` on a line.

    An `element_choice` is answered with the id or the label of one of the `options`.
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
    asked_at: Timestamp | None = None
    expires_at: Timestamp
