"""Questions, results and answers of the inbox."""

import json
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from app.agent import question_fields
from app.api.models import RequestModel, ResponseModel
from app.api.routes.interact.observation import MESSAGES, Text
from app.api.routes.interact.question import (
    Answer,
    AnswerValue,
    HitlResponseIn,
    QuestionView,
    write_out,
)
from app.api.routes.interact.request import ClientId
from app.domain.hitl import AnswerChannel, HitlDecision, HitlStatus, PendingHitl
from app.hitl import (
    CANCEL,
    RESPONSE_TYPES,
    HitlAnswer,
    human_interrupt,
    inbox_answer,
    question_text,
    said_of,
)

MOST_ARGS = 50


class ResultView(ResponseModel):
    """The result of a question: `selected` are ids of its options. Answers that are secret are masked."""

    decision: HitlDecision
    text: str = ""
    selected: list[str] = []
    by: str
    via: AnswerChannel
    at: datetime


class ActionRequestView(ResponseModel):
    """LangGraph's `ActionRequest`: the proposed action, or the question."""

    model_config = ConfigDict(alias_generator=None)

    action: str
    args: dict[str, Any]


class HumanInterruptConfigView(ResponseModel):
    """LangGraph's `HumanInterruptConfig`: the answers that the question accepts."""

    model_config = ConfigDict(alias_generator=None)

    allow_ignore: bool
    allow_respond: bool
    allow_edit: bool
    allow_accept: bool


class HumanInterruptView(ResponseModel):
    """The question as LangGraph's `HumanInterrupt`, for a client of its agent inbox."""

    model_config = ConfigDict(alias_generator=None)

    action_request: ActionRequestView
    config: HumanInterruptConfigView
    description: str | None = None


class HitlItemView(QuestionView):
    """A question with its task, its user and its result. `status` reflects its dates: an unanswered one
    becomes `expired`.
    """

    task_id: str
    session_id: str
    trace_id: str
    user: str
    goal: str
    url: str
    status: HitlStatus
    result: ResultView | None = None
    created_at: datetime
    human_interrupt: HumanInterruptView

    @staticmethod
    def of(row: PendingHitl, now: datetime) -> "HitlItemView":
        message, result = question_text(row.question), None
        if row.result is not None:
            result = ResultView.from_fields(row.result, text=said_of(message, row.result))
        return HitlItemView.model_validate(
            (question_fields(row.question) or {})
            | {
                "taskId": row.task_id,
                "sessionId": row.thread_id,
                "traceId": row.trace_id,
                "user": row.user,
                "goal": row.goal,
                "url": row.url,
                "status": row.status_at(now),
                "result": result,
                "createdAt": row.created_at,
                "humanInterrupt": human_interrupt(row.question, message),
            }
        )


class HitlPage(ResponseModel):
    """Questions, newest first; `nextCursor` is set if there are more."""

    items: list[HitlItemView]
    next_cursor: str | None = None


ANSWERS: list[Any] = [
    {"type": "yes_no", "value": "yes"},
    {"type": "element_choice", "value": "2", "requestId": "6f0c2a3e-6f6a-4c55-9a43-0d0b1f6d2a11"},
    {"type": "cancel"},
    {"type": "accept", "args": None},
    {"type": "edit", "args": {"action": "Archive it", "args": {"patient": "Jas Patel"}}},
]


class ActionRequestIn(RequestModel):
    """LangGraph's `ActionRequest`, edited: what to do instead."""

    model_config = ConfigDict(alias_generator=None)

    action: Answer = ""
    args: Annotated[dict[Text, Answer], Field(max_length=MOST_ARGS)] = {}

    @model_validator(mode="before")
    @classmethod
    def _write_out_args(cls, value: object) -> object:
        if not isinstance(value, dict) or not isinstance(value.get("args"), dict):
            return value
        args = value["args"].items()
        written = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in args
            if value is not None
        }
        return value | {"args": written}


class HitlAnswerIn(RequestModel):
    """An answer from any inbox: `type` is the question's `interruptType` or `cancel`, `value` the answer.

    The vocabulary of LangGraph's agent inbox is accepted too, with `args` (or `value`): `accept` (approves,
    or chooses what it names), `respond` or `response` (an answer in words; rejects an approval with a
    reason), `edit` (rejects an approval and says what to do instead; the original is never carried out),
    `ignore` (cancels). The same answer with the same `requestId` may be sent again.
    """

    model_config = ConfigDict(json_schema_extra={"examples": ANSWERS})

    type: Text
    value: AnswerValue = None
    args: Annotated[
        ActionRequestIn | Answer | Annotated[list[Answer], Field(max_length=MESSAGES)] | None,
        BeforeValidator(write_out),
    ] = None
    request_id: ClientId | None = None

    @model_validator(mode="after")
    def _check_answer(self) -> "HitlAnswerIn":
        if self.type not in RESPONSE_TYPES and self.type != CANCEL:
            HitlResponseIn(hitl_id="", type=self.type, value=self.value)
        return self

    def answer(self, row: PendingHitl) -> HitlAnswer:
        """Raises `Invalid` if the question does not accept the answer."""
        if self.type not in RESPONSE_TYPES:
            return HitlResponseIn(hitl_id=row.hitl_id, type=self.type, value=self.value).answer()
        value: object = self.args if self.args is not None else self.value
        if isinstance(value, ActionRequestIn):
            value = value.model_dump()
        return inbox_answer(row.question, self.type, value)
