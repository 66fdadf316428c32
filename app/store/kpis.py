"""Sums for the KPIs, computed by the store."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.metrics.kpi import (
    HIGHEST_BIN,
    LOWEST_BIN,
    ActionTally,
    Bucket,
    CorrectionTally,
    Latency,
    RatingTally,
    Tallies,
    TaskTally,
)
from app.domain.task import ENDED
from app.store.mongo.rows import Collection, Database, Repository, Row

Stages = list[dict[str, Any]]

IDLE = timedelta(minutes=30)  # DESIGN section 4: an idle task is interrupted after this time
UNDER_WAY = ["active", "executing", "awaiting_user"]

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

TASK_SUMS: dict[str, Any] = {
    "count": {"$sum": 1},
    "looks": {"$sum": "$metrics.looks"},
    "re_plans": {"$sum": "$metrics.rePlans"},
    "skill_uses": {"$sum": "$metrics.skillUses"},
    "skills_helped": {"$sum": "$metrics.skillsHelped"},
    "chains": {"$sum": "$metrics.chains"},
    "chains_whole": {"$sum": "$metrics.chainsWhole"},
    "chained": {"$sum": {"$cond": [{"$gt": ["$metrics.chains", 0]}, "$metrics.actions", 0]}},
    "saved": {"$sum": "$metrics.roundTripsSaved"},
    "p95": {"$percentile": {"input": "$metrics.serverMs", "p": [0.95], "method": "approximate"}},
}

PASSES: Stages = [
    {"$unwind": "$passMs"},
    {
        "$group": {
            "_id": {},
            "count": {"$sum": 1},
            "p95": {"$percentile": {"input": "$passMs", "p": [0.95], "method": "approximate"}},
        }
    },
]

RATINGS: Stages = [
    {
        "$group": {
            "_id": {},
            "count": {"$sum": 1},
            "satisfied": {"$sum": {"$cond": ["$rating.satisfied", 1, 0]}},
        }
    },
]


def tasks_by_end(now: datetime) -> Stages:
    """Group tasks by result and complexity; an abandoned one counts as interrupted already."""
    is_abandoned = {"$and": [{"$in": ["$status", UNDER_WAY]}, {"$lt": ["$updatedAt", now - IDLE]}]}
    group_key = {
        "status": {"$cond": [is_abandoned, "interrupted", "$status"]},
        "complexity": "$complexity",
        "misclassified": {"$gt": ["$metrics.misclassified", 0]},
    }
    return [{"$group": {"_id": group_key, **TASK_SUMS}}]


class Kpis(Repository):
    """Aggregations over other repositories' collections."""

    collection = "task_actions"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._corrections: Collection = database["corrections"]
        self._tasks: Collection = database["tasks"]
        self._skills: Collection = database["skills"]
        self._lines: Collection = database["conversation_lines"]

    async def tallies(self, tenant: str, since: datetime, until: datetime) -> Tallies:
        """The sums of one tenant over rows made in [`since`, `until`)."""
        skills = await self._skills.count_documents({"tenantId": tenant})
        by_moment = await self._tallies_by_moment(tenant, since, until, None)
        return by_moment.get(None, Tallies()).model_copy(update={"skills": skills})

    async def series(
        self, tenant: str, since: datetime, until: datetime, bucket: Bucket
    ) -> dict[datetime, Tallies]:
        """The same per non-empty day, week (from Monday) or month in UTC; without the number of skills."""
        by_moment = await self._tallies_by_moment(tenant, since, until, bucket)
        return {at: tallies for at, tallies in by_moment.items() if at is not None}

    async def find_uncertain(
        self, tenant: str, since: datetime, until: datetime, *, below: float, limit: int
    ) -> list[str]:
        """Ids of tasks made in [`since`, `until`) that ended with a confidence below `below`, or with an
        irreversible action, newest first. Older rows lack the number.
        """
        query = {"tenantId": tenant, "createdAt": {"$gte": since, "$lt": until}}
        is_uncertain = {
            "status": {"$in": sorted(ENDED)},
            "$or": [{"metrics.confidence": {"$lt": below}}, {"metrics.highImpact": {"$gt": 0}}],
        }
        newest: Stages = [{"$sort": {"createdAt": -1}}, {"$match": is_uncertain}, {"$limit": limit}]
        rows = self._tasks.aggregate([{"$match": query}, *newest, {"$project": {"taskId": 1}}])
        return [row["taskId"] async for row in rows]

    async def _tallies_by_moment(
        self, tenant: str, since: datetime, until: datetime, bucket: Bucket | None
    ) -> dict[datetime | None, Tallies]:
        """The sums, by creation time of the rows."""
        sources = [
            (self._rows, ACTIONS, "createdAt"),
            (self._corrections, CORRECTIONS, "createdAt"),
            (self._tasks, tasks_by_end(datetime.now(UTC)), "createdAt"),
            (self._tasks, PASSES, "createdAt"),
            (self._lines, RATINGS, "ratedAt"),
        ]
        actions, corrections, tasks, passes, ratings = [
            await _sum(
                rows,
                {"tenantId": tenant, when: {"$gte": since, "$lt": until}},
                _with_bucket(stages, bucket, when),
            )
            for rows, stages, when in sources
        ]
        moments = {row.get("at") for row in (*actions, *corrections, *tasks, *passes, *ratings)}
        return {
            at: Tallies(
                actions=tuple(ActionTally(**row) for row in _at(at, actions)),
                corrections=tuple(CorrectionTally(**row) for row in _at(at, corrections)),
                tasks=tuple(TaskTally(**row) for row in _at(at, tasks)),
                passes=next((Latency(**row) for row in _at(at, passes)), Latency()),
                ratings=next((RatingTally(**row) for row in _at(at, ratings)), RatingTally()),
            )
            for at in moments
        }


def _with_bucket(stages: Stages, bucket: Bucket | None, when: str) -> Stages:
    """Add the time bucket to the grouping of the last stage."""
    if bucket is None:
        return stages
    at = {"$dateTrunc": {"date": f"${when}", "unit": bucket, "startOfWeek": "monday"}}
    group = stages[-1]["$group"]
    return [*stages[:-1], {"$group": group | {"_id": group["_id"] | {"at": at}}}]


def _at(moment: datetime | None, rows: Iterable[Row]) -> list[Row]:
    """The rows of one bucket, without the bucket field."""
    return [
        {name: value for name, value in row.items() if name != "at"}
        for row in rows
        if row.get("at") == moment
    ]


async def _sum(rows: Collection, query: Row, stages: Stages) -> list[Row]:
    """The groups, with the grouping fields merged in."""
    groups = [row async for row in rows.aggregate([{"$match": query}, *stages])]
    for row in groups:
        row |= row.pop("_id")
        if "p95" in row:  # a percentile is a list of one
            row["p95_ms"] = row.pop("p95")[0]
    return groups
