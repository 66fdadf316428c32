"""Keys over HTTP: creation, listing, rotation, revocation, and who may do it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from app.domain.access import ROLES, Principal, Role
from app.runs import lease
from app.store.repositories import Store
from tests.fakes.clinic import ClinicPage
from tests.fakes.steps import never
from tests.integration.agent.test_interact import begin
from tests.integration.conftest import running
from tests.integration.desk import FORM, GOAL, INTERACT, TYPED, TYPES, opening

KEYS = "/api/keys"


@asynccontextmanager
async def holding(base_url: str, secret: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def admin(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    _, secret = await store.keys.create(Principal(tenant="one", user="ada", scopes=("admin",)))
    async with holding(base_url, secret) as made:
        yield made


async def test_lifecycle_of_a_key(admin: httpx.AsyncClient, base_url: str) -> None:
    body = {"userId": "eve", "role": "operator", "name": "CI", "expiresInDays": 30}
    made = await admin.post(KEYS, json=body)
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    key, secret = made.json()["key"], made.json()["secret"]
    assert (key["userId"], key["role"], key["name"]) == ("eve", "operator", "CI")
    left = datetime.fromisoformat(key["expiresAt"]) - datetime.now(UTC)
    assert timedelta(days=29.9) < left < timedelta(days=30.1)
    listed = await admin.get(KEYS)
    assert secret not in listed.text
    assert listed.json()["keys"][0]["keyId"] == key["keyId"]
    async with holding(base_url, secret) as eve:
        me = (await eve.get("/api/me")).json()
        assert (me["tenantId"], me["userId"], me["role"], me["keyId"]) == (
            "one",
            "eve",
            "operator",
            key["keyId"],
        )
        assert me["server"] == {"version": "0.1.0", "model": "rules alone, no model"}
        turned = await admin.post(f"{KEYS}/{key['keyId']}/rotate", json={"graceSeconds": 0})
        assert turned.status_code == 201
        assert (await eve.get("/api/me")).status_code == 401
    again = await admin.post(f"{KEYS}/{key['keyId']}/rotate")
    assert (again.status_code, again.json()["code"]) == (409, "KEY_ENDED")
    async with holding(base_url, turned.json()["secret"]) as eve:
        new = turned.json()["key"]["keyId"]
        assert (await eve.get("/api/me")).json()["keyId"] == new
        assert (await eve.delete(f"{KEYS}/{new}")).status_code == 204  # her own
        assert (await eve.get("/api/me")).status_code == 401


@pytest.mark.parametrize("role", ["user", "operator"])
async def test_users_manage_only_their_own_keys(
    role: Role, admin: httpx.AsyncClient, base_url: str, store: Store
) -> None:
    mine, secret = await store.keys.create(
        Principal(tenant="one", user="bob", scopes=(ROLES[role],))
    )
    theirs = (await admin.get("/api/me")).json()["keyId"]
    async with holding(base_url, secret) as bob:
        listed = (await bob.get(KEYS)).json()["keys"]
        assert [one["keyId"] for one in listed] == [mine.key_id]
        for asked in ("user", role, "admin"):
            made = await bob.post(KEYS, json={"userId": "bob", "role": asked})
            assert (made.status_code, made.json()["code"]) == (403, "FORBIDDEN")
        assert (await bob.post(f"{KEYS}/{mine.key_id}/rotate")).status_code == 403
        assert (await bob.delete(f"{KEYS}/{theirs}")).status_code == 404
        assert (await bob.post("/api/pairing")).status_code == 403
    assert (await admin.get("/api/me")).status_code == 200


async def test_last_admin_key_cannot_be_revoked(admin: httpx.AsyncClient, store: Store) -> None:
    own = (await admin.get("/api/me")).json()["keyId"]
    lost = await admin.delete(f"{KEYS}/{own}")
    assert (lost.status_code, lost.json()["code"]) == (409, "LAST_ADMIN")
    await store.keys.create(Principal(tenant="two", user="z", scopes=("admin",)))
    assert (await admin.delete(f"{KEYS}/{own}")).status_code == 409
    await store.keys.create(Principal(tenant="one", user="z", scopes=("admin",)))
    assert (await admin.delete(f"{KEYS}/{own}")).status_code == 204


async def test_concurrent_revocations_leave_one_admin_key(
    admin: httpx.AsyncClient, base_url: str, store: Store
) -> None:
    own = (await admin.get("/api/me")).json()["keyId"]
    key, secret = await store.keys.create(Principal(tenant="one", user="zoe", scopes=("admin",)))
    async with holding(base_url, secret) as zoe:
        replies = await asyncio.gather(
            admin.delete(f"{KEYS}/{key.key_id}"), zoe.delete(f"{KEYS}/{own}")
        )
    assert 204 in [one.status_code for one in replies] or {409} == {
        one.status_code for one in replies
    }
    now = datetime.now(UTC)
    assert [
        one
        for one in await store.keys.all("one")
        if one.principal.has_scope("admin") and one.is_valid_at(now)
    ]


NO_KEYS: list[dict[str, Any]] = [
    {},
    {"userId": ""},
    {"userId": "a\nb"},
    {"userId": "x" * 129},
    {"userId": "u", "role": "root"},
    {"userId": "u", "role": "member"},
    {"userId": "u", "expiresInDays": 0},
    {"userId": "u", "expiresInDays": 10**30},
    {"userId": "u", "expiresAt": "2020-01-01T00:00:00Z"},
    {"userId": "u", "expiresAt": "9999-12-31T23:59:59Z"},
    {"userId": "u", "expiresAt": "2031-01-01T00:00:00"},
    {"userId": "u", "expiresInDays": 1, "expiresAt": "2031-01-01T00:00:00Z"},
    {"userId": "u", "name": "a\u0000"},
    {"userId": "nna\u202e"},
    {"userId": "ann\u200b"},
    {"userId": "u", "name": "a\u2028b"},
]


async def test_rejects_invalid_keys(admin: httpx.AsyncClient) -> None:
    for body in NO_KEYS:
        reply = await admin.post(KEYS, json=body)
        assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST"), body
    assert len((await admin.get(KEYS)).json()["keys"]) == 1


async def test_limits_wrong_keys_but_not_valid_ones(
    client: httpx.AsyncClient, base_url: str
) -> None:
    async with holding(base_url, "tw_wrong") as stranger:
        replies = [await stranger.get("/api/me") for _ in range(32)]
        assert [reply.status_code for reply in replies] == [401] * 30 + [429] * 2
        assert 0 < int(replies[-1].headers["retry-after"]) <= 60
        assert (await client.get("/api/me")).status_code == 200
        odd = await stranger.get("/api/me", headers={"Authorization": b"Bearer \xff\xfe"})
        assert odd.status_code == 429


async def test_session_of_another_user_is_not_extended(
    client: httpx.AsyncClient, base_url: str, store: Store
) -> None:
    page = ClinicPage()
    theirs = await begin(client, page)
    _, secret = await store.keys.create(Principal(tenant="one", user="bob"))
    async with holding(base_url, secret) as bob:
        body = page.observation() | {"query": "click Patients", "sessionId": theirs["sessionId"]}
        reply = await bob.post(INTERACT, json=body)
        assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")
        own = (await bob.post(INTERACT, json=body | {"sessionId": None})).json()
        step = page.observation() | {"taskId": own["taskId"], "sessionId": theirs["sessionId"]}
        assert (await bob.post(INTERACT, json=step)).status_code == 404
        repeated = page.observation() | {"query": "click Patients", "requestId": "the-same-id"}
        assert (await client.post(INTERACT, json=repeated)).status_code == 200
        copied = await bob.post(INTERACT, json=repeated)
        assert (copied.status_code, copied.json()["code"]) == (409, "REQUEST_ID_REUSED")


class TestDuringATask:
    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lease, "RENEW_S", 0.05)

    async def test_revoked_key_ends_its_run_and_streams_only(
        self, gemini_settings: Any, gemini: Any, store: Store
    ) -> None:
        ann = Principal(tenant="one", user="ann")
        key, secret = await store.keys.create(ann)
        _, newer = await store.keys.create(ann)
        async with (
            running(gemini_settings) as url,
            holding(url, secret) as client,
            holding(url, newer) as later,
        ):
            gemini.script(never())
            told: list[str] = []
            began = asyncio.Event()

            async def follow(method: str, path: str, **more: Any) -> None:
                sse = {"Accept": "text/event-stream"}
                async with client.stream(method, path, headers=sse, **more) as stream:
                    async for line in stream.aiter_lines():
                        told.append(line)
                        began.set()

            run = asyncio.create_task(follow("POST", INTERACT, json=FORM.body(query=GOAL)))
            await began.wait()
            await gemini.called(1)
            task_id = next(iter(await store.leases.list_runs("one", within_s=60, limit=1)))
            waiting = asyncio.create_task(follow("GET", f"/api/task/{task_id}/events"))
            while not any("standing" in line for line in told):
                await asyncio.sleep(0.01)
            await store.keys.revoke("one", key.key_id)
            async with asyncio.timeout(60):
                await asyncio.gather(run, waiting)
            ends = [line for line in told if '"problem"' in line]
            assert len(ends) == 1
            assert "UNAUTHENTICATED" in ends[0]
            assert not any('"action"' in line for line in told)
            assert (await client.get("/api/me")).status_code == 401

            gemini.script(opening(TYPES))
            went_on = await later.post(INTERACT, json=FORM.body(taskId=task_id))
            assert [one["action"] for one in went_on.json()["actions"]] == TYPED

    async def test_deleted_tenant_leaves_no_rows(
        self, gemini_settings: Any, gemini: Any, store: Store, database: Any, monkeypatch: Any
    ) -> None:
        from app.cli import key as key_commands  # noqa: PLC0415 - settings of this test

        monkeypatch.setattr(key_commands, "CLOSED_S", 0.2)
        monkeypatch.setattr(key_commands, "Settings", lambda: gemini_settings)
        _, secret = await store.keys.create(Principal(tenant="acme-gone", user="ann"))
        async with running(gemini_settings) as url, holding(url, secret) as client:
            gemini.script(opening(TYPES, ends=False))
            first = (await client.post(INTERACT, json=FORM.body(query=GOAL))).json()
            step = FORM.with_value(3, "555 1234").body(
                taskId=first["taskId"], lastActionId=first["actions"][-1]["actionId"]
            )
            gemini.script(never())
            cut = asyncio.create_task(client.post(INTERACT, json=step))
            await gemini.called(2)
            gone = await key_commands._delete("acme-gone")
            assert gone["tasks"] == 1
            assert gone["checkpoints"] >= 1
            assert (await cut).status_code == 401
            again = await client.post(INTERACT, json=step)
            assert again.status_code == 401
        left = {
            name: [str(row) for row in database[name].find()]
            for name in database.list_collection_names()
            if not name.startswith("limit_")
        }
        assert "acme-gone" not in str(left)
        assert first["taskId"] not in str(left)
