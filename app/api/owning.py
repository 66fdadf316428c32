"""Whose a task is: what an operation on one asks before it does anything."""

from app.agent import task_access
from app.agent.task_access import refuse_stranger
from app.api.deps import AppState
from app.domain.access import Principal
from app.domain.task import Task

__all__ = ["refuse_stranger", "task_of"]


async def task_of(state: AppState, principal: Principal, task_id: str) -> Task | None:
    """See `app.agent.ending`."""
    return await task_access.task_of(state["store"], state["interact"], principal, task_id)
