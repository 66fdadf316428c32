"""The sums that KPIs are made of, added up by the store."""

from datetime import datetime
from typing import Any

from app.domain.kpi import (
    HIGHEST_BIN,
    LOWEST_BIN,
    ActionTally,
    CorrectionTally,
    Tallies,
    TaskTally,
)
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row

Stages = list[dict[str, Any]]

_BIN = {
    "$min": [
        HIGHEST_BIN,
        {"$max": [LOWEST_BIN, {"$floor": {"$multiply": ["$prediction.predicted", 10]}}]},
    ]
}
_IS_PREDICTED = {"$gt": ["$prediction.predicted", None]}

ACTIONS: Stages = [
    {
        "$group": {
            "_id": {
                "kind": "$prediction.kind",
                "bin": {"$cond": [_IS_PREDICTED, _BIN, None]},
                "tier": "$verification.verificationTier",
                "succeeded": "$verification.actionSucceeded",
            },
            "count": {"$sum": 1},
            "predicted": {"$sum": "$prediction.predicted"},
            "met": {"$sum": {"$cond": [{"$eq": ["$prediction.met", True]}, 1, 0]}},
            "brier": {"$sum": "$prediction.brier"},
            "tokens_saved": {"$sum": "$verification.tokensSaved"},
        }
    }
]
CORRECTIONS: Stages = [
    {
        "$group": {
            "_id": {"strategy": "$strategy", "source": "$source", "status": "$status"},
            "count": {"$sum": 1},
        }
    }
]
TASKS: Stages = [
    {
        "$group": {
            "_id": {"status": "$status"},
            "count": {"$sum": 1},
            "looks": {"$sum": "$metrics.looks"},
            "re_plans": {"$sum": "$metrics.rePlans"},
            "skill_uses": {"$sum": "$metrics.skillUses"},
            "skills_helped": {"$sum": "$metrics.skillsHelped"},
        }
    }
]


class MongoKpis:
    """`Kpis` over the collections that others write. Each pipeline begins with its own `$match`, on a
    tenant and a span of `createdAt`, which its index has.
    """

    def __init__(self, database: Database) -> None:
        self._actions: Collection = database["task_actions"]
        self._corrections: Collection = database["corrections"]
        self._tasks: Collection = database["tasks"]
        self._skills: Collection = database["skills"]

    @translated
    async def tallies(self, tenant: str, since: datetime, until: datetime) -> Tallies:
        """The sums of one tenant over what was made from `since` until before `until`."""
        wanted = {"tenantId": tenant, "createdAt": {"$gte": since, "$lt": until}}
        actions = await _summed(self._actions, wanted, ACTIONS)
        corrections = await _summed(self._corrections, wanted, CORRECTIONS)
        tasks = await _summed(self._tasks, wanted, TASKS)
        return Tallies(
            actions=tuple(ActionTally(**row) for row in actions),
            corrections=tuple(CorrectionTally(**row) for row in corrections),
            tasks=tuple(TaskTally(**row) for row in tasks),
            skills=await self._skills.count_documents({"tenantId": tenant}),
        )


async def _summed(rows: Collection, wanted: Row, stages: Stages) -> list[Row]:
    """The groups, each with what it was grouped by among its fields."""
    found = rows.aggregate([{"$match": wanted}, *stages])
    return [{**row.pop("_id"), **row} async for row in found]
