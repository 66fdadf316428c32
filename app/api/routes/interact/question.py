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

ACTS = 200  # acts of a user before handing back
ACT_NAME_CHARS, ACT_URL_CHARS, ROLE_CHARS = 200, 2_000, 40

Answer = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("answer")]


def write_out(given: object) -> object:
    """Replace booleans and numbers by the text they stand for."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, int):
        return str(given)
    return [write_out(one) for one in given] if isinstance(given, list) else given


AnswerValue = Annotated[
    Answer | Annotated[list[Answer], Field(max_length=MESSAGES)] | None, BeforeValidator(write_out)
]


class HitlResponseIn(RequestModel):
    """A user's answer: `type` is the question's `interruptType`, or `cancel`."""

    hitl_id: Text
    type: Text
    value: AnswerValue = None

    @model_validator(mode="after")
    def _says_something(self) -> "HitlResponseIn":
        if self.type != CANCEL and not self._parts:
            raise ValueError("value: must not be empty; use type `cancel` to cancel")
        return self

    @property
    def _parts(self) -> tuple[str, ...]:
        given = self.value if isinstance(self.value, list) else [self.value or ""]
        return tuple(part.strip() for part in given if part.strip())

    def answer(self) -> HitlAnswer:
        cancels = self.type == CANCEL
        return HitlAnswer(
            hitl_id=self.hitl_id,
            kind=self.type,
            text=None if cancels else ", ".join(self._parts),
            chosen=self._parts if isinstance(self.value, list) and not cancels else (),
        )


class PersonActIn(RequestModel):
    """What the user did in the page, on which control (role and name). Typed text is never sent."""

    kind: Literal["click", "type", "choose", "navigate", "submit"]
    role: Text = ""
    name: Text = ""
    url: Text = ""
    at: datetime | None = None

    def act(self) -> UserAction:
        at = self.at
        return UserAction(
            kind=self.kind,
            role=self.role[:ROLE_CHARS],
            name=" ".join(self.name.split())[:ACT_NAME_CHARS],
            url=patterns.split("[?#]", self.url, maxsplit=1)[0][:ACT_URL_CHARS],
            at=at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at,
        )


class HandBackIn(RequestModel):
    """The user hands back a task they had taken over, with what they did themselves, oldest first."""

    actions: Annotated[list[PersonActIn], Field(max_length=ACTS)] = []

    def acts(self) -> tuple[UserAction, ...]:
        return tuple(one.act() for one in self.actions)


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
