"""Repository of API keys.

A key's secret is 32 random bytes, so one SHA-256 keeps it: slow hashes are for what people choose.
Secrets are found by their hash, so no comparison of secrets takes place whose time could tell: how long
an index takes to miss tells of the hash of what was sent, which nobody can steer towards a stored one.
"""

import hashlib
import secrets
import time
from datetime import UTC, datetime, timedelta

from app.domain.task import ApiKey, Principal
from app.errors import KeyEnded, NotFound
from app.store.mongo.conditional import chosen
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row, from_row, to_row

PREFIX = "tw_"
SECRET_BYTES = 32
CACHE_S = 3.0  # how long a key revoked by another process may go on opening here
CACHE_SIZE = 1024
USED_EVERY = timedelta(minutes=1)


class MongoKeys:
    """`Keys` in the collection `api_keys`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["api_keys"]
        self._known: dict[str, tuple[float, Principal]] = {}
        self._changes = 0

    @translated
    async def create(
        self, principal: Principal, *, name: str = "", expires_at: datetime | None = None
    ) -> tuple[ApiKey, str]:
        """A new key and its secret, which is shown this once and stored nowhere."""
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        key = _new_key(principal, name, expires_at)
        await self._rows.insert_one({**to_row(key), "hash": _hash(secret)})
        return key, secret

    @translated
    async def ensure(self, principal: Principal, secret: str) -> None:
        """Make sure that this secret opens for this principal, revoked or not until now."""
        new = to_row(_new_key(principal, "bootstrap", None))
        holder = {name: new.pop(name) for name in ("tenantId", "userId", "role")}
        ends = dict.fromkeys(("revokedAt", "expiresAt", "rotatedTo"), "")
        change = {"$set": holder, "$setOnInsert": new, "$unset": ends}
        await self._rows.update_one({"hash": _hash(secret)}, change, upsert=True)
        self._forget()

    async def principal(self, secret: str) -> Principal | None:
        """Who holds the secret; None for a wrong, revoked or expired one."""
        hashed = _hash(secret)
        until, known = self._known.get(hashed, (0.0, None))
        if known is not None and time.monotonic() < until:
            return known
        changes = self._changes
        found = await self._look_up(hashed)
        if found is None:
            self._known.pop(hashed, None)
            return None
        key, left = found
        who = Principal(tenant=key.tenant, user=key.user, role=key.role, key_id=key.key_id)
        if changes == self._changes:  # not revoked while we looked
            self._remember(hashed, who, min(CACHE_S, left))
        return who

    @translated
    async def get(self, tenant: str, key_id: str) -> ApiKey:
        """One key, or `NotFound`."""
        row = await self._rows.find_one({"tenantId": tenant, "keyId": key_id})
        if row is None:
            raise NotFound(f"There is no key {key_id!r}")
        return from_row(ApiKey, row)

    @translated
    async def all(self, tenant: str) -> list[ApiKey]:
        """The tenant's keys, newest first."""
        found = self._rows.find({"tenantId": tenant}, sort=[("createdAt", -1), ("_id", -1)])
        return [from_row(ApiKey, row) async for row in found]

    @translated
    async def opens(self, tenant: str, key_id: str) -> bool:
        """Whether this key opens, as its row says now."""
        row = await self._rows.find_one({"tenantId": tenant, "keyId": key_id})
        return row is not None and from_row(ApiKey, row).open_at(datetime.now(UTC))

    @translated
    async def revoke(self, tenant: str, key_id: str) -> None:
        """End a key, or `NotFound`. Ending it again changes nothing."""
        wanted: Row = {"tenantId": tenant, "keyId": key_id}
        ended = {"$min": {"revokedAt": datetime.now(UTC)}}
        result = await self._rows.update_one(wanted, ended)
        self._forget()
        if result.matched_count == 0:
            raise NotFound(f"There is no key {key_id!r}")

    async def rotate(self, tenant: str, key_id: str, *, grace_s: float) -> tuple[ApiKey, str]:
        """A new key in the place of one, which opens for `grace_s` more at most. The new one lives as
        long as the old one was made to. Raises `NotFound`, or `KeyEnded` for one that opens no more or
        was rotated already.
        """
        old = await self.get(tenant, key_id)
        now = datetime.now(UTC)
        if not old.open_at(now) or old.rotated_to is not None:
            raise KeyEnded("Only a key that opens, and was not rotated yet, can be rotated")
        lives = old.expires_at - old.created_at if old.expires_at else None
        holder = Principal(tenant=tenant, user=old.user, role=old.role)
        new, secret = await self.create(
            holder, name=old.name, expires_at=now + lives if lives is not None else None
        )
        ends = now + timedelta(seconds=grace_s)
        if not await self._replaced(old, new.key_id, ends):
            await self.revoke(tenant, new.key_id)  # another rotation came first
            raise KeyEnded("This key was rotated or revoked just now")
        return new, secret

    @translated
    async def _replaced(self, old: ApiKey, by: str, ends: datetime) -> bool:
        """Write down what took the key's place, where nothing has yet."""
        free = {"$and": [{"$not": ["$rotatedTo"]}, {"$not": ["$revokedAt"]}]}
        until = min(ends, old.expires_at) if old.expires_at else ends
        change = chosen(free, {"rotatedTo": by, "expiresAt": until})
        mine: Row = {"tenantId": old.tenant, "keyId": old.key_id}
        await self._rows.update_one(mine, [{"$set": change}])
        self._forget()
        row = await self._rows.find_one(mine)
        return bool(row is not None and row.get("rotatedTo") == by)

    @translated
    async def _look_up(self, hashed: str) -> tuple[ApiKey, float] | None:
        """The key if it opens, and for how many seconds more. The one query without a tenant: the
        tenant is what it finds out.
        """
        row = await self._rows.find_one({"hash": hashed})
        now = datetime.now(UTC)
        if row is None or not (key := from_row(ApiKey, row)).open_at(now):
            return None
        if key.last_used_at is None or key.last_used_at < now - USED_EVERY:
            mine = {"tenantId": key.tenant, "keyId": key.key_id}
            await self._rows.update_one(mine, {"$set": {"lastUsedAt": now}})
        left = (key.expires_at - now).total_seconds() if key.expires_at else CACHE_S
        return key, left

    @translated
    async def tenants(self) -> list[str]:
        """Every tenant that has or had a key; of no use to a tenant, see the port."""
        named: Row = {"tenantId": {"$gt": ""}}
        found = self._rows.aggregate([{"$match": named}, {"$group": {"_id": "$tenantId"}}])
        return sorted([row["_id"] async for row in found])

    def _remember(self, hashed: str, principal: Principal, for_s: float) -> None:
        self._known.pop(hashed, None)
        if len(self._known) >= CACHE_SIZE:
            del self._known[next(iter(self._known))]
        self._known[hashed] = (time.monotonic() + for_s, principal)

    def _forget(self) -> None:
        self._changes += 1
        self._known.clear()


def _new_key(principal: Principal, name: str, expires_at: datetime | None) -> ApiKey:
    return ApiKey(
        key_id=f"key_{secrets.token_hex(8)}",
        tenant=principal.tenant,
        user=principal.user,
        role=principal.role,
        name=name,
        created_at=_as_kept(datetime.now(UTC)),
        expires_at=_as_kept(expires_at) if expires_at else None,
    )


def _as_kept(moment: datetime) -> datetime:
    """To the millisecond, as BSON keeps it."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
