"""The invariants of a task under any interleaving."""

from collections import Counter

from app.domain.hitl import AuditEntry, PendingHitl
from app.store.repositories import Store
from bench.interleaving.client import Client, Violation

TENANT = "one"
STATES = frozenset({"active", "executing", "awaiting_user", "completed", "failed", "interrupted"})


async def check_invariants(client: Client) -> int:
    """The number of recorded answers. Raises `Wrong`."""
    store, task_id = client.backend.opened.store, client.task_id
    assert task_id is not None
    rows = {row.hitl_id: row for row in await store.hitl.of_task(TENANT, task_id)}
    audit = await store.audit.of_task(TENANT, task_id)
    for row in rows.values():
        _is_told_once(row, audit)
    _are_kept(client, rows)
    await _is_done_once(client, store, rows, audit)
    if (task := await store.tasks.find(TENANT, task_id)) and task.status not in STATES:
        raise Violation(f"no such state: {task.status}")
    return sum(row.status == "answered" for row in rows.values())


def _is_told_once(row: PendingHitl, audit: list[AuditEntry]) -> None:
    told = Counter(entry.kind for entry in audit if entry.hitl_id == row.hitl_id)
    if told["asked"] != 1 and (row.status != "pending" or told["asked"]):
        raise Violation(f"the trail says {told['asked']} times that {row.hitl_id} was asked")
    ends = sum(told[k] for k in ("answered", "approved", "refused", "cancelled", "expired"))
    if ends != (row.status != "pending"):
        raise Violation(f"the trail says {ends} times how {row.hitl_id} ended: it is {row.status}")


def _are_kept(client: Client, rows: dict[str, PendingHitl]) -> None:
    """Every accepted answer is stored with its question, and is the only one."""
    doors = Counter(one.hitl_id for one in client.accepted)
    for taken in client.accepted:
        row = rows.get(taken.hitl_id)
        if row is None or row.result is None or row.status != taken.status:
            raise Violation(f"the answer to {taken.hitl_id} was lost: {row and row.status}")
        if doors[taken.hitl_id] > 1:
            raise Violation(f"{doors[taken.hitl_id]} answers to {taken.hitl_id} were taken")


async def _is_done_once(
    client: Client, store: Store, rows: dict[str, PendingHitl], audit: list[AuditEntry]
) -> None:
    """Each effect happened at most once, and each that needs approval has its own."""
    assert client.task_id is not None
    effects = Counter(client.office.effects)
    twice = [effect for effect, times in effects.items() if times > 1]
    if twice:
        raise Violation(f"done twice: {twice}")
    agreed = [r for r in rows.values() if r.result and r.result.decision == "approved"]
    deleted = sum(effect.startswith("delete") for effect in effects)
    if deleted > len(agreed):
        raise Violation(f"{deleted} deletes with {len(agreed)} yeses")
    ledger = {one.key: one for one in await store.ledger.of_task(TENANT, client.task_id)}
    places = {tuple(map(int, one.step_id.split(".")[::2])) for one in ledger.values()}
    for action in await store.actions.of_task(TENANT, client.task_id):
        if (
            action.action_id in client.done
            and (action.step_index, action.chain_index) not in places
        ):
            raise Violation(f"step {action.step_index} was done and is not in the ledger")
    for entry in audit:
        if not set(ledger).issuperset(entry.operations):
            raise Violation(f"the trail names steps that are not in the ledger: {entry.operations}")
