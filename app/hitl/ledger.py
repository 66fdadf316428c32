"""The ledger of steps sent to a browser, each at most once. It contains only numbers.

A step id is stepIndex.attempt.chainIndex: the chain's index in the thread (from 0), the correction attempt
(0 for none), and the position in the chain (from 0).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from app.domain.action import ActionRecord
from app.domain.hitl import ExecutedOperation, OperationStatus

Executed = Mapping[str, OperationStatus]


def step_ids(step_index: int, attempt: int, count: int) -> tuple[str, ...]:
    return tuple(f"{step_index}.{attempt}.{index}" for index in range(count))


def ledger_key(trace_id: str, step_id: str) -> str:
    return f"{trace_id}:{step_id}"


def was_sent(executed: Executed, steps: Iterable[str]) -> bool:
    """Whether any of these steps was sent before; if so, none may be sent again."""
    return any(step in executed for step in steps)


def mark_sent(executed: Executed, steps: Iterable[str]) -> dict[str, OperationStatus]:
    """The ledger with these steps in flight."""
    return {**executed, **dict.fromkeys(steps, "sent")}


def mark_settled(executed: Executed, records: Sequence[ActionRecord]) -> dict[str, OperationStatus]:
    """The ledger after an observation: each step in flight gets the result of its action record.

    A step its chain never reached has no record.
    """
    in_flight = [step for step, status in executed.items() if status == "sent"]
    if not in_flight:
        return dict(executed)
    statuses = _statuses(records)
    return {**executed, **{step: statuses.get(_place(step), "skipped") for step in in_flight}}


def action_names(records: Sequence[ActionRecord]) -> dict[tuple[int, int], str]:
    return {place: record.action.name for place, record in _with_places(records)}


def changed_steps(
    before: Executed | None, after: Executed, *, at_most: int
) -> dict[str, OperationStatus]:
    """The steps sent or updated since `before`.

    If `before` is empty, the last `at_most` are returned; writing them again is harmless.
    """
    if before is None:
        return dict(list(after.items())[-at_most:])
    return {step: status for step, status in after.items() if before.get(step) != status}


def executed_operations(
    steps: Executed,
    named: Mapping[tuple[int, int], str],
    *,
    tenant: str,
    task_id: str,
    trace_id: str,
    now: datetime,
) -> list[ExecutedOperation]:
    return [
        ExecutedOperation(
            key=ledger_key(trace_id, step),
            tenant=tenant,
            task_id=task_id,
            trace_id=trace_id,
            step_id=step,
            name=named.get(_place(step), ""),
            status=status,
            at=now,
        )
        for step, status in steps.items()
    ]


def _statuses(records: Sequence[ActionRecord]) -> dict[tuple[int, int], OperationStatus]:
    return {
        place: "sent" if record.status == "pending" else record.status
        for place, record in _with_places(records)
    }


def _with_places(records: Sequence[ActionRecord]) -> Iterator[tuple[tuple[int, int], ActionRecord]]:
    """Each record with the index of its chain and its position there, both from 0."""
    seen: dict[str, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    for record in records:
        if record.action_id not in seen:
            index = counts.get(record.chain_number, 0)
            counts[record.chain_number] = index + 1
            seen[record.action_id] = (record.chain_number - 1, index)
        yield seen[record.action_id], record


def _place(step: str) -> tuple[int, int]:
    step_index, _, index = step.split(".")
    return int(step_index), int(index)
