"""Tenant and user isolation, for every operation of the OpenAPI document."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import httpx
import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from pymongo.database import Database

from app.domain.access import INCLUDES, Principal, Scope
from app.main import create_app
from app.store.repositories import Store
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import begin, to_the_end
from tests.integration.api.operations import Operation, Sent, operations
from tests.integration.api.owned_resources import SEEN, furnished

Whose = Literal["user", "tenant", "nobody"]


@dataclass(frozen=True)
class Rule:
    """The scopes of which a key needs one, none for any key; and whose the things are that it names."""

    scopes: tuple[Scope, ...]
    whose: Whose

    def admits(self, scope: Scope) -> bool:
        return not self.scopes or any(needed in INCLUDES[scope] for needed in self.scopes)


OWN, SHARED, FREE = Rule(("api",), "user"), Rule(("api",), "tenant"), Rule(("api",), "nobody")
PERSONS = Rule(("browser",), "user")
RULES = {
    "POST /api/agent/interact": OWN,
    "GET /api/session/{session_id}/task/active": OWN,
    "GET /api/sessions": OWN,
    "GET /api/session/{session_id}/messages": OWN,
    "GET /api/tasks": OWN,
    "GET /api/task/{task_id}": OWN,
    "GET /api/task/{task_id}/events": OWN,
    "GET /api/task/{task_id}/audit": OWN,
    "POST /api/task/{task_id}/cancel": OWN,
    "POST /api/task/{task_id}/pause": OWN,
    "POST /api/task/{task_id}/resume": PERSONS,
    "GET /api/hitl": OWN,
    "GET /api/hitl/{hitl_id}": OWN,
    "POST /api/hitl/{hitl_id}/answer": OWN,
    "POST /api/recipes": OWN,
    "GET /api/recipes": SHARED,
    "GET /api/recipes/{recipe_id}": SHARED,
    "DELETE /api/recipes/{recipe_id}": OWN,
    "POST /api/knowledge/ingest": FREE,
    "POST /api/knowledge/index-link": FREE,
    "GET /api/knowledge/jobs": OWN,
    "GET /api/knowledge/jobs/{job_id}": OWN,
    "GET /api/knowledge/jobs/{job_id}/events": OWN,
    "POST /api/knowledge/jobs/{job_id}/cancel": OWN,
    "GET /api/knowledge/documents": SHARED,
    "GET /api/knowledge/documents/{document_id}": SHARED,
    "DELETE /api/knowledge/documents/{document_id}": OWN,
    "GET /api/knowledge/resolve": SHARED,
    "POST /api/chat": OWN,
    "POST /api/chat/resume": OWN,
    "GET /api/chat/history/{thread_id}": OWN,
    "GET /api/chat/conversations": OWN,
    "PATCH /api/chat/conversations/{thread_id}": OWN,
    "DELETE /api/chat/conversations/{thread_id}": OWN,
    "POST /api/chat/conversations/{thread_id}/stop": OWN,
    "GET /api/chat/conversations/{thread_id}/export": OWN,
    "PUT /api/chat/conversations/{thread_id}/messages/{message_id}/rating": OWN,
    "GET /api/chat/mentions": SHARED,
    "GET /api/review": OWN,
    "GET /api/review/stats": Rule(("operator",), "tenant"),
    "GET /api/review/{record_id}": OWN,
    "POST /api/review/{record_id}/decision": Rule(("operator",), "tenant"),
    "POST /api/review": OWN,
    "GET /api/skills": SHARED,
    "DELETE /api/skills/{skill_id}": Rule(("operator",), "tenant"),
    "GET /api/policy": SHARED,
    "PUT /api/policy": Rule(("admin",), "tenant"),
    "GET /api/budgets": SHARED,
    "PUT /api/budgets": Rule(("admin",), "tenant"),
    "GET /api/usage/summary": OWN,
    "GET /api/usage/logs": OWN,
    "GET /api/usage/statement": OWN,
    "GET /api/metrics/kpis": SHARED,
    "GET /api/metrics/kpis/series": SHARED,
    "GET /api/metrics/ratings": Rule(("operator",), "tenant"),
    "GET /metrics": Rule(("operator",), "nobody"),
    "GET /api/keys": OWN,
    "POST /api/keys": Rule(("admin",), "nobody"),
    "POST /api/keys/{key_id}/rotate": Rule(("admin",), "tenant"),
    "DELETE /api/keys/{key_id}": OWN,
    "GET /api/delegations": PERSONS,
    "GET /api/delegations/events": PERSONS,
    "GET /api/delegations/clients": PERSONS,
    "DELETE /api/delegations/clients/{consent_id}": PERSONS,
    "POST /api/delegations/{delegation_id}/allow": PERSONS,
    "POST /api/delegations/{delegation_id}/refuse": PERSONS,
    "POST /api/delegations/{delegation_id}/take": PERSONS,
    "POST /api/delegations/{delegation_id}/failed": PERSONS,
    "GET /api/me": Rule((), "nobody"),
    "POST /api/pairing": Rule(("browser", "admin"), "nobody"),
}
LONG = 6  # characters
WITHOUT_KEY = {"GET /healthz", "GET /readyz", "POST /api/pairing/claim", "GET /api/pairing/proofs"}
NOT_OF_THE_API = ("/console", "/docs", "/openapi.json")  # the same bytes for everybody


@dataclass(frozen=True)
class Kept:
    """What ann of tenant one has: ids by the names that ask for them, and words that only she knows."""

    known: dict[str, str]
    secret: frozenset[str]

    def leaks(self, sent: Sent, reply: httpx.Response) -> set[str]:
        """What the reply tells that the request did not say itself; short names are in many words."""
        said = json.dumps([sent.path, sent.query, sent.body])
        told = reply.text + str(reply.headers)
        words = {one for one in (*self.known.values(), *self.secret) if len(one) > LONG}
        return {one for one in words if one in told and one not in said}


@pytest.fixture
async def kept(client: httpx.AsyncClient, store: Store) -> Kept:
    known, secret = await furnished(client, store)
    return Kept(known, frozenset(secret))


@asynccontextmanager
async def caller(
    base_url: str, store: Store, tenant: str, scope: Scope
) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who is not ann."""
    _, secret = await store.keys.create(Principal(tenant=tenant, user="bob", scopes=(scope,)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


async def described(client: httpx.AsyncClient) -> list[Operation]:
    return operations((await client.get("/openapi.json")).json())


async def send(client: httpx.AsyncClient, one: Operation, sent: Sent) -> httpx.Response:
    """The reply; of a stream that goes on, only that it began."""
    request = client.build_request(one.verb, sent.path, params=sent.query, json=sent.body)
    reply = await client.send(request, stream=True)
    endless = reply.headers.get("content-type", "").startswith("text/event-stream")
    if not endless or reply.status_code >= 400:
        await reply.aread()
    else:
        reply._content = b""
    await reply.aclose()
    return reply


def rows(database: Database[dict[str, Any]], tenant: str) -> dict[str, list[str]]:
    """All that is stored of a tenant, but for when its keys were last used."""
    return {
        name: sorted(
            str({key: value for key, value in row.items() if key != "lastUsedAt"})
            for row in database[name].find({"tenantId": tenant})
        )
        for name in sorted(database.list_collection_names())
        if name != "api_keys"
    }


def test_every_route_is_in_the_document(server_settings):
    app = create_app(server_settings)
    named = set(app.openapi()["paths"])
    routes = [one for one in iter_route_contexts(app.routes) if isinstance(one.route, APIRoute)]
    assert len(routes) >= len(named)
    hidden = {str(one.path) for one in routes} - named
    assert {one for one in hidden if not one.startswith(NOT_OF_THE_API)} == set()


async def test_every_operation_has_a_rule_and_needs_a_key(client):
    found = await described(client)
    assert {one.name for one in found if one.keyed} == set(RULES)
    assert {one.name for one in found if not one.keyed} == WITHOUT_KEY
    stated = {one.name: one.scopes for one in found if one.keyed}
    assert stated == {name: rule.scopes for name, rule in RULES.items()}


async def test_other_tenants_have_no_access(client, base_url, store, kept, database):
    before = rows(database, "one")
    found = await described(client)
    for scope in INCLUDES:
        async with caller(base_url, store, f"other-{scope}", scope) as stranger:
            for one in found:
                for sent in one.requests(kept.known) if one.keyed else ():
                    reply = await send(stranger, one, sent)
                    shown = (scope, one.name, sent, reply.text)
                    assert not kept.leaks(sent, reply), shown
                    assert reply.status_code < 500, shown
                    may = RULES[one.name].admits(scope)
                    if not may:
                        assert reply.status_code == 403, shown
                    elif "{" in one.path:
                        assert reply.status_code in (404, 422), shown
        assert rows(database, "one") == before, scope


async def test_other_users_have_no_access(client, base_url, store, kept, database):
    before = rows(database, "one")
    async with caller(base_url, store, "one", "browser") as colleague:
        for one in await described(client):
            if not one.keyed or RULES[one.name].whose != "user":
                continue
            for sent in one.requests(kept.known):
                reply = await send(colleague, one, sent)
                assert not kept.leaks(sent, reply), (one.name, sent, reply.text)
                if "{" in one.path:
                    assert reply.status_code in (403, 404, 422), (one.name, sent, reply.text)
    after = rows(database, "one")
    assert {name: after.get(name) for name in SEEN} == {name: before.get(name) for name in SEEN}


async def test_no_access_without_a_key(base_url, client, kept):
    async with httpx.AsyncClient(base_url=base_url, timeout=20) as nobody:
        for key in (None, "Bearer tw_wrong"):
            nobody.headers.update({"Authorization": key} if key else {})
            for one in await described(client):
                for sent in one.requests(kept.known)[:1] if one.keyed else ():
                    reply = await send(nobody, one, sent)
                    refused = (401, 429) if key else (401,)
                    assert reply.status_code in refused, (one.name, reply.text)
                    assert not kept.leaks(sent, reply), one.name


async def test_each_scope_has_the_access_of_its_rule(client, base_url, store):
    unknown = dict.fromkeys(("keyid", "taskid"), "nothing-of-this-name")
    found = [one for one in await described(client) if one.keyed]
    for scope in INCLUDES:
        async with caller(base_url, store, f"tenant-{scope}", scope) as member:
            for one in found:
                reply = await send(member, one, one.requests(unknown)[0])
                may = RULES[one.name].admits(scope)
                assert (reply.status_code == 403) is not may, (one.name, scope, reply.text)


async def test_numbers_exclude_other_tenants(client, other):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    assert (await client.get("/api/metrics/kpis")).json()["tasks"]["count"] == 1
    strange = (await other.get("/api/metrics/kpis")).json()
    assert (strange["tasks"]["count"], strange["predictions"]["count"]) == (0, 0)
