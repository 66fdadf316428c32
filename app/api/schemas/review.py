"""The review queue on the wire: records are the stored ones, in snake_case; all around them is camelCase."""

from pydantic import ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.api.models import Received, Reply
from app.api.routes.chat.schemas import LineView
from app.api.routes.tasks.schemas import TaskView
from app.domain.review import (
    Depths,
    RequiredName,
    RequiredText,
    ReviewedRecord,
    ReviewOutcome,
    Short,
    Submission,
    Text,
)


class DecisionIn(Received):
    """What an operator decides. Without a name and role those of the key are taken."""

    outcome: ReviewOutcome
    notes: RequiredText
    operator_name: RequiredName | None = None
    operator_role: RequiredName | None = None
    operator_team: Short | None = None


class SecondOpinionIn(Received):
    """Of what somebody else is to look at: a task, or an answer of a conversation."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore"
    )

    task_id: RequiredName | None = None
    thread_id: RequiredName | None = None
    message_id: RequiredName | None = None
    note: Text = ""

    @model_validator(mode="after")
    def _one(self) -> "SecondOpinionIn":
        answer = self.thread_id is not None and self.message_id is not None
        some = self.thread_id is not None or self.message_id is not None
        if (self.task_id is not None) == some or some != answer:
            raise ValueError("send taskId, or threadId and messageId")
        return self


class RecordView(Reply):
    """One record."""

    record: Submission | ReviewedRecord


class TurnView(Reply):
    """The question and the answer of a conversation that a record is about; the answer's `metadata` holds
    what it cites.
    """

    thread_id: str
    messages: list[LineView]


class WholeRecordView(RecordView):
    """A record with what it is about, where that is still there and may be seen."""

    task: TaskView | None = None
    turn: TurnView | None = None


class RecordsPage(Reply):
    """Newest first; `nextCursor` is there when there are more. `depths` are those of the whole tenant, for
    operators.
    """

    records: list[Submission | ReviewedRecord]
    depths: Depths | None = Field(default=None)
    next_cursor: str | None = None
