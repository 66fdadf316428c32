"""What every store must do for keys that end, and for a tenant that ends."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.access import Principal
from app.errors import KeyEnded, NotFound
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store
from app.store.tasks.leases import PAUSER
from tests.contract.store.test_store import NOW, task

ME = Principal(tenant="a", user="u", scopes=("operator",))
SOON = timedelta(seconds=0.4)


async def opens(store: Store, secret: str) -> bool:
    return await store.keys.principal(secret) is not None


async def until_closed(store: Store, secret: str) -> None:
    while await opens(store, secret):
        await asyncio.sleep(0.01)


class TestExpiry:
    async def test_a_key_ends_by_the_servers_clock(self, store: Store) -> None:
        ends = datetime.now(UTC) + SOON
        key, secret = await store.keys.create(ME, name="ci", expires_at=ends)
        assert await opens(store, secret)
        await until_closed(store, secret)
        over = datetime.now(UTC) - ends
        assert over >= timedelta(milliseconds=-1)
        assert not await store.keys.is_valid("a", key.key_id)
        assert (await store.keys.get("a", key.key_id)).name == "ci"

    async def test_one_that_another_process_revoked_is_closed_at_once(
        self, store: Store, settings: Settings
    ) -> None:
        key, secret = await store.keys.create(ME)
        assert await opens(store, secret)
        async with open_store(settings) as elsewhere:
            await elsewhere.keys.revoke("a", key.key_id)
            assert not await opens(store, secret)


class TestRotation:
    async def test_both_open_until_the_grace_is_over(self, store: Store) -> None:
        old, before = await store.keys.create(ME, name="ci")
        new, after = await store.keys.rotate("a", old.key_id, grace_s=SOON.total_seconds())
        assert (new.user, new.scopes, new.name, new.expires_at) == ("u", ("operator",), "ci", None)
        assert await opens(store, before)
        assert await opens(store, after)
        assert (await store.keys.get("a", old.key_id)).rotated_to == new.key_id
        await until_closed(store, before)
        assert await opens(store, after)

    async def test_a_key_with_an_end_is_followed_by_one_that_lives_as_long(
        self, store: Store
    ) -> None:
        ends = datetime.now(UTC) + timedelta(days=30)
        old, _ = await store.keys.create(ME, expires_at=ends)
        new, _ = await store.keys.rotate("a", old.key_id, grace_s=3600)
        assert new.expires_at is not None
        assert abs(new.expires_at - new.created_at - timedelta(days=30)) < timedelta(seconds=1)

    async def test_grace_prolongs_nothing(self, store: Store) -> None:
        ends = datetime.now(UTC) + SOON
        old, _ = await store.keys.create(ME, expires_at=ends)
        await store.keys.rotate("a", old.key_id, grace_s=3600)
        kept = (await store.keys.get("a", old.key_id)).expires_at
        assert kept is not None
        assert kept <= ends

    async def test_of_many_at_once_one_takes_its_place(self, store: Store) -> None:
        old, _ = await store.keys.create(ME)
        tried = (store.keys.rotate("a", old.key_id, grace_s=60) for _ in range(5))
        made = await asyncio.gather(*tried, return_exceptions=True)
        (won,) = [one for one in made if not isinstance(one, BaseException)]
        assert all(isinstance(one, KeyEnded) for one in made if one is not won)
        now = datetime.now(UTC)
        open_now = [key.key_id for key in await store.keys.all("a") if key.is_valid_at(now)]
        assert sorted(open_now) == sorted([old.key_id, won[0].key_id])

    async def test_what_ended_or_is_anothers_is_not_rotated(self, store: Store) -> None:
        old, _ = await store.keys.create(ME)
        with pytest.raises(NotFound):
            await store.keys.rotate("b", old.key_id, grace_s=1)
        await store.keys.revoke("a", old.key_id)
        with pytest.raises(KeyEnded):
            await store.keys.rotate("a", old.key_id, grace_s=1)


class TestScopes:
    @pytest.mark.parametrize(
        ("role", "scope"),
        [("user", "api"), ("member", "api"), ("operator", "operator"), ("admin", "admin")],
    )
    async def test_a_row_from_before_there_were_any_has_those_of_its_role(
        self, store: Store, database, role: str, scope: str
    ) -> None:
        key, secret = await store.keys.create(Principal(tenant="a", user="u", scopes=("browser",)))
        old = {"$set": {"role": role}, "$unset": {"scopes": "", "ancestors": ""}}
        database["api_keys"].update_one({"keyId": key.key_id}, old)
        who = await store.keys.principal(secret)
        assert who is not None
        assert who.scopes == (scope,)

    async def test_an_older_version_finds_its_role(self, store: Store, database) -> None:
        key, _ = await store.keys.create(ME)
        await store.keys.ensure(Principal(tenant="a", user="b", scopes=("admin", "browser")), "s")
        assert database["api_keys"].find_one({"keyId": key.key_id})["role"] == "operator"
        assert database["api_keys"].find_one({"userId": "b"})["role"] == "admin"


class TestTenants:
    async def test_nothing_is_left_of_one_and_all_of_the_others(
        self, store: Store, database
    ) -> None:
        for tenant in ("a", "b"):
            who = ME.model_copy(update={"tenant": tenant})
            await store.keys.create(who)
            await store.pairings.create(who, "https://x.example")
            await store.tasks.save(task(f"t-{tenant}", tenant=tenant))
            rows = [{"thread_id": f"t-{tenant}", "checkpoint_id": str(n)} for n in range(3)]
            database["checkpoints"].insert_many(rows)
        await store.tenants.close("a")
        assert await store.keys.all("a") == []
        gone = await store.tenants.delete("a")
        assert (gone["tasks"], gone["checkpoints"]) == (1, 3)
        left = {
            name: [str(row) for row in database[name].find()]
            for name in database.list_collection_names()
        }
        everything = str(left)
        assert "'a'" not in everything
        assert "t-a" not in everything
        assert everything.count("'t-b'") == 4
        assert len(await store.keys.all("b")) == 1

    async def test_a_run_makes_it_busy_and_a_pause_does_not(self, store: Store) -> None:
        assert not await store.tenants.is_busy("a")
        lease = await store.leases.acquire("a", "t", claim="c", ttl_s=6, user="u")
        assert lease is not None
        await store.leases.take_over("b", "t", by=PAUSER, ttl_s=7 * 24 * 3600)
        assert await store.tenants.is_busy("a")
        assert not await store.tenants.is_busy("b")
        await store.leases.release(lease)
        assert not await store.tenants.is_busy("a")


class TestWhoseATaskIs:
    async def test_the_first_who_says_so(self, store: Store) -> None:
        assert await store.leases.find_user("a", "t") is None
        await store.leases.acquire("a", "t", claim="c", ttl_s=0, user="ann")
        await store.leases.acquire("a", "t", claim="d", ttl_s=6, user="bob")
        assert await store.leases.find_user("a", "t") == "ann"
        assert await store.leases.find_user("b", "t") is None


class TestRunning:
    async def test_what_executes_and_was_touched_lately(self, store: Store) -> None:
        await store.tasks.save(task("now", status="executing", updated_at=NOW))
        await store.tasks.save(task("asks", status="awaiting_user", updated_at=NOW))
        long_ago = NOW - timedelta(hours=1)
        await store.tasks.save(task("left", status="executing", updated_at=long_ago))
        await store.tasks.save(task("b's", tenant="b", status="executing", updated_at=NOW))
        since = NOW - timedelta(minutes=5)
        assert await store.tasks.list_executing("a", since=since, limit=9) == {"now"}
