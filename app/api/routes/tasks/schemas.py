"""Responses about tasks: their timelines and audit trails."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from app.agent import COST_DIGITS
from app.api.models import ResponseModel
from app.api.routes.interact.question import (
    QuestionView,
)
from app.api.routes.interact.response import ProvenanceView, RePlanningView, ReviewMark, UsageView
from app.api.routes.usage.schemas import CallView
from app.domain.hitl import AnswerChannel, AuditEntry, AuditKind
from app.domain.memory import CorrectionRecord
from app.domain.metrics.usage import UsageRecord
from app.domain.task import Task, TaskAction
from app.hitl import (
    EventType,
)

LONGEST_LINE = 500  # characters per timeline entry; the audit trail has the full text


class AuditEntryView(ResponseModel):
    """An entry of the audit trail: a question, what was shown, the answer, what was then done, or what the
    user did themselves. `operations` are keys of the ledger of effects.
    """

    entry_id: str
    kind: AuditKind
    by: str
    via: AnswerChannel
    hitl_id: str | None = None
    text: str
    shown: dict[str, Any] = {}
    operations: list[str] = []
    at: datetime


class AuditView(ResponseModel):
    entries: list[AuditEntryView]


class PeopleView(ResponseModel):
    """A short form of an audit trail entry, for the timeline."""

    kind: AuditKind
    text: str
    by: str
    hitl_id: str | None = None
    at: datetime


class PredictionView(ResponseModel):
    """A prediction and its outcome: `brier` is 0 at best, 1 at worst."""

    kind: str
    predicted: float
    met: bool
    unmet: list[str]
    brier: float


class SeenView(ResponseModel):
    """The page before a chain, on its first action. `skeleton` lists its containers, without values."""

    url: str
    title: str = ""
    skeleton: str = ""

    @staticmethod
    def of(before: Mapping[str, Any]) -> "SeenView | None":
        if not before:
            return None
        return SeenView(
            url=before.get("url", ""),
            title=before.get("title", ""),
            skeleton=before.get("semanticSkeleton", ""),
        )


class TaskActionView(ResponseModel):
    action_id: str
    step_index: int
    chain_index: int
    thought: str
    action: str
    description: str
    expected_outcome: dict[str, Any]
    status: str
    verification: dict[str, Any] | None = None
    prediction: PredictionView | None = None
    re_planning: RePlanningView | None = None
    metrics: dict[str, float]
    provenance: ProvenanceView | None = None
    before: SeenView | None = None
    created_at: datetime

    @staticmethod
    def of(action: TaskAction) -> "TaskActionView":
        return TaskActionView.from_fields(
            action, expected_outcome=action.expected, before=SeenView.of(action.before)
        )


class RepairView(ResponseModel):
    """One correction: what failed and why, what was tried instead, and the outcome."""

    repair_id: str
    step: int
    attempt: int
    source: Literal["contingency", "skill", "strategy", "model"]
    strategy: str
    reason: str
    failed_action: str
    failed_element: str
    error_type: str
    tried_action: str
    tried_element: str
    skill_id: str | None = None
    status: Literal["pending", "success", "failure", "unknown"]
    created_at: datetime

    @staticmethod
    def of(repair: CorrectionRecord) -> "RepairView":
        return RepairView.from_fields(
            repair,
            failed_action=repair.failed.action,
            failed_element=repair.failed.element_description,
            error_type=repair.failed.error_type,
            tried_action=repair.tried.action,
            tried_element=repair.tried.element_description,
            skill_id=repair.skill,
        )


class ActiveTask(ResponseModel):
    """A task that can continue.

    `pendingActionId` is the first of the latest actions that was never reported on: it is unknown whether
    it was carried out, and a client that continues says so (`lastActionStatus: "unknown"`).
    """

    task_id: str
    query: str
    status: str
    current_step_index: int
    created_at: datetime
    updated_at: datetime
    pending_action_id: str | None = None
    paused: bool = False
    pending_interrupt: QuestionView | None = None

    @staticmethod
    def of(task: Task, actions: Sequence[TaskAction]) -> "ActiveTask":
        last = actions[-1].step_index if actions else 0
        pending = (a.action_id for a in actions if a.step_index == last and a.status == "pending")
        return ActiveTask.from_fields(
            task, current_step_index=task.step_index, pending_action_id=next(pending, None)
        )


class TaskStatusView(ResponseModel):
    task_id: str
    status: str


class PausedView(TaskStatusView):
    """A task's status, and whether the user has taken it over."""

    paused: bool


class TaskView(ResponseModel):
    """The whole timeline of a task."""

    task_id: str
    session_id: str
    user_id: str
    url: str
    query: str
    status: str
    result: str | None = None
    complexity: str | None = None
    current_step_index: int
    plan: dict[str, Any] | None = None
    actions: list[TaskActionView]
    corrections: list[RepairView] = []
    usage: UsageView
    calls: list[CallView] = []
    metrics: dict[str, float]
    web_search_result: dict[str, Any] | None = None
    people: list[PeopleView] = []
    review: ReviewMark | None = None
    paused: bool = False
    pending_interrupt: QuestionView | None = None
    created_at: datetime
    updated_at: datetime

    @staticmethod
    def of(
        task: Task,
        actions: Sequence[TaskAction],
        spent: Sequence[UsageRecord],
        corrections: Sequence[CorrectionRecord],
        trail: Sequence[AuditEntry],
    ) -> "TaskView":
        return TaskView.from_fields(
            task,
            user_id=task.user,
            current_step_index=task.step_index,
            actions=[TaskActionView.of(one) for one in actions],
            corrections=[RepairView.of(one) for one in corrections],
            usage=_sum_usage(spent),
            calls=[
                CallView.from_fields(one, cost_usd=round(one.cost_usd, COST_DIGITS))
                for one in spent
            ],
            people=[PeopleView.from_fields(one, text=one.text[:LONGEST_LINE]) for one in trail],
        )


def _sum_usage(spent: Sequence[UsageRecord]) -> UsageView:
    """Usage of the task, including what was spent before it had a row."""
    return UsageView(
        input_tokens=sum(one.input_tokens for one in spent),
        output_tokens=sum(one.output_tokens for one in spent),
        cost_usd=round(sum(one.cost_usd for one in spent), COST_DIGITS),
        model_calls=sum(one.kind == "model" for one in spent),
        cost_known=all(one.priced for one in spent),
        model=spent[-1].model if spent else None,
    )


class TaskEventView(ResponseModel):
    """One event of a task's stream. The first, `standing`, is the current state, `ended` the last."""

    type: EventType
    status: str | None = None
    hitl_id: str | None = None
    paused: bool | None = None
    at: datetime
