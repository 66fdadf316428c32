"""Bad input is a named problem, never a 500, and loses nothing."""

import httpx
import pytest

from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT, begin, to_the_end

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def body(**more):
    return ClinicPage().observation() | {"query": GOAL} | more


def node(**more):
    return {"i": "1", "r": "btn", "n": "Save"} | more


async def problem(client, status, code, **request):
    reply = await client.post(INTERACT, **request)
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.json()
    assert document["code"] == code
    assert {"type", "title", "status", "detail", "traceId"} <= document.keys()
    return document


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Basic abc", "Bearer"])
async def test_invalid_key(base_url, authorization):
    headers = {"Authorization": authorization} if authorization else {}
    async with httpx.AsyncClient(base_url=base_url, headers=headers) as stranger:
        await problem(stranger, 401, "UNAUTHENTICATED", json=body())
        assert (await stranger.get("/api/sessions")).status_code == 401
        assert (await stranger.get("/healthz")).json() == {"status": "ok"}
        assert (await stranger.get("/readyz")).json() == {"status": "ready"}


async def test_unknown_task_and_task_of_another_tenant(client, other):
    await problem(client, 404, "NOT_FOUND", json=body(taskId=UNKNOWN))
    answer = await begin(client, ClinicPage())
    await problem(other, 404, "NOT_FOUND", json=body(taskId=answer["taskId"]))
    assert (await other.get(f"/api/task/{answer['taskId']}")).status_code == 404
    assert (await other.post(f"/api/task/{answer['taskId']}/cancel")).status_code == 404


async def test_task_of_another_tenant_is_unaffected(client, other):
    page = ClinicPage()
    answer = await begin(client, page)
    theirs = page.observation() | {"taskId": answer["taskId"]}
    assert (await other.post(INTERACT, json=theirs)).status_code == 404
    answer, _ = await to_the_end(client, page, answer)
    assert page.saved == ["Jas"]


async def test_invalid_task_id(client):
    for task_id in ("x", "no id at all", "{$ne: 1}", "a" * 200, "\u202e12345678"):
        await problem(client, 422, "INVALID_REQUEST", json=body(taskId=task_id))


async def test_too_large(client):
    await problem(client, 413, "TOO_LARGE", json=body(pageSummary="x" * (2 * 1024 * 1024)))
    many = [node(i=str(n)) for n in range(2001)]
    await problem(client, 413, "TREE_TOO_LARGE", json=body(interactiveTree=many))


async def test_too_large_without_content_length(client):
    async def drip():
        for _ in range(40):
            yield b"x" * 65_536

    await problem(client, 413, "TOO_LARGE", content=drip())


TREES = [
    "not a list",
    [1, 2],
    [{"r": "btn"}],
    [node(), node()],
    [node(box=[0, 0, -1, 5])],
    [node(box=[0, 0])],
    [node(xy=["a", "b"])],
    [node(i="14; drop")],
    [node(i=None)],
    [node(n="nul \x00 here")],
    [node(s=7)],
    [node(o=[["nested"]])],
]


async def test_malformed_tree(client):
    for tree in TREES:
        found = await problem(client, 422, "INVALID_REQUEST", json=body(interactiveTree=tree))
        assert "interactiveTree" in found["detail"], tree


RAW = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"x"',
    b"\xff\xfe",
    b'{"url": "\\ud800"}',
    b'{"url": "' + b"[" * 9,
]


async def test_body_that_is_not_a_request(client):
    for raw in RAW:
        await problem(client, 422, "INVALID_REQUEST", content=raw)


async def test_lone_surrogate_in_a_name(client):
    raw = WHOLE.replace("Save", "\\ud83d").encode() + b"}"
    await problem(client, 422, "INVALID_REQUEST", content=raw)


async def test_deeply_nested_body(client):
    await problem(
        client, 422, "INVALID_REQUEST", content=b'{"scrollableContainers":' + b"[" * 100_000
    )


async def test_new_task_without_a_goal(client):
    await problem(client, 422, "INVALID_REQUEST", json=ClinicPage().observation())
    await problem(client, 422, "INVALID_REQUEST", json=body(query="   "))


async def test_answer_without_a_question(client):
    answer = {"hitlId": "h1", "type": "yes_no", "value": "1"}
    await problem(client, 400, "HITL_NOT_PENDING", json=body(hitlResponse=answer))


async def test_tree_without_the_element_acted_on(client):
    page = ClinicPage()
    answer = await begin(client, page)
    step = page.step(answer) | {"interactiveTree": []}
    reply = await client.post(INTERACT, json=step)
    assert reply.status_code == 200, reply.text


async def test_unknown_paths_and_methods(client):
    for reply in (await client.get("/api/nothing"), await client.delete(INTERACT)):
        assert reply.headers["content-type"] == "application/problem+json"
        assert reply.status_code in {404, 405}


JUNK = ["null", "0", "-1", "1e400", "true", "[]", "{}", '"x"', '"\\u0000"']
FIELDS = [
    "url", "query", "pageTitle", "sessionId", "viewport", "pageSummary", "scrollPosition",
    "recentEvents", "clientObservations", "lastActionId", "lastActionStatus", "lastActionError",
    "lastExecutedActionIndex", "chainPartialState", "hasErrors", "errors_detected",
]  # fmt: skip
WHOLE = (
    '{"url":"https://a.example/","query":"click Save",'
    '"interactiveTree":[{"i":"1","r":"btn","n":"Save"}]'
)


async def test_junk_in_any_field_is_not_a_server_error(client):
    for field in FIELDS:
        for junk in JUNK:
            raw = f'{WHOLE},"{field}":{junk}}}'
            reply = await client.post(INTERACT, content=raw.encode())
            assert reply.status_code in {200, 422}, (raw, reply.text)


async def test_null_equals_an_omitted_field(client):
    names = ["pageTitle", "taskId", "sessionId", "viewport", "pageSummary", "scrollPosition",
             "scrollableContainers", "recentEvents", "hasErrors", "hasSuccess", "errors_detected",
             "verification_passed", "success_messages", "clientObservations", "lastActionId",
             "lastActionStatus", "lastActionError", "chainPartialState",
             "lastExecutedActionIndex", "hitlResponse", "dom", "screenshot"]  # fmt: skip
    empty = {name: None for name in (*"nvsxyogh", "box", "occ", "f", "t") if name not in "xy"}
    tree = [{"i": 14, "r": "btn", **empty, "xy": None, "n": "Save"}]
    reply = await client.post(
        INTERACT, json=body(interactiveTree=tree, query="click Save") | dict.fromkeys(names)
    )
    assert reply.status_code == 200, reply.text
    assert reply.json()["action"] == 'click("14")'


async def test_states_may_be_one_string(client):
    tree = [node(s="checked disabled", r="chk", n="Agree"), node(i="2", r="btn", n="Save")]
    reply = await client.post(INTERACT, json=body(interactiveTree=tree, query="check Agree"))
    assert reply.json()["status"] in {"completed", "failed"}
