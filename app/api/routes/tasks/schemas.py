"""Responses of task and session routes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app.agent.persistence.response import COST_DIGITS
from app.api.models import ResponseModel
from app.api.routes.interact.question import QuestionView
from app.api.routes.interact.response import ReviewMark, UsageView
from app.api.routes.tasks.timeline import CallView, PeopleView, RepairView, TaskActionView
from app.domain.hitl import AuditEntry
from app.domain.memory import CorrectionRecord
from app.domain.metrics.usage import UsageRecord
from app.domain.task import Task, TaskAction


class ActiveTask(ResponseModel):
    """A task that can go on.

    `pendingActionId` is the first action of those handed out last that was never reported on: whether
    it was done is not known, and a client that goes on says so (`lastActionStatus: "unknown"`).
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
        """Convert a task and its pending actions."""
        last = actions[-1].step_index if actions else 0
        pending = (a.action_id for a in actions if a.step_index == last and a.status == "pending")
        return ActiveTask(
            pending_action_id=next(pending, None),
            task_id=task.task_id,
            query=task.query,
            status=task.status,
            current_step_index=task.step_index,
            created_at=task.created_at,
            updated_at=task.updated_at,
        )


class TaskStatusView(ResponseModel):
    """A task's status."""

    task_id: str
    status: str


class PausedView(TaskStatusView):
    """A task's status, and whether the person has it."""

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
        spent: Sequence[UsageRecord] = (),
        corrections: Sequence[CorrectionRecord] = (),
        trail: Sequence[AuditEntry] = (),
    ) -> "TaskView":
        """Convert a task with its actions, corrections, model calls and audit entries."""
        return TaskView(
            task_id=task.task_id,
            session_id=task.session_id,
            user_id=task.user,
            url=task.url,
            query=task.query,
            status=task.status,
            result=task.result,
            complexity=task.complexity,
            current_step_index=task.step_index,
            plan=task.plan,
            actions=[TaskActionView.of(one) for one in actions],
            corrections=[RepairView.of(one) for one in corrections],
            usage=_usage(spent),
            calls=[CallView.of(one) for one in spent],
            metrics=task.metrics,
            web_search_result=task.web_search_result,
            people=[PeopleView.of(one) for one in trail],
            created_at=task.created_at,
            updated_at=task.updated_at,
        )


def _usage(spent: Sequence[UsageRecord]) -> UsageView:
    """Usage of the task, including what was spent before it had a row."""
    return UsageView(
        input_tokens=sum(one.input_tokens for one in spent),
        output_tokens=sum(one.output_tokens for one in spent),
        cost_usd=round(sum(one.cost_usd for one in spent), COST_DIGITS),
        model_calls=sum(one.kind == "model" for one in spent),
        cost_known=all(one.priced for one in spent),
        model=spent[-1].model if spent else None,
    )
