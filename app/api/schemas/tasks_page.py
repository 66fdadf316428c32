"""The list of tasks on the wire."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.agent.answer import COST_DIGITS
from app.api.models import Reply
from app.api.routes.interact.response import UsageView
from app.domain.metrics.usage import UsageTotals
from app.domain.task import Task, TaskStatus

LONGEST_TEXT = 500  # characters; the task itself has the whole of it

StatusFilter = Literal[
    "active", "executing", "awaiting_user", "completed", "failed", "interrupted", "under_way"
]


class TaskRowView(Reply):
    """One task in a list. `query` and `result` are cut at 500 characters."""

    task_id: str
    session_id: str
    user_id: str
    query: str
    url: str
    status: TaskStatus
    steps: int
    complexity: str | None = None
    result: str | None = None
    created_at: datetime
    updated_at: datetime
    usage: UsageView

    @staticmethod
    def of(task: Task, spent: UsageTotals | None) -> "TaskRowView":
        """The wire form of a task and of what the models took for it."""
        return TaskRowView(
            task_id=task.task_id,
            session_id=task.session_id,
            user_id=task.user,
            query=_cut(task.query),
            url=task.url,
            status=task.status,
            steps=int(task.metrics.get("steps", task.step_index)),
            complexity=task.complexity,
            result=_cut(task.result) if task.result is not None else None,
            created_at=task.created_at,
            updated_at=task.updated_at,
            usage=spent_view(spent or UsageTotals()),
        )


class TasksPage(Reply):
    """Tasks, newest first."""

    tasks: list[TaskRowView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


def spent_view(spent: UsageTotals) -> UsageView:
    """The wire form of sums."""
    return UsageView(
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_usd=round(spent.cost_usd, COST_DIGITS),
        model_calls=spent.model_calls,
        cost_known=spent.cost_known,
        model=spent.model,
    )


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
