"""Repositories of usage records, and of tenants' budgets."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from bson import Int64
from pymongo import InsertOne

from app.domain.metrics.usage import (
    NANO,
    Budgets,
    GroupBy,
    Limit,
    ModelDayUsage,
    TaskCost,
    UsageFilter,
    UsageGroup,
    UsageRecord,
    UsageTotals,
    nano_to_usd,
    usd_to_nano,
)
from app.store.mongo.rows import (
    Collection,
    Database,
    Repository,
    Row,
    ValueRepository,
    from_row,
    given_fields,
    storable,
    to_nested,
    to_row,
)

MADE = [("createdAt", 1), ("_id", 1)]
NEWEST = [("createdAt", -1), ("usageId", -1)]
NANOS = "costNanoUsd"
FIRST_WINDOW, WINDOW_GROWTH = timedelta(hours=1), 6  # the fifth window covers a month

# Older rows have no integer amount; their float is accurate to half a billionth.
_COST = {"$ifNull": [f"${NANOS}", {"$toLong": {"$round": [{"$multiply": ["$costUsd", NANO]}, 0]}}]}

_KEYS: dict[GroupBy, Any] = {
    "day": {"$dateTrunc": {"date": "$createdAt", "unit": "day"}},
    "month": {"$dateTrunc": {"date": "$createdAt", "unit": "month"}},
    "task": "$taskId",
    "model": "$model",
    "actionType": "$actionType",
    "user": "$userId",
    "provider": "$provider",
}

_DATE_FORMATS: dict[GroupBy, str] = {"day": "%Y-%m-%d", "month": "%Y-%m"}

_SUMS: dict[str, Any] = {
    "calls": {"$sum": 1},
    "input_tokens": {"$sum": "$inputTokens"},
    "cached_tokens": {"$sum": "$cachedTokens"},
    "output_tokens": {"$sum": "$outputTokens"},
    "thinking_tokens": {"$sum": "$thinkingTokens"},
    "total_tokens": {"$sum": "$totalTokens"},
    "credits": {"$sum": "$credits"},
    "cost_nano": {"$sum": _COST},
    "unpriced_calls": {"$sum": {"$cond": ["$priced", 0, 1]}},
    "failed_calls": {"$sum": {"$cond": ["$ok", 0, 1]}},
    "duration_ms": {"$sum": "$durationMs"},
}

_MODEL_DAY: dict[str, Any] = {
    "provider": "$provider",
    "model": "$model",
    "kind": "$kind",
    "day": _KEYS["day"],
    "priced": "$priced",
}


class Usage(ValueRepository[UsageRecord]):
    """The cost of model and search calls, one row each."""

    collection, kind = "token_usage_logs", UsageRecord

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._tasks: Collection = database["tasks"]

    async def add(self, records: Sequence[UsageRecord]) -> None:
        """Insert; an existing row with the same usage_id is unchanged."""
        await self._write(
            [InsertOne(to_row(one) | {NANOS: Int64(usd_to_nano(one.cost_usd))}) for one in records]
        )

    async def of_task(self, tenant: str, task_id: str) -> list[UsageRecord]:
        return await self._all({"tenantId": tenant, "taskId": task_id}, sort=MADE)

    async def spent_by_task(self, tenant: str, task_ids: Sequence[str]) -> dict[str, UsageTotals]:
        """The usage of each of these tasks, by id; tasks without calls are omitted."""
        query = {"tenantId": tenant, "taskId": {"$in": list(task_ids)}}
        is_model_call = {
            "$sum": {"$cond": [{"$eq": [{"$ifNull": ["$kind", "model"]}, "model"]}, 1, 0]}
        }
        group: Row = {"_id": "$taskId", **_SUMS, "model_calls": is_model_call}
        stages = [{"$match": query}, {"$group": group}]
        return {row["_id"]: _to_totals(row) async for row in self._rows.aggregate(stages)}

    async def sum_by(self, tenant: str, span: UsageFilter, by: GroupBy) -> list[UsageGroup]:
        """The sums by key. Days and months are in UTC."""
        rows = await self._grouped(tenant, span, _KEYS[by])
        groups = [UsageGroup(key=_key(row.pop("_id"), by), **row) for row in rows]
        return sorted(groups, key=lambda group: group.key)

    async def sum_by_model_and_day(self, tenant: str, span: UsageFilter) -> list[ModelDayUsage]:
        """The sums for each model and day, in that order."""
        rows = await self._grouped(tenant, span, _MODEL_DAY)
        sums = []
        for row in rows:
            key = row.pop("_id")
            day = key.pop("day").date()
            sums.append(ModelDayUsage(**{"kind": "model", **key}, day=day, **row))
        return sorted(sums, key=lambda one: (one.provider, one.model, one.kind, one.day))

    async def _grouped(self, tenant: str, span: UsageFilter, key: object) -> list[Row]:
        stages = [{"$match": _matching(tenant, span)}, {"$group": {"_id": key, **_SUMS}}]
        return [row async for row in self._rows.aggregate(stages)]

    async def page(
        self,
        tenant: str,
        span: UsageFilter,
        *,
        limit: int,
        after: tuple[datetime, str] | None = None,
    ) -> list[UsageRecord]:
        """Newest first, after the (time, usage_id) in `after`.

        Several queries: the embedded server uses no index for an `$or`, and reads all rows that a filter
        matches, whatever the limit. So a short period is queried first, then longer ones.
        """
        query, rows, until = _matching(tenant, span), [], span.until
        if after is not None and span.since <= after[0] < span.until:
            until, last = after
            cursor = self._rows.find(query | {"createdAt": until}, sort=NEWEST)
            rows = [row async for row in cursor if row["usageId"] < last][:limit]
        elif after is not None:
            until = min(after[0], span.until)
        length = FIRST_WINDOW
        while len(rows) < limit and until > span.since:
            since = until - length if until - span.since > length else span.since
            window = query | {"createdAt": {"$gte": since, "$lt": until}}
            cursor = self._rows.find(window, sort=NEWEST, limit=limit - len(rows))
            rows += [row async for row in cursor]
            until, length = since, length * WINDOW_GROWTH
        return [from_row(UsageRecord, row) for row in rows]

    async def sum_spent(
        self, tenant: str, span: UsageFilter | None = None, *, task_id: str = ""
    ) -> int:
        """The total spent in the period, or ever on one task, in billionths of a dollar."""
        task_query: Row = {"tenantId": tenant, "taskId": task_id}
        query = task_query if span is None else _matching(tenant, span)
        stages: list[Row] = [{"$match": query}, {"$group": {"_id": None, "nano": {"$sum": _COST}}}]
        totals = [row async for row in self._rows.aggregate(stages)]
        return int(totals[0]["nano"]) if totals else 0

    async def recent_tasks(self, tenant: str, *, limit: int) -> list[TaskCost]:
        """The model usage of the newest tasks that called a model."""
        projection = {"complexity": 1, "metrics.modelCalls": 1, "metrics.costUsd": 1}
        rows = self._tasks.find(
            {"tenantId": tenant}, projection, sort=[("createdAt", -1)], limit=limit
        )
        return [
            TaskCost(
                complexity=row.get("complexity"),
                calls=int(row["metrics"]["modelCalls"]),
                cost_nano=usd_to_nano(row["metrics"].get("costUsd", 0.0)),
            )
            async for row in rows
            if row.get("metrics", {}).get("modelCalls")
        ]


def _to_totals(row: Row) -> UsageTotals:
    return UsageTotals(
        model_calls=row["model_calls"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        cost_usd=nano_to_usd(row["cost_nano"]),
        cost_known=row["unpriced_calls"] == 0,
    )


def _matching(tenant: str, span: UsageFilter) -> Row:
    query = {"tenantId": tenant} | given_fields(userId=span.user, taskId=span.task_id)
    return query | {"createdAt": {"$gte": span.since, "$lt": span.until}}


def _key(value: object, by: GroupBy) -> str:
    return value.strftime(_DATE_FORMATS[by]) if isinstance(value, datetime) else str(value)


class BudgetRows(Repository):
    """The spending limits of each tenant."""

    collection = "budgets"

    async def get(self, tenant: str) -> Budgets:
        row: Row | None = await self._rows.find_one({"tenantId": tenant})
        if row is None:
            return Budgets(tenant=tenant)
        users = {one["userId"]: from_row(Limit, one) for one in row.get("users", ())}
        return from_row(Budgets, row | {"users": {}}).model_copy(update={"users": users})

    async def put(self, budgets: Budgets) -> None:
        users = [to_nested(limit) | {"userId": user} for user, limit in budgets.users.items()]
        row = to_row(budgets.model_copy(update={"users": {}})) | {"users": users}
        await self._rows.replace_one({"tenantId": budgets.tenant}, storable(row), upsert=True)
