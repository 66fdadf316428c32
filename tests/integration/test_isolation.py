"""Every endpoint that the documentation names keeps one tenant's things from another."""

import re

import pytest

from tests.fakes.clinic import ClinicPage
from tests.integration.learning_page import OfficePage
from tests.integration.test_hitl_inbox import PATIENTS, PRESS, ask
from tests.integration.test_interact import INTERACT, begin, to_the_end
from tests.integration.test_recipes import saved
from tests.integration.test_skills import run, skills

OPEN = {"/healthz", "/readyz", "/api/pairing/claim"}  # no key: a claim is let in by its code
NONE_OF_A_TENANT = {("post", "/api/pairing")}
ADMINS = {("put", "/api/policy")}
KEPT = ("recipes", "skills", "hitl", "policy")


@pytest.fixture
async def theirs(client):
    """What tenant one has, by the name of the parameter that asks for it."""
    recipe = await saved(client)
    _, way = await run(client, OfficePage(slow=True))
    session = way[0]["sessionId"]
    (skill,) = await skills(client)
    asked = await ask(client, PATIENTS, PRESS)
    return {
        "task_id": recipe["taskId"],
        "session_id": session,
        "recipe_id": recipe["id"],
        "skill_id": skill["id"],
        "hitl_id": asked["hitlId"],
    }


async def operations(client):
    document = (await client.get("/openapi.json")).json()
    return [(verb, path) for path, verbs in document["paths"].items() for verb in verbs]


def bodies(path, theirs):
    """What a stranger sends to get at it."""
    look = ClinicPage().observation()
    if path == "/api/recipes":
        return [{"taskId": theirs["task_id"]}]
    if path.endswith("/answer"):
        return [{"type": "accept"}, {}]
    ways = (
        {"taskId": theirs["task_id"]},
        {"taskId": theirs["task_id"], "handBack": {"actions": []}},
        {"continueFrom": theirs["task_id"]},
        {"recipe": {"recipeId": theirs["recipe_id"], "values": {"name": "x"}}},
    )
    return [look | way for way in ways] if path == INTERACT else [{}]


async def test_another_tenant_reaches_nothing_by_any_of_them(client, other, theirs):
    before = {name: (await client.get(f"/api/{name}")).json() for name in KEPT}
    for verb, path in await operations(client):
        if path in OPEN or (verb, path) in NONE_OF_A_TENANT:
            continue
        address = re.sub(r"\{(\w+)\}", lambda found: theirs[found[1]], path)  # a new name: add it
        for body in bodies(path, theirs) if verb in ("post", "put", "patch") else [None]:
            reply = await other.request(verb.upper(), address, json=body)
            assert not any(one in reply.text.split("detail")[0] for one in theirs.values()), path
            if (verb, path) in ADMINS:
                assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN"), path
            elif "{" in path or verb != "get":
                assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND"), path
            else:
                assert reply.status_code == 200, path
    after = {name: (await client.get(f"/api/{name}")).json() for name in KEPT}
    assert before == after


async def test_what_a_tenant_did_is_in_no_others_numbers(client, other):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    assert (await client.get("/api/metrics/kpis")).json()["tasks"]["count"] == 1
    strange = (await other.get("/api/metrics/kpis")).json()
    assert (strange["tasks"]["count"], strange["predictions"]["count"]) == (0, 0)


async def test_without_a_key_none_of_them_answers(client, base_url, theirs):
    del client.headers["Authorization"]
    for verb, path in await operations(client):
        if path in OPEN:
            continue
        address = re.sub(r"\{(\w+)\}", lambda found: theirs[found[1]], path)
        sent = {} if verb == "get" or verb == "delete" else {"json": bodies(path, theirs)[0]}
        reply = await client.request(verb.upper(), address, **sent)
        assert (reply.status_code, reply.json()["code"]) == (401, "UNAUTHENTICATED"), path
