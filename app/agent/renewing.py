"""Saying to the store, again and again, that one still works on something."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from app.domain.task import Principal
from app.errors import TabwrightError
from app.store.port import Store

log = structlog.get_logger(__name__)

CLAIM_TTL_S = 6.0  # a dead process's claim is free after this; a live one renews it thrice in it
RENEW_S = 2.0
STOPPER = "(stop)"  # owns the lease of what is to stop; no request's id looks so


@dataclass(slots=True)
class Hold:
    """Whether a claim is still held, and whose turn it is to say so to the store."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    over: bool = False


async def kept_alive(
    hold: Hold,
    renew: Callable[[], Awaitable[bool | None]],
    *,
    lost: Callable[[], None],
    locked_out: Callable[[], None],
    task_id: str,
) -> None:
    """Renew until cancelled or let go of. `renew` says whether it is still held: where it is not, `lost` is
    told; None where the key that it was asked with opens no more, which `locked_out` is told.
    """
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            async with hold.turn:
                if hold.over:
                    return
                held = await renew()
            if held is None:  # said here, since a run is cut off by the event loop's own thread
                locked_out()
            elif not held:
                lost()
        except TabwrightError as error:
            log.warning("claim not renewed", error=error.detail, taskId=task_id)


async def renewed(
    store: Store, who: Principal, *, key: str, owner: str, task_id: str, request_id: str
) -> bool | None:
    """Say that the claim `key` of the process `owner`, and the lease that the request has of the task, are
    still held; False where the lease was taken away. None where the key that it was asked with opens no
    more: nothing is renewed, the run ends now and lets go.
    """
    if who.key_id and not await store.keys.opens(who.tenant, who.key_id):
        return None
    await store.operations.renew(who.tenant, key, owner=owner, ttl_s=CLAIM_TTL_S)
    # Renewed and never taken: the run may have ended, and let go, while this was on its way.
    held = await store.leases.renew(who.tenant, task_id, owner=request_id, ttl_s=CLAIM_TTL_S)
    if not held:  # it was taken to stop this run, which lets others have it
        await store.leases.release(who.tenant, task_id, owner=STOPPER)
    return held
