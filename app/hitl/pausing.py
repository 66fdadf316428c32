"""A pause: the person takes the task's lease, so that no run works on it until they hand it back.

The lease needs no task row and is shared by all workers; it outlives every process.
"""

from app.store.repositories import Store


async def is_paused(store: Store, tenant: str, task_id: str) -> bool:
    """Whether the person has the task."""
    return await store.leases.paused(tenant, task_id) is not None
