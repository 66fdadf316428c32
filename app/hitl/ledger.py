"""What was sent to a browser, each step at most once, told by numbers alone.

A step's id is stepIndex.attempt.chainIndex: the which-th chain of the thread (from 0), the which-th
try of a correction (0 for none), and the place in the chain (from 0).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from app.domain.action import ActionRecord
from app.domain.hitl import ExecutedOperation, OperationStatus

Executed = Mapping[str, OperationStatus]


def step_ids(step_index: int, attempt: int, count: int) -> tuple[str, ...]:
    """The ids of the steps of a chain of `count` actions."""
    return tuple(f"{step_index}.{attempt}.{index}" for index in range(count))


def ledger_key(trace_id: str, step_id: str) -> str:
    """The key of a step in the ledger of all."""
    return f"{trace_id}:{step_id}"


def was_sent(executed: Executed, steps: Iterable[str]) -> bool:
    """Whether one of these was sent before: then none of them is sent again."""
    return any(step in executed for step in steps)


def mark_sent(executed: Executed, steps: Iterable[str]) -> dict[str, OperationStatus]:
    """The ledger once these are on their way."""
    return {**executed, **dict.fromkeys(steps, "sent")}


def mark_settled(executed: Executed, deeds: Sequence[ActionRecord]) -> dict[str, OperationStatus]:
    """The ledger after a look at the page: of each step on its way, what its deed says. One that its
    chain never came to has no deed any more.
    """
    on_the_way = [step for step, status in executed.items() if status == "sent"]
    if not on_the_way:
        return dict(executed)
    known = _statuses(deeds)
    return {**executed, **{step: known.get(_place(step), "skipped") for step in on_the_way}}


def names(deeds: Sequence[ActionRecord]) -> dict[tuple[int, int], str]:
    """The names of their actions, by where they were sent."""
    return {place: deed.action.name for place, deed in _placed(deeds)}


def changes(
    before: Executed | None, after: Executed, *, at_most: int
) -> dict[str, OperationStatus]:
    """The steps that were sent since, and those of which more became known. With nothing known of
    before, the last `at_most` are given again: to write them once more changes nothing.
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
    """The rows of these steps."""
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


def _statuses(deeds: Sequence[ActionRecord]) -> dict[tuple[int, int], OperationStatus]:
    return {
        place: "sent" if deed.status == "pending" else deed.status for place, deed in _placed(deeds)
    }


def _placed(deeds: Sequence[ActionRecord]) -> Iterator[tuple[tuple[int, int], ActionRecord]]:
    """Each deed with the chain it was sent in, from 0, and its place there."""
    seen: dict[str, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    for deed in deeds:
        if deed.action_id not in seen:
            index = counts.get(deed.chain_number, 0)
            counts[deed.chain_number] = index + 1
            seen[deed.action_id] = (deed.chain_number - 1, index)
        yield seen[deed.action_id], deed


def _place(step: str) -> tuple[int, int]:
    step_index, _, index = step.split(".")
    return int(step_index), int(index)
