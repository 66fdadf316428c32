"""Finds tasks that a person may see, and stops them."""

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
    """The task's row; None if it has not acted yet.

    Raises `NotFound` alike for a task that does not exist and for one that `who` may not see.
    """
    task = await store.tasks.find(who.tenant, task_id)
    if task is not None:
        require_visible(who, task.user, task_id)
        return task
    owner = await store.leases.find_user(who.tenant, task_id)
    if owner is None:
        await interact.find_state(who, task_id)
    else:
        require_visible(who, owner, task_id)
    return None


def require_visible(who: Principal, user: str, task_id: str) -> None:
    """Raise `NotFound` if `who` may not see this user's tasks."""
    if not who.can_see(user):
        raise NotFound(f"There is no task {task_id!r}")


async def stop_task(
    store: Store, interact: InteractService, task_events: TaskEvents, who: Principal, task_id: str
) -> None:
    """Stop a task that `who` may see, paused or not, and preempt its run. Raises `TaskEnded`."""
    await _require_open(store, who.tenant, task_id)

    async def interrupt(rows: Store) -> None:
        await rows.tasks.move(who.tenant, task_id, "interrupted", at=datetime.now(UTC))

    await interact.cancel(who, task_id, then=interrupt)
    task_events.publish(who.tenant, task_id)
    await _require_open(store, who.tenant, task_id)


async def _require_open(store: Store, tenant: str, task_id: str) -> None:
    task = await store.tasks.find(tenant, task_id)
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}")
