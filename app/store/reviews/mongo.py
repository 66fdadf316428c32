"""Repository of review records.

A row contains the record as `record`, in the same form as in a file, and the search fields `location` and
`at`: the time of submission if pending, else of the decision.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from pymongo.errors import DuplicateKeyError

from app.domain.review import (
    LOCATIONS,
    Depths,
    Location,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    Submission,
    is_record_id,
    record_times,
    with_review,
)
from app.errors import AlreadyReviewed, Invalid, NotFound, StoreUnavailable
from app.store.mongo.rows import (
    SCHEMA,
    Collection,
    Database,
    Repository,
    Row,
    given_fields,
    set_if,
    translate_errors,
)
from app.store.reviews.port import record_from_json, record_to_json

TIMES = {"submittedAt": 1, "reviewedAt": 1, "decision": 1, "byAgent": 1, "recordId": 1}
NEWEST = [("at", -1), ("recordId", -1)]


class MongoReviews(Repository):
    """`Reviews` in the collections `reviews` and `review_refusals`."""

    collection = "reviews"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._refusals: Collection = database["review_refusals"]

    async def submit(self, record: Submission) -> Record:
        """Insert; see the port. Raises `Invalid` if the id belongs to another tenant's record."""
        try:
            await self._rows.insert_one({"_id": record.id, **_row(record)})
        except DuplicateKeyError:
            row = await self._row(record.tenant_id, record.id)
            if row is None:
                raise Invalid("This id is already in use") from None
            if (current := await self._record(row)) is None:
                raise StoreUnavailable(
                    f"The row of {record.id} cannot be read. Repair it"
                ) from None
            return current
        return record

    async def find(self, tenant: str, record_id: str) -> Record | None:
        row = await self._row(tenant, record_id)
        return await self._record(row) if row else None

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        """Change the row in one atomic write; see the port."""
        return await self._decide(tenant, record_id, review, uuid4().hex)

    @translate_errors
    async def _decide(
        self, tenant: str, record_id: str, review: Review, mark: str
    ) -> ReviewedRecord:
        """`mark` distinguishes this call's decision from others', even on a retry."""
        row = await self._row(tenant, record_id)
        record = await self._record(row) if row else None
        if record is None:
            raise NotFound("There is no such record")
        if isinstance(record, Submission):
            reviewed = with_review(record, review)
            change = set_if({"$eq": ["$location", "pending"]}, _row(reviewed) | {"mark": mark})
            row = await self._change(_key(tenant, record_id), change)
            if row and row.get("mark") == mark:
                return reviewed
        elif row and row.get("mark") == mark:
            return record
        raise AlreadyReviewed

    async def listed(
        self,
        tenant: str,
        location: Location,
        *,
        limit: int,
        user: str | None = None,
        after: tuple[int, str] | None = None,
    ) -> Sequence[Record]:
        query = {"tenantId": tenant, "location": location} | given_fields(userId=user)
        records: list[Record] = []
        while len(records) < limit:
            missing = limit - len(records)
            rows = await self._newest(query, after, missing)
            for row in rows:
                record = await self._record(row)
                records += [record] if record is not None else []
            if not rows:
                break
            after = (int(rows[-1]["at"]), rows[-1]["recordId"])
        return records

    async def _newest(self, query: Row, after: tuple[int, str] | None, limit: int) -> list[Row]:
        """Rows of the moment in `after` first, then earlier ones: `$or` would prevent an index scan."""
        if after is None:
            return [row async for row in self._rows.find(query, sort=NEWEST, limit=limit)]
        at, record_id = after
        same_moment = query | {"at": at, "recordId": {"$lt": record_id}}
        rows = [row async for row in self._rows.find(same_moment, sort=NEWEST, limit=limit)]
        if missing := limit - len(rows):
            earlier = query | {"at": {"$lt": at}}
            rows += [row async for row in self._rows.find(earlier, sort=NEWEST, limit=missing)]
        return rows

    async def depths(self, tenant: str) -> Depths:
        query = [{"tenantId": tenant, "location": location} for location in LOCATIONS]
        counts = await asyncio.gather(*map(self._rows.count_documents, query))
        depths: dict[Location, int] = dict(zip(LOCATIONS, counts, strict=True))
        async for row in self._rows.find({"tenantId": tenant, "unread": True}, {"location": 1}):
            depths[row["location"]] -= 1
        pending = self._rows.find(query[0], {"at": 1, "unread": 1}, sort=[("at", 1)], limit=20)
        oldest = [int(row["at"]) async for row in pending if not row.get("unread")]
        return Depths(**depths, oldest_ms=oldest[0] if oldest else None)

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[RecordTimes]:
        span = {"$gte": since_ms, "$lt": until_ms}
        by_id: dict[str, RecordTimes] = {}
        for moment in ("submittedAt", "reviewedAt"):
            async for row in self._rows.find({"tenantId": tenant, moment: span}, TIMES):
                by_id[row["recordId"]] = RecordTimes(
                    submitted_at_ms=row["submittedAt"],
                    reviewed_at_ms=row.get("reviewedAt"),
                    decision=row.get("decision"),
                    by_agent=row["byAgent"],
                )
        return list(by_id.values())

    async def tenants(self) -> Mapping[str, Depths]:
        """Every tenant that has rows, skipping from one to the next in the index."""
        depths: dict[str, Depths] = {}
        last = ""
        while True:
            row = await self._rows.find_one(
                {"tenantId": {"$gt": last}}, {"tenantId": 1}, sort=[("tenantId", 1)]
            )
            if row is None:
                return depths
            last = row["tenantId"]
            depths[last] = await self.depths(last)

    async def refused(self, tenant: str, at_ms: int) -> None:
        await self._refusals.insert_one({"schema": SCHEMA, "tenantId": tenant, "at": _date(at_ms)})

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        span = {"$gte": _date(since_ms), "$lt": _date(until_ms)}
        return int(await self._refusals.count_documents({"tenantId": tenant, "at": span}))

    async def damaged(self, tenant: str | None = None) -> int:
        """The number of rows found to be unreadable that still are."""
        query: Row = {"unread": True} | ({} if tenant is None else {"tenantId": tenant})
        total = 0
        async for row in self._rows.find(query):
            if _readable(row) is None:
                total += 1
            else:
                await self._rows.update_one({"_id": row["_id"]}, {"$unset": {"unread": ""}})
        return total

    async def delete_tenant(self, tenant: str) -> int:
        await self._refusals.delete_many({"tenantId": tenant})
        return int((await self._rows.delete_many({"tenantId": tenant})).deleted_count)

    async def _row(self, tenant: str, record_id: str) -> Row | None:
        if not is_record_id(record_id):
            return None
        row: Row | None = await self._rows.find_one(_key(tenant, record_id))
        return row

    async def _record(self, row: Row) -> Record | None:
        """The row's record; None if unreadable, which is noted in the row.

        The row is kept, since a later version of the program may have written it.
        """
        record = _readable(row)
        if record is None and not row.get("unread"):
            await self._rows.update_one({"_id": row["_id"]}, {"$set": {"unread": True}})
        return record


def _row(record: Record) -> Row:
    facts = record_times(record)
    row: Row = {
        "schema": SCHEMA,
        "tenantId": record.tenant_id,
        "recordId": record.id,
        "userId": record.origin.user,
        "location": record.location,
        "at": facts.reviewed_at_ms if facts.reviewed_at_ms is not None else facts.submitted_at_ms,
        "submittedAt": facts.submitted_at_ms,
        "byAgent": facts.by_agent,
        "record": record_to_json(record),
    }
    if facts.decision is not None:
        row |= {"reviewedAt": facts.reviewed_at_ms, "decision": facts.decision}
    return row


def _readable(row: Row) -> Record | None:
    """The record, if it is valid and matches the row's search fields."""
    try:
        record = record_from_json(json.dumps(row.get("record")))
    except (ValueError, TypeError):
        return None
    return record if all(row.get(name) == value for name, value in _row(record).items()) else None


def _key(tenant: str, record_id: str) -> dict[str, str]:
    return {"tenantId": tenant, "recordId": record_id}


def _date(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
