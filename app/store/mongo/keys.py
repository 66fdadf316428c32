"""Repository of API keys.

A key's secret is 32 random bytes, so one SHA-256 keeps it: slow hashes are for what people choose.
Secrets are found by their hash, so no comparison of secrets takes place whose time could tell.
"""

import hashlib
import secrets
import time
from datetime import UTC, datetime, timedelta

from app.domain.task import ApiKey, Principal
from app.errors import NotFound
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row, from_row, to_row

PREFIX = "tw_"
SECRET_BYTES = 32
CACHE_S = 30.0  # how long a key revoked by another process may go on opening here
CACHE_SIZE = 1024
USED_EVERY = timedelta(minutes=1)


class MongoKeys:
    """`Keys` in the collection `api_keys`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["api_keys"]
        self._known: dict[str, tuple[float, Principal]] = {}
        self._changes = 0

    @translated
    async def create(self, principal: Principal) -> tuple[ApiKey, str]:
        """A new key and its secret, which is shown this once and stored nowhere."""
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        key = _new_key(principal)
        await self._rows.insert_one({**to_row(key), "hash": _hash(secret)})
        return key, secret

    @translated
    async def ensure(self, principal: Principal, secret: str) -> None:
        """Make sure that this secret opens for this principal, revoked or not until now."""
        new = to_row(_new_key(principal))
        holder = {name: new.pop(name) for name in ("tenantId", "userId", "role")}
        change = {"$set": holder, "$setOnInsert": new, "$unset": {"revokedAt": ""}}
        await self._rows.update_one({"hash": _hash(secret)}, change, upsert=True)
        self._forget()

    async def principal(self, secret: str) -> Principal | None:
        """Who holds the secret; None for a wrong or revoked one."""
        hashed = _hash(secret)
        until, known = self._known.get(hashed, (0.0, None))
        if known is not None and time.monotonic() < until:
            return known
        changes = self._changes
        found = await self._look_up(hashed)
        if found is not None and changes == self._changes:  # not revoked while we looked
            self._remember(hashed, found)
        return found

    @translated
    async def all(self, tenant: str) -> list[ApiKey]:
        """The tenant's keys, newest first."""
        found = self._rows.find({"tenantId": tenant}, sort=[("createdAt", -1), ("_id", -1)])
        return [from_row(ApiKey, row) async for row in found]

    @translated
    async def revoke(self, tenant: str, key_id: str) -> None:
        """End a key, or `NotFound`. Ending it again changes nothing."""
        wanted: Row = {"tenantId": tenant, "keyId": key_id}
        ended = {"$min": {"revokedAt": datetime.now(UTC)}}
        result = await self._rows.update_one(wanted, ended)
        self._forget()
        if result.matched_count == 0:
            raise NotFound(f"There is no key {key_id!r}")

    @translated
    async def _look_up(self, hashed: str) -> Principal | None:
        """The one query without a tenant: the tenant is what it finds out."""
        row = await self._rows.find_one({"hash": hashed})
        if row is None or (key := from_row(ApiKey, row)).revoked_at is not None:
            return None
        now = datetime.now(UTC)
        if key.last_used_at is None or key.last_used_at < now - USED_EVERY:
            mine = {"tenantId": key.tenant, "keyId": key.key_id}
            await self._rows.update_one(mine, {"$set": {"lastUsedAt": now}})
        return Principal(tenant=key.tenant, user=key.user, role=key.role, key_id=key.key_id)

    def _remember(self, hashed: str, principal: Principal) -> None:
        self._known.pop(hashed, None)
        if len(self._known) >= CACHE_SIZE:
            del self._known[next(iter(self._known))]
        self._known[hashed] = (time.monotonic() + CACHE_S, principal)

    def _forget(self) -> None:
        self._changes += 1
        self._known.clear()


def _new_key(principal: Principal) -> ApiKey:
    now = datetime.now(UTC)
    return ApiKey(
        key_id=f"key_{secrets.token_hex(8)}",
        tenant=principal.tenant,
        user=principal.user,
        role=principal.role,
        created_at=now.replace(microsecond=now.microsecond // 1000 * 1000),  # as BSON keeps it
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
