"""Other inboxes answer questions; the runner's next request resumes with the answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from app.domain.access import ROLES, Principal, Role
from app.store.repositories import Store
from tests.integration.desk import INTERACT, Screen, node

PATIENTS = Screen(
    nodes=(
        node(1, "link", "Home"),
        node(2, "btn", "Delete", g="row: Jas Patel, 1990"),
        node(3, "btn", "Delete", g="row: Ann Lee, 1972"),
    )
)
FORMS = Screen(
    nodes=(
        node(1, "btn", "Edit", g="section: Billing"),
        node(2, "btn", "Edit", g="section: Shipping"),
    )
)
PRESS, EDIT = "Delete the patient Jas Patel", "Click Edit"


async def ask(client: httpx.AsyncClient, screen: Screen, goal: str) -> dict[str, Any]:
    reply = await client.post(INTERACT, json=screen.body(query=goal))
    assert (reply.status_code, reply.json()["type"]) == (200, "interrupt"), reply.text
    return dict(reply.json())


async def go_on(client: httpx.AsyncClient, asked: dict[str, Any], screen: Screen) -> dict[str, Any]:
    reply = await client.post(INTERACT, json=screen.body(taskId=asked["taskId"]))
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


async def answer(client: httpx.AsyncClient, asked: dict[str, Any], **said: Any) -> httpx.Response:
    return await client.post(f"/api/hitl/{asked['hitlId']}/answer", json=said)


@asynccontextmanager
async def colleague(
    client: httpx.AsyncClient, store: Store, user: str = "eve", role: Role = "user"
) -> AsyncIterator[httpx.AsyncClient]:
    _, secret = await store.keys.create(Principal(tenant="one", user=user, scopes=(ROLES[role],)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=client.base_url, headers=headers, timeout=20) as made:
        yield made


async def listed(client: httpx.AsyncClient, **wanted: Any) -> list[dict[str, Any]]:
    return list((await client.get("/api/hitl", params=wanted)).json()["items"])


async def let_lapse(store: Store, hitl_id: str) -> None:
    """As if it had been asked ten minutes earlier."""
    rows = store.hitl._rows  # type: ignore[attr-defined]
    long_ago = datetime.now(UTC) - timedelta(minutes=10)
    dates = {"createdAt": long_ago, "expiresAt": long_ago + timedelta(minutes=5)}
    await rows.update_one({"tenantId": "one", "hitlId": hitl_id}, {"$set": dates})


async def test_inbox_lists_the_pending_question(client):
    asked = await ask(client, PATIENTS, PRESS)
    (item,) = await listed(client)
    assert (item["hitlId"], item["taskId"]) == (asked["hitlId"], asked["taskId"])
    assert (item["status"], item["user"], item["goal"]) == ("pending", "ann", PRESS)
    assert item["approval"]["element"] == asked["approval"]["element"]
    shown = item["humanInterrupt"]
    assert shown["config"] == {
        "allow_ignore": True,
        "allow_respond": True,
        "allow_edit": True,
        "allow_accept": True,
    }
    assert shown["action_request"]["args"]["call"] == 'click("2")'
    one = (await client.get(f"/api/hitl/{asked['hitlId']}")).json()
    assert one == item
    history = (await client.get(f"/api/session/{asked['sessionId']}/messages")).json()
    for seen in (item, history["pendingInterrupt"]):
        assert (seen["askedAt"], seen["expiresAt"]) == (asked["askedAt"], asked["expiresAt"])


@pytest.mark.parametrize(
    "said",
    [
        {"type": "yes_no", "value": True},
        {"type": "yes_no", "value": "Yes, press 'Delete'"},
        {"type": "accept"},
    ],
)
async def test_approval_lets_the_next_request_act(client, said):
    asked = await ask(client, PATIENTS, PRESS)
    recorded = await answer(client, asked, **said)
    assert recorded.status_code == 200, recorded.text
    result = recorded.json()["result"]
    assert (result["decision"], result["by"], result["via"]) == ("approved", "ann", "inbox")
    went_on = await go_on(client, asked, PATIENTS)
    assert (went_on["type"], went_on["action"]) == ("action", 'click("2")')
    assert await listed(client) == []
    assert [one["status"] for one in await listed(client, status="answered")] == ["answered"]


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"type": "yes_no", "value": "no"}, "no"),
    ({"type": "respond", "args": "no, he is still here"}, "no, he is still here"),
    ({"type": "response", "args": "no, not yet"}, "no, not yet"),
    (
        {"type": "edit", "args": {"action": "Archive", "args": {"who": "Jas", "all": [1, {}]}}},
        "No. Do this instead: Archive (who: Jas, all: [1, {}])",
    ),
    ({"type": "edit", "args": "yes"}, "No. Do this instead: yes"),
]


async def test_any_other_answer_rejects_and_is_remembered(client):
    for said, fact in REFUSALS:
        asked = await ask(client, PATIENTS, PRESS)
        result = (await answer(client, asked, **said)).json()["result"]
        assert (result["decision"], result["text"]) == ("refused", fact)
        ended = await go_on(client, asked, PATIENTS)
        assert (ended["type"], ended["status"]) == ("done", "failed")


async def test_ignore_cancels_the_question(client):
    for said in ("ignore", "cancel"):
        asked = await ask(client, PATIENTS, PRESS)
        assert (await answer(client, asked, type=said)).json()["status"] == "cancelled"
        assert (await go_on(client, asked, PATIENTS))["status"] == "interrupted"


@pytest.mark.parametrize(
    "said",
    [
        {"type": "element_choice", "value": "2"},
        {"type": "element_choice", "value": 2},
        {"type": "respond", "args": "shipping"},
        {"type": "accept", "value": ["2"]},
    ],
)
async def test_choice_by_number_or_label(client, said):
    asked = await ask(client, FORMS, EDIT)
    (item,) = await listed(client, taskId=asked["taskId"])
    assert item["humanInterrupt"]["config"]["allow_accept"] is False
    recorded = await answer(client, asked, **said)
    assert recorded.status_code == 200, recorded.text
    assert (await go_on(client, asked, FORMS))["action"] == 'click("2")'
    lines = (await client.get(f"/api/session/{asked['sessionId']}/messages")).json()["messages"]
    assert [line["content"] for line in lines if line["role"] == "user"] == [
        EDIT,
        recorded.json()["result"]["text"],
    ]


BAD_FOR_AN_APPROVAL: list[dict[str, Any]] = [
    {},
    {"type": "yes_no"},
    {"type": "text_input", "value": "yes"},
    {"type": "respond", "args": "yes"},
    {"type": "respond"},
    {"type": "edit"},
    {"type": "yes_no", "value": "y" * 4_001},
    {"type": "accept", "args": {"action": "x" * 5_000}},
    {"type": 7, "value": "yes"},
]
BAD_FOR_A_CHOICE: list[dict[str, Any]] = [
    {"type": "element_choice", "value": "3"},
    {"type": "accept"},
    {"type": "edit", "args": "the other"},
    {"type": "yes_no", "value": "yes"},
]


class TestBadAnswers:
    @pytest.mark.parametrize(
        ("screen", "goal", "bad"),
        [(PATIENTS, PRESS, BAD_FOR_AN_APPROVAL), (FORMS, EDIT, BAD_FOR_A_CHOICE)],
        ids=["approval", "choice"],
    )
    async def test_are_rejected_and_the_question_stays_pending(self, client, screen, goal, bad):
        asked = await ask(client, screen, goal)
        for said in bad:
            refused = await answer(client, asked, **said)
            assert (refused.status_code, refused.json()["code"]) == (422, "INVALID_REQUEST"), said
        assert len(await listed(client)) == 1
        assert (await go_on(client, asked, screen))["hitlId"] == asked["hitlId"]

    async def test_three_megabytes_are_too_large(self, client):
        asked = await ask(client, PATIENTS, PRESS)
        reply = await answer(client, asked, type="yes_no", value="y" * 3_000_000)
        assert (reply.status_code, reply.json()["code"]) == (413, "TOO_LARGE")

    async def test_question_of_another_user_is_not_found(self, client, other, store):
        asked = await ask(client, PATIENTS, PRESS)
        async with colleague(client, store) as eve:
            for stranger in (other, eve):
                assert await listed(stranger) == []
                assert await listed(stranger, taskId=asked["taskId"], status="all") == []
                history = await stranger.get(f"/api/session/{asked['sessionId']}/messages")
                assert history.status_code == 404
                got = await stranger.get(f"/api/hitl/{asked['hitlId']}")
                said = await answer(stranger, asked, type="accept")
                for reply in (got, said):
                    assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")
        async with colleague(client, store, "root", "admin") as admin:
            agreed = await answer(admin, asked, type="accept")
            assert (agreed.status_code, agreed.json()["code"]) == (403, "CONSENT_NEEDS_BROWSER")
            refused = await answer(admin, asked, type="yes_no", value="no")
            assert refused.json()["result"]["by"] == "root"

    async def test_expired_question(self, client, store):
        asked = await ask(client, PATIENTS, PRESS)
        await let_lapse(store, asked["hitlId"])
        assert await listed(client) == []
        (item,) = await listed(client, status="expired")
        assert item["status"] == "expired"
        late = await answer(client, asked, type="accept")
        assert (late.status_code, late.json()["code"]) == (409, "HITL_EXPIRED")
        assert (await answer(client, asked, type="accept")).json()["code"] == "HITL_EXPIRED"
        assert [one["status"] for one in await listed(client, status="all")] == ["expired"]

    async def test_second_answer_is_rejected(self, client):
        asked = await ask(client, PATIENTS, PRESS)
        both = await asyncio.gather(
            answer(client, asked, type="accept"), answer(client, asked, type="ignore")
        )
        assert sorted(one.status_code for one in both) == [200, 400]
        (late,) = [one for one in both if one.status_code == 400]
        assert late.json()["code"] == "HITL_NOT_PENDING"


async def test_repeated_request_gets_the_same_response(client):
    asked = await ask(client, PATIENTS, PRESS)
    said = {"type": "accept", "requestId": "the-first-one"}
    first = await answer(client, asked, **said)
    assert (await answer(client, asked, **said)).json() == first.json()
    reused = await answer(client, asked, **(said | {"type": "ignore"}))
    assert (reused.status_code, reused.json()["code"]) == (409, "REQUEST_ID_REUSED")
    assert (await go_on(client, asked, PATIENTS))["action"] == 'click("2")'


async def test_list_is_paginated(client):
    made = [(await ask(client, PATIENTS, PRESS))["hitlId"] for _ in range(5)]
    seen: list[str] = []
    wanted: dict[str, Any] = {"limit": 2}
    while True:
        page = (await client.get("/api/hitl", params=wanted)).json()
        seen += [item["hitlId"] for item in page["items"]]
        if page.get("nextCursor") is None:
            break
        wanted["cursor"] = page["nextCursor"]
    assert seen == made[::-1]
    for wrong in ("soon", "0001-01-01T00:00:00+14:00~x", "2026-01-01T00:00:00+00:00~"):
        assert (await client.get("/api/hitl", params={"cursor": wrong})).status_code == 422
    assert (await client.get("/api/hitl", params={"status": "open"})).status_code == 422
