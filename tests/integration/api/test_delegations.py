"""Delegated tasks over HTTP: visibility, consent, and the task that runs one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from app.domain.access import Principal
from app.domain.task import Delegation
from app.hitl import events as hitl_events
from app.store.repositories import Store
from tests.contract.store.test_delegations import DESK, consent_of
from tests.contract.store.test_delegations import delegation as delegation_at
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT, begin, to_the_end
from tests.integration.api.test_task_events import Heard


def delegation(delegation_id: str = "delegated-1", **more: Any) -> Delegation:
    """One that is asked for now, however long after these tests were collected."""
    now = datetime.now(UTC).replace(microsecond=0)
    times = {"created_at": now, "updated_at": now, "expires_at": now + timedelta(minutes=10)}
    return delegation_at(delegation_id, **(times | more))


@pytest.fixture
async def asked(store: Store) -> Delegation:
    made = delegation()
    await store.delegations.add(made)
    return made


async def say(client: httpx.AsyncClient, what: str, asked: str = "delegated-1", **body: Any) -> Any:
    """The view, or the code of the refusal."""
    reply = await client.post(f"/api/delegations/{asked}/{what}", json=body)
    told = reply.json()
    return told if reply.status_code == 200 else (reply.status_code, told["code"])


async def open_of(client: httpx.AsyncClient) -> list[tuple[str, str]]:
    listed = (await client.get("/api/delegations")).json()["delegations"]
    return [(one["delegationId"], one["status"]) for one in listed]


@asynccontextmanager
async def colleague(
    base_url: str, store: Store, tenant: str = "one", user: str = "carl"
) -> AsyncIterator[httpx.AsyncClient]:
    """The browser of someone else."""
    _, secret = await store.keys.create(Principal(tenant=tenant, user=user, scopes=("browser",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


async def test_delegation_is_shown_allowed_taken_and_run(client, asked):
    (shown,) = (await client.get("/api/delegations")).json()["delegations"]
    assert shown["client"] == {"name": "Desk helper", "version": "2", "keyId": "k1"}
    assert (shown["goal"], shown["status"], shown["taskId"]) == (GOAL, "waiting", None)
    assert await say(client, "take", taker="b1") == (409, "DELEGATION_TAKEN")
    assert (await say(client, "allow"))["status"] == "allowed"
    assert (await say(client, "take", taker="b1"))["status"] == "taken"
    assert (await say(client, "take", taker="b1"))["status"] == "taken"
    assert await say(client, "take", taker="b2") == (409, "DELEGATION_TAKEN")
    page = ClinicPage()
    first = await begin(client, page, delegationId=asked.delegation_id)
    assert (await say(client, "take", taker="b1"))["taskId"] == first["taskId"]
    await to_the_end(client, page, first)
    assert page.saved == ["Jas"]
    assert await open_of(client) == []
    assert await say(client, "take", taker="b1") == (409, "DELEGATION_TAKEN")


async def test_starts_one_task_and_only_once_taken(client, base_url, store, asked):
    async def status(who: httpx.AsyncClient, **more: Any) -> int:
        body = ClinicPage().observation() | {"query": GOAL, "delegationId": "delegated-1"} | more
        return (await who.post(INTERACT, json=body)).status_code

    assert await status(client) == 409
    assert await status(client, delegationId="delegated-2") == 404
    await say(client, "allow")
    await say(client, "take", taker="b1")
    async with colleague(base_url, store) as carl:
        assert await status(carl) == 404
    assert await status(client, taskId="some-task-id") == 422
    both = await asyncio.gather(*(status(client) for _ in range(4)))
    assert sorted(both) == [200, 409, 409, 409]


async def test_repeated_first_request_is_the_same_task(client, asked):
    await say(client, "allow")
    await say(client, "take", taker="b1")
    body = ClinicPage().observation() | {"query": GOAL, "delegationId": "delegated-1"}
    first = (await client.post(INTERACT, json=body)).json()
    again = (await client.post(INTERACT, json=body)).json()
    assert first["type"] == "action"
    assert again == first


async def test_two_panels_may_allow_at_once(client, asked):
    allowed = await asyncio.gather(*(say(client, "allow", remember=n == 3) for n in range(4)))
    assert [one["status"] for one in allowed] == ["allowed"] * 4
    assert len((await client.get("/api/delegations/clients")).json()["clients"]) == 1


async def test_refusal_is_final_and_failure_has_a_reason(client, store):
    await store.delegations.add(delegation())
    assert (await say(client, "refuse"))["status"] == "refused"
    assert await say(client, "allow") == (409, "DELEGATION_TAKEN")
    await store.delegations.add(delegation("delegated-2"))
    await say(client, "allow", "delegated-2")
    await say(client, "take", "delegated-2", taker="b1")
    ended = await say(client, "failed", "delegated-2", reason="The site is not open")
    assert (ended["status"], ended["note"]) == ("ended", "The site is not open")
    assert await open_of(client) == []


async def test_expires_if_nobody_allows_or_takes_it(client, store):
    over = datetime.now(UTC) - timedelta(seconds=1)
    await store.delegations.add(delegation(expires_at=over))
    await store.delegations.add(delegation("delegated-2", status="allowed", expires_at=over))
    long_ago = over - timedelta(minutes=10)
    left = {"status": "taken", "expires_at": over, "updated_at": long_ago}
    await store.delegations.add(delegation("delegated-3", **left))
    assert await say(client, "allow") == (409, "DELEGATION_TAKEN")
    assert await say(client, "take", "delegated-2", taker="b1") == (409, "DELEGATION_TAKEN")
    assert await open_of(client) == []
    found = [await store.delegations.find("one", f"delegated-{n}") for n in (1, 2, 3)]
    assert [one.status for one in found if one] == ["expired", "expired", "ended"]


async def test_remembered_consent_is_listed_and_can_be_withdrawn(client, store, asked, other):
    await say(client, "allow", remember=True)
    (kept,) = (await client.get("/api/delegations/clients")).json()["clients"]
    assert (kept["name"], kept["keyId"]) == ("Desk helper", "k1")
    assert await store.delegations.has_consent("one", "ann", DESK)
    path = f"/api/delegations/clients/{kept['consentId']}"
    assert (await other.delete(path)).status_code == 403
    assert (await client.delete(path)).status_code == 204
    assert (await client.delete(path)).status_code == 404
    assert not await store.delegations.has_consent("one", "ann", DESK)


async def test_does_not_start_for_a_revoked_client(client, store, asked):
    kept = await store.delegations.consent(consent_of(asked))
    stranger = asked.client.model_copy(update={"name": "Another"})
    for n, more in enumerate(
        ({"status": "allowed"}, {"status": "allowed", "client": stranger}, {"status": "taken"}), 2
    ):
        await store.delegations.add(delegation(f"delegated-{n}", **more))
    gone = await client.delete(f"/api/delegations/clients/{kept.consent_id}")
    assert gone.status_code == 204
    assert await say(client, "take", "delegated-2", taker="b1") == (409, "DELEGATION_TAKEN")
    left = {"delegated-1": "waiting", "delegated-3": "allowed", "delegated-4": "taken"}
    assert dict(await open_of(client)) == left


async def test_secret_in_the_goal_is_deleted_after_use(client, store):
    goal = "Sign in: the password is 'hunter2x', then " + GOAL
    for n, status in enumerate(("waiting", "taken", "waiting"), 1):
        over = {"expires_at": datetime.now(UTC)} if n == 3 else {}
        await store.delegations.add(delegation(f"delegated-{n}", goal=goal, status=status, **over))
    await say(client, "refuse")
    page = ClinicPage()
    body = page.observation() | {"query": goal, "delegationId": "delegated-2"}
    assert (await client.post(INTERACT, json=body)).status_code == 200
    listed = (await client.get("/api/delegations")).text
    assert "delegated-2" in listed
    assert "hunter2x" not in listed
    for n in (1, 2, 3):
        found = await store.delegations.find("one", f"delegated-{n}")
        assert found is not None
        assert "hunter2x" not in found.goal
        assert found.goal.endswith(GOAL)


async def test_other_users_cannot_see_or_change_it(base_url, store, operator, other, asked):
    kept = await store.delegations.consent(consent_of(asked))
    for program in (operator, other):  # an operator's consent is not ann's
        for what, body in (("allow", {}), ("refuse", {}), ("take", {"taker": "b"})):
            assert await say(program, what, **body) == (403, "CONSENT_NEEDS_BROWSER")
    async with colleague(base_url, store) as carl, colleague(base_url, store, "two", "ann") as ann:
        for stranger in (carl, ann):
            assert await open_of(stranger) == []
            assert (await stranger.get("/api/delegations/clients")).json() == {"clients": []}
            for what, body in (("allow", {}), ("refuse", {}), ("take", {"taker": "b"})):
                assert await say(stranger, what, **body) == (404, "NOT_FOUND")
            assert await say(stranger, "failed", reason="x") == (404, "NOT_FOUND")
            gone = await stranger.delete(f"/api/delegations/clients/{kept.consent_id}")
            assert gone.status_code == 404
    stands = await store.delegations.find("one", "delegated-1")
    assert stands is not None
    assert stands.status == "waiting"


async def test_stream_sends_each_change_at_once(client, asked, monkeypatch):
    monkeypatch.setattr(hitl_events, "LOOK_S", 3_600.0)
    async with client.stream("GET", "/api/delegations/events") as stream:
        heard = Heard(stream)
        told = await heard.next()
        assert told["type"] == "delegations"
        assert [one["status"] for one in told["delegations"]] == ["waiting"]
        await say(client, "allow")
        assert [one["status"] for one in (await heard.next())["delegations"]] == ["allowed"]
        await say(client, "refuse")
        assert (await heard.next())["delegations"] == []


async def test_stream_sends_changes_of_other_processes(client, store, monkeypatch):
    monkeypatch.setattr(hitl_events, "LOOK_S", 0.02)
    async with client.stream("GET", "/api/delegations/events") as stream:
        heard = Heard(stream)
        assert (await heard.next())["delegations"] == []
        await store.delegations.add(delegation())
        (told,) = (await heard.next())["delegations"]
        assert told["delegationId"] == "delegated-1"


async def test_rejects_invalid_bodies(client, asked):
    bodies = (
        ("take", b"{}"),
        ("take", b'{"taker": ""}'),
        ("take", b'{"taker": "a\\u0000b"}'),
        ("failed", b'{"reason": 5}'),
        ("allow", b'{"remember": "perhaps"}'),
        ("allow", b"not json"),
    )
    for what, body in bodies:
        reply = await client.post(f"/api/delegations/delegated-1/{what}", content=body)
        assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST"), body
    assert (await client.post(f"/api/delegations/{'x' * 10_000}/refuse")).status_code == 404
