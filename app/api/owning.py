"""Whose a task is: what an operation on one asks before it does anything."""

from app.api.lifetime import Lifetime
from app.domain.task import Principal, Task
from app.errors import NotFound


async def task_of(made: Lifetime, who: Principal, task_id: str) -> Task | None:
    """The task's row; None for one that has not acted yet. Raises `NotFound` for one that is not there,
    or that who asks may not see, which are not told apart.
    """
    task = await made["store"].tasks.find(who.tenant, task_id)
    if task is not None:
        refuse_stranger(who, task.user, task_id)
        return task
    began = await made["store"].leases.user(who.tenant, task_id)
    if began is None:
        await made["interact"].provisional(who, task_id)
    else:
        refuse_stranger(who, began, task_id)
    return None


def refuse_stranger(who: Principal, user: str, task_id: str) -> None:
    """Raises `NotFound` where a task of this user may not be seen."""
    if not who.sees(user):
        raise NotFound(f"There is no task {task_id!r}")
