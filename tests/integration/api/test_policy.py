"""The policy of a tenant: who may change it, and validation."""

from typing import Any

from tests.integration.agent.test_interact import INTERACT
from tests.integration.api.test_hitl import PATIENTS, PRESS

DEFAULT = {
    "actionDomains": [],
    "knowledgeDomains": [],
    "approvals": {"mode": "risky", "neverFor": []},
    "reviewedSets": [],
}


async def test_admin_sets_the_policy_of_the_tenant(admin, client, other):
    assert (await client.get("/api/policy")).json() == DEFAULT
    wanted = {
        "actionDomains": ["CRM.example", "crm.example", "*.Clinic.example", "[::1]:8000"],
        "knowledgeDomains": ["bücher.example."],
        "approvals": {"mode": "always", "neverFor": ["localhost:8000", "*"]},
        "reviewedSets": ["Legal, EU", " Legal,  EU ", "hr"],
    }
    put = await admin.put("/api/policy", json=wanted)
    assert put.status_code == 200, put.text
    kept = {
        "actionDomains": ["crm.example", "*.clinic.example", "[::1]:8000"],
        "knowledgeDomains": ["xn--bcher-kva.example"],
        "approvals": {"mode": "always", "neverFor": ["localhost:8000", "*"]},
        "reviewedSets": ["Legal, EU", "hr"],
    }
    assert put.json() == (await client.get("/api/policy")).json() == kept
    assert (await other.get("/api/policy")).json() == DEFAULT
    assert (await admin.put("/api/policy", json={})).json() == DEFAULT


async def test_policy_of_an_older_version_has_no_reviewed_sets(admin, client, opened):
    await admin.put("/api/policy", json={"reviewedSets": ["hr"]})
    await opened.database["policies"].update_one(
        {"tenantId": "one"}, {"$unset": {"reviewedSets": 1}}
    )
    assert (await client.get("/api/policy")).json() == DEFAULT


async def test_policy_applies_from_the_next_request(admin, client):
    body = {"approvals": {"neverFor": ["crm.example"]}}
    assert (await client.post(INTERACT, json=PATIENTS.body(query=PRESS))).json()[
        "type"
    ] == "interrupt"
    await admin.put("/api/policy", json=body)
    acted = (await client.post(INTERACT, json=PATIENTS.body(query=PRESS))).json()
    assert (acted["type"], acted["action"]) == ("action", 'click("2")')


async def test_members_may_read_but_not_change_it(client):
    reply = await client.put("/api/policy", json={"approvals": {"mode": "always"}})
    assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN")
    assert (await client.get("/api/policy")).json() == DEFAULT


NO_POLICIES: list[dict[str, Any]] = [
    {"actionDomains": ["https://crm.example"]},
    {"actionDomains": ["crm.example/path"]},
    {"actionDomains": ["crm.example:0"]},
    {"actionDomains": ["crm.example:99999"]},
    {"actionDomains": ["*crm.example"]},
    {"actionDomains": ["crm.*"]},
    {"actionDomains": [""]},
    {"actionDomains": ["a" * 70 + ".example"]},
    {"actionDomains": "crm.example"},
    {"actionDomains": ["a.example"] * 201},
    {"knowledgeDomains": [7]},
    {"approvals": {"mode": "never"}},
    {"approvals": {"neverFor": ["*.*"]}},
    {"approvals": "always"},
    {"reviewedSets": ["  "]},
    {"reviewedSets": ["x" * 65]},
    {"reviewedSets": ["hr"] * 201},
    {"neverAsk": True},
    {"approvals": {"neverfor": ["*"]}},
]


async def test_rejects_invalid_policies(admin):
    for wanted in NO_POLICIES:
        reply = await admin.put("/api/policy", json=wanted)
        assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST"), wanted
    assert (await admin.get("/api/policy")).json() == DEFAULT


async def test_rejects_invalid_json_and_large_bodies(admin):
    assert (await admin.put("/api/policy", content=b"{")).status_code == 422
    assert (await admin.put("/api/policy", content=b" " * 3_000_000)).status_code == 413
