"""Repository of task actions."""

from collections.abc import Sequence
from typing import Any

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from app.domain.task import TaskAction
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import only_duplicates, translated
from app.store.mongo.rows import Row, from_row, storable, to_row

MADE = [("createdAt", 1), ("stepIndex", 1), ("chainIndex", 1)]


class MongoTaskActions:
    """`TaskActions` in the collection `task_actions`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["task_actions"]

    @translated
    async def add(self, actions: Sequence[TaskAction]) -> None:
        """Insert; a row whose action_id is there already is left as it is."""
        await insert_missing(self._rows, [to_row(action) for action in actions])

    @translated
    async def settle(
        self, tenant: str, statuses: dict[str, str], verification: dict[str, Any] | None
    ) -> None:
        """Write what came of actions, by action_id; `verification` goes to the last of them."""
        changes: dict[str, Row] = {action: {"status": s} for action, s in statuses.items()}
        if not changes:
            return
        if verification is not None:
            changes[next(reversed(changes))]["verification"] = verification
        updates = [
            UpdateOne({"tenantId": tenant, "actionId": action}, {"$set": storable(change)})
            for action, change in changes.items()
        ]
        await self._rows.bulk_write(updates, ordered=False)

    @translated
    async def of_task(self, tenant: str, task_id: str) -> list[TaskAction]:
        """In the order they were made."""
        found = self._rows.find({"tenantId": tenant, "taskId": task_id}, sort=MADE)
        return [from_row(TaskAction, row) async for row in found]


async def insert_missing(rows: Collection, new: Sequence[Row]) -> None:
    """Insert the rows that are not there yet, in one round trip."""
    if not new:
        return
    try:
        await rows.insert_many(new, ordered=False)
    except BulkWriteError as error:
        if not only_duplicates(error.details or {}):
            raise
