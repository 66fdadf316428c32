"""Repositories of API keys and policies, and the watch that stops work when a key is closed.

A key's secret is 32 random bytes, so a single SHA-256 suffices; slow hashes are for secrets that people
choose. Secrets are looked up by hash, so no secrets are compared in measurable time: the time of an index
miss depends on the hash of the sent secret, which nobody can steer towards a stored one.
"""

import asyncio
import hashlib
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from collections.abc import Collection as Some
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from app.domain.access import ROLES, ApiKey, Pairing, Policy, Principal
from app.errors import KeyEnded, TabwrightError, Unauthenticated
from app.store.mongo.rows import (
    Repository,
    Row,
    ValueRepository,
    from_row,
    set_if,
    to_row,
    translate_errors,
)

if TYPE_CHECKING:
    from app.store.batch import StoreBatch

KEY_PREFIX = "tw_"
PAIRED = "paired browser"
SECRET_BYTES = 32
USED_EVERY = timedelta(minutes=1)
log = structlog.get_logger(__name__)

POLL_S = 0.25
CLOSED = "This API key was revoked or expired during the request"
Closed = Callable[[], None]


class Keys(ValueRepository[ApiKey]):
    """API keys, hashed."""

    collection, kind, key, noun = "api_keys", ApiKey, "keyId", "key"

    async def create(
        self, principal: Principal, *, name: str = "", expires_at: datetime | None = None
    ) -> tuple[ApiKey, str]:
        """Create a key; returns it with its secret, which is not stored and cannot be shown again."""
        return await self._insert(_new_key(principal, name, expires_at))

    async def pair(self, pairing: Pairing) -> tuple[ApiKey, str] | None:
        """Create a browser's key for a claimed code.

        It ends with the key that made the code and with that key's ancestors; None if that key has ended
        already.
        """
        maker = await self._maker_of(pairing)
        if pairing.made_by and maker is None:
            return None
        browser = Principal(tenant=pairing.tenant, user=pairing.user, scopes=("browser",))
        key = _new_key(browser, PAIRED, maker.expires_at if maker else None)
        if maker is not None:
            key = key.model_copy(update={"ancestors": (*maker.ancestors, maker.key_id)})
        created = await self._insert(key)
        # A revocation or rotation ends the browsers that it finds; checking again here covers one
        # created after that.
        current_maker = await self._maker_of(pairing)
        if maker is not None and (
            current_maker is None or current_maker.expires_at != maker.expires_at
        ):
            await self.revoke(key.tenant, key.key_id)
            return None
        return created

    async def _maker_of(self, pairing: Pairing) -> ApiKey | None:
        """The key that made the code, if still valid."""
        key = await self.find(pairing.tenant, pairing.made_by) if pairing.made_by else None
        return key if key is not None and key.is_valid_at(datetime.now(UTC)) else None

    async def _insert(self, key: ApiKey) -> tuple[ApiKey, str]:
        secret = KEY_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        # Older versions read the role.
        row = {**to_row(key), "role": key.principal.role, "hash": _hash(secret)}
        await self._rows.insert_one(row)
        return key, secret

    async def ensure(self, principal: Principal, secret: str) -> None:
        """Ensure that this secret is valid for this principal, even if it was revoked."""
        inserted = to_row(_new_key(principal, "bootstrap", None))
        holder = {name: inserted.pop(name) for name in ("tenantId", "userId", "scopes")}
        holder["role"] = principal.role
        endings = dict.fromkeys(("revokedAt", "expiresAt", "rotatedTo"), "")
        change = {"$set": holder, "$setOnInsert": inserted, "$unset": endings}
        await self._rows.update_one({"hash": _hash(secret)}, change, upsert=True)

    async def principal(self, secret: str) -> Principal | None:
        """The holder of the secret; None if it is wrong, revoked or expired.

        This is the one query without a tenant, since it determines the tenant. Nothing is cached, so
        revocations by other processes take effect at once.
        """
        key = await self._one({"hash": _hash(secret)})
        now = datetime.now(UTC)
        if key is None or not key.is_valid_at(now):
            return None
        if key.last_used_at is None or key.last_used_at < now - USED_EVERY:
            own_key = self._key(key.tenant, key.key_id)
            await self._rows.update_one(own_key, {"$set": {"lastUsedAt": now}})
        return key.principal

    async def all(self, tenant: str) -> list[ApiKey]:
        """The tenant's keys, newest first."""
        return await self._all({"tenantId": tenant}, sort=[("createdAt", -1), ("_id", -1)])

    async def is_valid(self, tenant: str, key_id: str) -> bool:
        key = await self.find(tenant, key_id)
        return key is not None and key.is_valid_at(datetime.now(UTC))

    async def find_closed(self, key_ids: Some[str]) -> set[str]:
        """Those of these keys, of any tenant, that are no longer valid; for a process that serves many."""
        rows = self._rows.find({"keyId": {"$in": sorted(key_ids)}})
        now = datetime.now(UTC)
        keys = [self._value(row) async for row in rows]
        return set(key_ids) - {key.key_id for key in keys if key.is_valid_at(now)}

    async def revoke(self, tenant: str, key_id: str) -> None:
        """End a key and those paired from it, or raise `NotFound`. Repeating it changes nothing."""
        revocation = {"$min": {"revokedAt": datetime.now(UTC)}}
        result = await self._rows.update_one(self._key(tenant, key_id), revocation)
        await self._end_paired(tenant, key_id, revocation)
        self._require(result.matched_count, key_id)

    async def rotate(self, tenant: str, key_id: str, *, grace_s: float) -> tuple[ApiKey, str]:
        """Replace a key, which stays valid for up to `grace_s` more.

        The new key has the lifetime that the old one was created with. Raises `NotFound`, or `KeyEnded` if
        the key is invalid, rotated already, or a browser's: browsers are paired again. Only a person has a
        browser's key, so the new key omits that scope.
        """
        old = await self.get(tenant, key_id)
        now = datetime.now(UTC)
        if not old.is_valid_at(now) or old.rotated_to is not None:
            raise KeyEnded("Only a valid key that was not rotated yet can be rotated")
        holder = old.principal.without_consent()
        if not holder.scopes:
            raise KeyEnded("A browser's key cannot be rotated. Pair the browser again")
        lifetime = old.expires_at - old.created_at if old.expires_at else None
        new, secret = await self.create(
            holder, name=old.name, expires_at=now + lifetime if lifetime is not None else None
        )
        ends = now + timedelta(seconds=grace_s)
        if not await self._record_rotation(old, new.key_id, ends):
            await self.revoke(tenant, new.key_id)  # a concurrent rotation came first
            raise KeyEnded("This key was rotated or revoked just now")
        return new, secret

    @translate_errors
    async def _record_rotation(self, old: ApiKey, by: str, ends: datetime) -> bool:
        """Record the replacement, unless one is recorded already."""
        free = {"$and": [{"$not": ["$rotatedTo"]}, {"$not": ["$revokedAt"]}]}
        until = min(ends, old.expires_at) if old.expires_at else ends
        change = set_if(free, {"rotatedTo": by, "expiresAt": until})
        key = await self._change_one(old.tenant, old.key_id, change)
        if key is None or key.rotated_to != by:
            return False
        await self._end_paired(old.tenant, old.key_id, {"$min": {"expiresAt": until}})
        return True

    async def _end_paired(self, tenant: str, key_id: str, end: Row) -> None:
        """End all keys paired from this one, repeatedly, to include new ones."""
        paired: Row = {"tenantId": tenant, "ancestors": key_id}
        while (await self._rows.update_many(paired, end)).modified_count:
            pass

    async def tenants(self) -> list[str]:
        """Every tenant that has or had a key, for the operator of the installation."""
        has_tenant: Row = {"tenantId": {"$gt": ""}}
        groups = self._rows.aggregate([{"$match": has_tenant}, {"$group": {"_id": "$tenantId"}}])
        return sorted([row["_id"] async for row in groups])

    def _value(self, row: Row) -> ApiKey:
        """The key of a row. Rows from before keys had scopes have a role, such as `member`, now a user."""
        key = from_row(ApiKey, row)
        if "scopes" in row:
            return key
        return key.model_copy(update={"scopes": (ROLES.get(row.get("role", "user"), "api"),)})


def _new_key(principal: Principal, name: str, expires_at: datetime | None) -> ApiKey:
    return ApiKey(
        key_id=f"key_{secrets.token_hex(8)}",
        tenant=principal.tenant,
        user=principal.user,
        scopes=principal.scopes,
        name=name,
        created_at=_to_milliseconds(datetime.now(UTC)),
        expires_at=_to_milliseconds(expires_at) if expires_at else None,
    )


def _to_milliseconds(moment: datetime) -> datetime:
    """Truncate to milliseconds, as BSON does."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Policies(Repository):
    """What each tenant permits the agent to do without asking."""

    collection = "policies"

    async def get(self, tenant: str) -> Policy:
        row: Row | None = await self._rows.find_one({"tenantId": tenant})
        return from_row(Policy, row) if row is not None else Policy(tenant=tenant)

    async def put(self, policy: Policy) -> None:
        await self._rows.replace_one({"tenantId": policy.tenant}, to_row(policy), upsert=True)


class KeyWatch:
    """The keys in use by this process.

    Each request checks its key, so a closed key cannot start anything. Work in progress, such as a stream
    or a run, is stopped from here: one query per poll for all keys in use, whichever process closed one.
    """

    def __init__(self, together: "StoreBatch") -> None:
        self._together = together
        self._uses: defaultdict[str, dict[object, Closed]] = defaultdict(dict)

    @contextmanager
    def on_close(self, who: Principal, closed: Closed) -> Iterator[None]:
        """Within the context, `closed` is called at least once after the key was closed."""
        if not who.key_id:  # the server's own work
            yield
            return
        use = object()
        self._uses[who.key_id][use] = closed
        try:
            yield
        finally:
            del self._uses[who.key_id][use]
            if not self._uses[who.key_id]:
                del self._uses[who.key_id]

    @asynccontextmanager
    async def open(self, who: Principal) -> AsyncIterator[None]:
        """Within the context, the body is cancelled and `Unauthenticated` raised once the key is closed."""
        loop = asyncio.get_running_loop()
        limit = asyncio.timeout(None)
        try:
            async with limit:
                with self.on_close(who, lambda: limit.reschedule(loop.time())):
                    yield
        except TimeoutError:
            if not limit.expired():
                raise
            raise Unauthenticated(CLOSED) from None

    @asynccontextmanager
    async def poll(self) -> AsyncIterator[None]:
        polling = asyncio.create_task(self._poll())
        try:
            yield
        finally:
            polling.cancel()
            with suppress(asyncio.CancelledError):
                await polling

    async def _poll(self) -> None:
        """Check only keys that have been in use for longer than one poll; most requests are shorter."""
        previous: set[str] = set()
        while True:
            await asyncio.sleep(POLL_S)
            due, previous = previous & self._uses.keys(), set(self._uses)
            try:
                if due:
                    await self._end_closed(due)
            except TabwrightError as error:
                log.warning("keys not checked", error=error.detail)

    async def _end_closed(self, key_ids: set[str]) -> None:
        for key_id in await self._together(lambda store: store.keys.find_closed(key_ids)):
            for closed in tuple(self._uses.get(key_id, {}).values()):
                closed()
