"""Repository of delegated tasks and of consents to delegate."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from app.domain.task import OPEN, Client, Consent, Delegation, DelegationStatus
from app.errors import NotFound
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    ValueRepository,
    from_row,
    given_fields,
    keep_fields,
    set_if,
    storable,
    to_row,
    upsert,
)


class Delegations(ValueRepository[Delegation]):
    """Tasks that other assistants requested, and consents. Rows are kept for 7 days."""

    collection, kind, key = "delegations", Delegation, "delegationId"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._consents: Collection = database["consents"]

    async def add(self, delegation: Delegation) -> None:
        await self._rows.insert_one(to_row(delegation))

    async def of_task(self, tenant: str, task_id: str) -> Delegation | None:
        return await self._one({"tenantId": tenant, "taskId": task_id})

    async def list_open(self, tenant: str, user: str, *, limit: int) -> Sequence[Delegation]:
        """The user's `OPEN` ones, oldest first."""
        query: Row = {"tenantId": tenant, "userId": user, "status": {"$in": list(OPEN)}}
        return await self._all(query, sort=[("createdAt", 1)], limit=limit)

    async def move(
        self,
        tenant: str,
        delegation_id: str,
        frm: Sequence[DelegationStatus],
        to: DelegationStatus,
        *,
        now: datetime,
        taker: str | None = None,
        note: str | None = None,
        goal: str | None = None,
    ) -> Delegation | None:
        """Change the status if it is one of `frm`, in one atomic write; returns the row, or None if it had
        another status. Expired delegations cannot be allowed or taken. `goal` replaces the goal text.
        """
        fields = {"status": to, "updatedAt": now} | given_fields(taker=taker, note=note, goal=goal)
        condition: Row = {"$in": ["$status", list(frm)]}
        if to in ("allowed", "taken"):
            condition = {"$and": [condition, {"$gt": ["$expiresAt", now]}]}
        return await self._change_if(tenant, delegation_id, condition, fields)

    async def link(
        self, tenant: str, delegation_id: str, task_id: str, *, now: datetime, goal: str
    ) -> bool:
        """Record the task that carries it out, and the new goal text; False if another task does, or if it
        is not taken.
        """
        is_own = {"$eq": [{"$ifNull": ["$taskId", {"$literal": task_id}]}, {"$literal": task_id}]}
        condition = {"$and": [is_own, {"$eq": ["$status", "taken"]}]}
        fields: Row = {"taskId": task_id, "goal": goal, "updatedAt": now}
        return await self._change_if(tenant, delegation_id, condition, fields) is not None

    async def _change_if(
        self, tenant: str, delegation_id: str, condition: Row, fields: Row
    ) -> Delegation | None:
        """Set the fields if the condition is true, and return the row if it was."""
        moved = {"$cond": [condition, {"$literal": True}, {"$literal": False}]}
        change: list[dict[str, Any]] = [
            {"$set": {"moved": moved}},
            {"$set": storable(set_if({"$eq": ["$moved", True]}, fields))},
        ]
        row = await self._rows.find_one_and_update(
            self._key(tenant, delegation_id), change, return_document=True
        )
        return from_row(Delegation, row) if row and row.get("moved") else None

    async def consent(self, consent: Consent) -> Consent:
        """Store by (tenant, user, client's key and name); returns the stored consent."""
        consent_id = _consent_id(consent.tenant, consent.user, consent.client)
        row = to_row(consent.model_copy(update={"consent_id": consent_id}))
        key = {"tenantId": row.pop("tenantId"), "consentId": row.pop("consentId")}
        return from_row(Consent, await upsert(self._consents, key, keep_fields(row)))

    async def has_consent(self, tenant: str, user: str, client: Client) -> bool:
        query = {"tenantId": tenant, "consentId": _consent_id(tenant, user, client)}
        return await self._consents.find_one(query, {"_id": 1}) is not None

    async def consents(self, tenant: str, user: str) -> Sequence[Consent]:
        """The user's consents, newest first."""
        query = {"tenantId": tenant, "userId": user}
        rows = self._consents.find(query, sort=[("createdAt", -1)])
        return [from_row(Consent, row) async for row in rows]

    async def withdraw(self, tenant: str, user: str, consent_id: str) -> None:
        row = await self._consents.find_one({"tenantId": tenant, "consentId": consent_id})
        if row is None or row.get("userId") != user:
            raise NotFound("There is no such consent")
        await self._consents.delete_one({"tenantId": tenant, "consentId": consent_id})


def _consent_id(tenant: str, user: str, client: Client) -> str:
    """An id derived from the client's key and the name it gives itself."""
    return str(uuid5(NAMESPACE_URL, "\n".join((tenant, user, client.key_id, client.name))))
