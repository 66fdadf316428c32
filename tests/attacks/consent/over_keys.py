"""Attacks on keys, pairing and the policy: to obtain a key that may consent, or to make consent unnecessary."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.access import Pairing, Principal, Scope
from tests.attacks.consent.stage import (
    PERSON,
    PROGRAMS,
    TENANT,
    Attack,
    HeldKey,
    Stage,
    family,
)

ATTACKS: list[Attack] = []
pairing, keyed, ruled = (family(name, ATTACKS) for name in ("pairing", "key", "policy"))
CLAIM = "/api/pairing/claim"
TRUSTS = {"approvals": {"mode": "trust_goal", "neverFor": ["*"]}}


async def _paired(stage: Stage, by: HeldKey) -> HeldKey | None:
    """The secret of a browser paired with a code of this key; None if pairing failed."""
    now = datetime.now(UTC)
    code = {"server": stage.url, "made_by": by.key.key_id, "created_at": now, "expires_at": now}
    pairing = Pairing(tenant=by.key.tenant, user=by.key.user, **code)
    made = await stage.store.keys.pair(pairing)
    return HeldKey(*made) if made is not None else None


async def _opens(stage: Stage, secret: str) -> str:
    reply = await stage.send(secret, "GET", "/api/delegations")
    return "it opens" if reply.status_code == 200 else ""


def each_program() -> None:
    """The plainest attempts, with keys of every scope that must not allow them."""

    def add(scope: Scope) -> None:
        @pairing(f"a code made by a key with scope {scope}")
        async def code(stage: Stage) -> str:
            reply = await stage.send(stage.keys[scope].secret, "POST", "/api/pairing")
            return "it got a code" if reply.status_code == 200 else ""

        @keyed(f"a better key made by one with scope {scope}")
        async def make(stage: Stage) -> str:
            body = {"userId": PERSON, "role": "admin"}
            reply = await stage.send(stage.keys[scope].secret, "POST", "/api/keys", body)
            return "it got a key" if reply.status_code < 400 else ""

        @keyed(f"a key rotated by one with scope {scope}")
        async def rotate(stage: Stage) -> str:
            held = await stage.held("admin")
            path = f"/api/keys/{held.key.key_id}/rotate"
            reply = await stage.send(stage.keys[scope].secret, "POST", path)
            return "it got a key" if reply.status_code < 400 else ""

        @ruled(f"consent made needless by a key with scope {scope}")
        async def policy(stage: Stage) -> str:
            await stage.send(stage.keys[scope].secret, "PUT", "/api/policy", TRUSTS)
            mode = (await stage.store.policies.get(TENANT)).approvals.mode
            return "the policy was changed" if mode == "trust_goal" else ""

    for scope in PROGRAMS:
        if scope != "admin":
            add(scope)


each_program()


@ruled("the policy changed by the person's browser, of no admin")
async def browsers_policy(stage: Stage) -> str:
    reply = await stage.browser.put("/api/policy", json=TRUSTS)
    return "the policy was changed" if reply.status_code == 200 else ""


@ruled("a limit of money lifted by a program")
async def budgets(stage: Stage) -> str:
    body = {"task": {"limitUsd": 1_000}}
    reply = await stage.send(stage.keys["api"].secret, "PUT", "/api/budgets", body)
    return "the limit was lifted" if reply.status_code == 200 else ""


def each_body() -> None:
    """Ways to request a browser's key at the endpoint that creates keys, by someone who may create keys."""
    bodies: dict[str, dict[str, Any]] = {
        "as its scope": {"userId": PERSON, "scope": "browser"},
        "as its role": {"userId": PERSON, "role": "browser"},
        "as one of its scopes": {"userId": PERSON, "scopes": ["browser"]},
        "beside another scope": {"userId": PERSON, "scope": "api", "scopes": ["browser", "api"]},
    }

    def add(title: str, body: dict[str, Any]) -> None:
        @keyed(f"consent asked for {title}")
        async def ask(stage: Stage) -> str:
            reply = await stage.send(stage.keys["admin"].secret, "POST", "/api/keys", body)
            if reply.status_code >= 400:
                return ""
            scopes = reply.json()["key"]["scopes"]
            return "it got a browser's key" if "browser" in scopes else ""

    for title, body in bodies.items():
        add(title, body)


each_body()


@keyed("the browser's key rotated by an admin, who gets the new one")
async def rotate_browser(stage: Stage) -> str:
    held = await stage.held("browser")
    path = f"/api/keys/{held.key.key_id}/rotate"
    reply = await stage.send(stage.keys["admin"].secret, "POST", path)
    return "it got a browser's key" if reply.status_code < 400 else ""


@keyed("a key that is an admin's and a browser's, rotated")
async def rotate_both(stage: Stage) -> str:
    held = await stage.held("admin", "browser")
    path = f"/api/keys/{held.key.key_id}/rotate"
    reply = await stage.send(held.secret, "POST", path)
    return "the new one consents" if "browser" in reply.json()["key"]["scopes"] else ""


@keyed("the person's browser locked out by a program")
async def lock_out(stage: Stage) -> str:
    held = await stage.held("browser")
    await stage.send(stage.keys["api"].secret, "DELETE", f"/api/keys/{held.key.key_id}")
    return "" if await _opens(stage, held.secret) else "the browser was locked out"


@keyed("another key of the same person, made by an admin, allows a task")
async def same_user(stage: Stage) -> str:
    body = {"userId": PERSON, "role": "admin"}
    made = await stage.send(stage.keys["admin"].secret, "POST", "/api/keys", body)
    one = await stage.delegation()
    await stage.send(made.json()["secret"], "POST", f"/api/delegations/{one}/allow", {})
    return await stage.moved(one)


@pairing("a code claimed twice")
async def twice(stage: Stage) -> str:
    code = (await stage.browser.post("/api/pairing")).json()["code"]
    tries = (
        stage.browser.post(CLAIM, json={"code": code}) for _ in range(3)
    )  # below the rate limit
    won = [one for one in await asyncio.gather(*tries) if one.status_code == 200]
    return "it opened more than once" if len(won) > 1 else ""


@pairing("a claim that asks for more than the code is for")
async def claim_more(stage: Stage) -> str:
    code = (await stage.browser.post("/api/pairing")).json()["code"]
    more = {"scopes": ["admin"], "role": "admin", "userId": "root", "tenantId": "two"}
    paired = (await stage.browser.post(CLAIM, json={"code": code, **more})).json()
    who = await stage.store.keys.principal(paired["apiKey"])
    assert who is not None
    wider = (who.tenant, who.user, who.scopes) != (TENANT, PERSON, ("browser",))
    return "the key is wider than its code" if wider else ""


@pairing("a code made for somebody else")
async def for_another(stage: Stage) -> str:
    code = (await stage.browser.post("/api/pairing", json={"userId": "ben"})).json()["code"]
    paired = (await stage.browser.post(CLAIM, json={"code": code})).json()
    return "it opens as another" if paired["userId"] != PERSON else ""


@pairing("a code whose maker was revoked before it was claimed")
async def dead_maker(stage: Stage) -> str:
    maker = await stage.held("browser")
    async with stage.client(maker.secret) as client:
        code = (await client.post("/api/pairing")).json()["code"]
    await stage.store.keys.revoke(TENANT, maker.key.key_id)
    reply = await stage.browser.post(CLAIM, json={"code": code})
    return "it was paired" if reply.status_code == 200 else ""


@pairing("a browser whose maker's key was revoked")
async def revoked_maker(stage: Stage) -> str:
    maker = await stage.held("admin")
    child = await _paired(stage, maker)
    await stage.store.keys.revoke(TENANT, maker.key.key_id)
    assert child is not None
    return await _opens(stage, child.secret)


@pairing("a browser at the end of a chain whose first key was revoked")
async def revoked_chain(stage: Stage) -> str:
    first = last = await stage.held("browser")
    for _ in range(3):
        paired = await _paired(stage, last)
        assert paired is not None
        last = paired
    await stage.store.keys.revoke(TENANT, first.key.key_id)
    return await _opens(stage, last.secret)


@pairing("a browser that outlives the key that paired it")
async def outlives(stage: Stage) -> str:
    ends = datetime.now(UTC) + timedelta(days=1)
    who = Principal(tenant=TENANT, user=PERSON, scopes=("browser",))
    last: HeldKey | None = HeldKey(*await stage.store.keys.create(who, expires_at=ends))
    for _ in range(3):
        assert last is not None
        last = await _paired(stage, last)
    assert last is not None
    lives = last.key.expires_at is None or last.key.expires_at > ends
    return "it ends later" if lives else ""


@pairing("a browser that outlives the rotation of the key that paired it")
async def rotated(stage: Stage) -> str:
    maker = await stage.held("admin")
    child = await _paired(stage, maker)
    await stage.store.keys.rotate(TENANT, maker.key.key_id, grace_s=0)
    assert child is not None
    return await _opens(stage, child.secret)


@pairing("a browser that is paired while its maker is revoked")
async def race(stage: Stage) -> str:
    for _ in range(5 * stage.rounds):
        maker = await stage.held("admin")
        paired, _ = await asyncio.gather(
            _paired(stage, maker), stage.store.keys.revoke(TENANT, maker.key.key_id)
        )
        if paired is not None and await stage.store.keys.principal(paired.secret) is not None:
            return "it opens after the revocation"
    return ""
