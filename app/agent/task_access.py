"""Whose a task is, and its end by a person's hand: the same for every door that a task is stopped through."""

from datetime import UTC, datetime

from app.agent.service import InteractService
from app.domain.access import Principal
from app.domain.task import ENDED, Task
from app.errors import NotFound, TaskEnded
from app.hitl import TaskEvents
from app.store.repositories import Store


async def find_task(
    store: Store, interact: InteractService, who: Principal, task_id: str
) -> Task | None:
    """The task's row; None for one that has not acted yet. Raises `NotFound` for one that is not there,
    or that who asks may not see, which are not told apart.
    """
    task = await store.tasks.find(who.tenant, task_id)
    if task is not None:
        require_visible(who, task.user, task_id)
        return task
    began = await store.leases.user(who.tenant, task_id)
    if began is None:
        await interact.find_state(who, task_id)
    else:
        require_visible(who, began, task_id)
    return None


def require_visible(who: Principal, user: str, task_id: str) -> None:
    """Raises `NotFound` where a task of this user may not be seen."""
    if not who.can_see(user):
        raise NotFound(f"There is no task {task_id!r}")


async def stop_task(
    store: Store, interact: InteractService, bells: TaskEvents, who: Principal, task_id: str
) -> None:
    """Stop a task that `who` may see, paused or not: nothing more is sent, and a run that works on it is
    cut off. Raises `TaskEnded`. One that has done nothing yet has no row.
    """
    await _require_open(store, who.tenant, task_id)

    async def interrupt(rows: Store) -> None:
        await rows.tasks.move(who.tenant, task_id, "interrupted", at=datetime.now(UTC))

    await interact.cancel(who, task_id, then=interrupt)
    bells.publish(who.tenant, task_id)
    await _require_open(store, who.tenant, task_id)


async def _require_open(store: Store, tenant: str, task_id: str) -> None:
    task = await store.tasks.find(tenant, task_id)
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}")
