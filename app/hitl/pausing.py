"""A pause: the person takes the task's lease, so that no run works on it until they hand it back.

The lease needs no task row and is shared by all workers; it outlives every process.
"""

from app.store.port import Store

PAUSER = "(pause)"  # owns the lease of a paused task; no requestId looks so
PAUSED_FOR_S = 7 * 24 * 60 * 60.0  # as long as its thread is kept


async def hold(store: Store, tenant: str, task_id: str) -> str | None:
    """Pause the task; who worked on it until now, or None."""
    holder = await store.leases.holder(tenant, task_id)
    await store.leases.take(tenant, task_id, owner=PAUSER, ttl_s=PAUSED_FOR_S)
    return holder


async def let_go(store: Store, tenant: str, task_id: str) -> bool:
    """End the pause; False where there was none."""
    paused = await is_paused(store, tenant, task_id)
    if paused:
        await store.leases.release(tenant, task_id, owner=PAUSER)
    return paused


async def is_paused(store: Store, tenant: str, task_id: str) -> bool:
    """Whether the person has the task."""
    return await store.leases.holder(tenant, task_id) == PAUSER
