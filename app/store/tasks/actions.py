"""Repository of task actions."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from pymongo import InsertOne, UpdateOne
from pymongo.errors import BulkWriteError

from app.domain.task import TaskAction
from app.store.mongo.failures import only_duplicates, translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, storable, to_row

MADE = [("createdAt", 1), ("stepIndex", 1), ("chainIndex", 1)]


class TaskActions:
    """Actions sent to the browser."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["task_actions"]

    @translate_errors
    async def add(self, actions: Sequence[TaskAction]) -> None:
        """Insert; an existing row with the same action_id is unchanged."""
        await insert_missing(self._rows, [to_row(action) for action in actions])

    @translate_errors
    async def settle(
        self,
        tenant: str,
        statuses: dict[str, str],
        verification: dict[str, Any] | None,
        *,
        then: Sequence[TaskAction] = (),
        predictions: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Record the results of actions by action_id; `verification` goes to the last one, and each
        prediction with its outcome to its own action.

        `then` is inserted in the same round trip, as by `add`.
        """
        changes: dict[str, Row] = {action: {"status": s} for action, s in statuses.items()}
        if changes and verification is not None:
            changes[next(reversed(changes))]["verification"] = verification
        for action, scored in predictions.items():
            changes.setdefault(action, {})["prediction"] = scored
        writes: list[UpdateOne | InsertOne[Row]] = [
            UpdateOne({"tenantId": tenant, "actionId": action}, {"$set": storable(change)})
            for action, change in changes.items()
        ]
        writes += [InsertOne(to_row(action)) for action in then]
        if writes:
            with duplicates_ignored():
                await self._rows.bulk_write(writes, ordered=False)

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[TaskAction]:
        """In order of creation."""
        found = self._rows.find({"tenantId": tenant, "taskId": task_id}, sort=MADE)
        return [from_row(TaskAction, row) async for row in found]


async def insert_missing(rows: Collection, new: Sequence[Row]) -> None:
    if not new:
        return
    with duplicates_ignored():
        await rows.insert_many(new, ordered=False)


@contextmanager
def duplicates_ignored() -> Iterator[None]:
    """Existing rows stay as they are; any other failure is raised."""
    try:
        yield
    except BulkWriteError as error:
        if not only_duplicates(error.details or {}):
            raise
