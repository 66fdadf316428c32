"""What a correction taught is used the next time, for whom it is and nobody else."""

import httpx
import pytest

from tests.integration.skills.learning_page import ORIGIN, OfficePage

GOAL = "Open the Reports"
INTERACT = "/api/agent/interact"


async def run(client, page, goal=GOAL):
    """To the end: the last answer, and those on the way."""
    answer = (await client.post(INTERACT, json=page.observation() | {"query": goal})).json()
    way = []
    while answer["type"] == "action":
        way.append(answer)
        assert len(way) < 10, answer
        answer = (await client.post(INTERACT, json=page.step(answer))).json()
    return answer, way


def corrections(way):
    return [one["correction"] for one in way if one["correction"]]


async def skills(client, **asked):
    reply = await client.get("/api/skills", params=asked)
    assert reply.status_code == 200, reply.text
    return reply.json()["skills"]


@pytest.mark.parametrize(
    ("trouble", "strategy"),
    [({"slow": True}, "wait and retry"), ({"dead": True}, "alternative element")],
)
async def test_the_first_correction_of_the_second_run_is_what_helped(client, trouble, strategy):
    first = OfficePage(**trouble)
    ended, way = await run(client, first)
    assert ended["status"] == "completed"
    assert corrections(way)
    (learned,) = await skills(client, domain="office.example")
    assert learned["successfulAction"]["strategy"] == strategy
    assert (learned["successCount"], learned["failureCount"]) == (1, 0)

    second = OfficePage(**trouble, drawn=100)
    ended, way = await run(client, second)
    assert ended["status"] == "completed"
    assert [one["source"] for one in corrections(way)] == ["skill"]
    assert len(second.clicks) == 2
    (used,) = await skills(client)
    assert used["id"] == learned["id"]
    assert (used["successCount"], used["failureCount"]) == (2, 0)
    assert used["lastUsed"] > learned["lastUsed"]


async def test_a_skill_says_what_failed_and_what_helped_without_ids_to_go_by(client):
    await run(client, OfficePage(dead=True), "Open the Reports of 'Jas Patel'")
    await run(client, OfficePage(dead=True))
    for learned in await skills(client):
        assert "Jas" not in str(learned)
        assert learned["domain"] == "office.example"
        assert learned["failedState"]["element"] == {
            "role": "btn", "name": "Reports", "group": "nav: Main",
        }  # fmt: skip
        assert learned["successfulAction"]["element"]["name"] == "Sales reports"


async def test_what_fails_twice_is_used_no_more(client):
    await run(client, OfficePage(slow=True))
    sources = []
    for _ in range(3):
        ended, way = await run(client, OfficePage(dead=True))
        assert ended["status"] == "completed"
        sources.append(corrections(way)[0]["source"])
    waits = next(one for one in await skills(client) if one["failureCount"])
    assert waits["failureCount"] == 2
    assert sources == ["skill", "skill", "strategy"]


async def test_another_tenant_sees_and_uses_nothing_of_it(client, other):
    await run(client, OfficePage(slow=True))
    (learned,) = await skills(client)
    assert await skills(other) == []
    assert await skills(other, domain="office.example") == []
    reply = await other.delete(f"/api/skills/{learned['id']}")
    assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")
    _, way = await run(other, OfficePage(slow=True))
    assert "skill" not in {one["source"] for one in corrections(way)}
    assert len(await skills(client)) == 1


async def test_another_site_sees_and_uses_nothing_of_it(client):
    await run(client, OfficePage(slow=True))
    assert await skills(client, domain="office.example:8443") == []
    _, way = await run(client, OfficePage(slow=True, origin=f"{ORIGIN}:8443"))
    assert "skill" not in {one["source"] for one in corrections(way)}
    assert {one["domain"] for one in await skills(client)} == {
        "office.example", "office.example:8443",
    }  # fmt: skip


async def test_a_goal_that_was_done_here_before_is_remembered(client, other, store):
    await run(client, OfficePage())
    (kept,) = await store.episodes.of_site("one", "office.example", limit=5)
    assert (kept.status, kept.user) == ("completed", "ann")
    assert kept.worked
    _, way = await run(client, OfficePage())
    assert way[0]["thought"].startswith("This was done here before.")
    for who, origin in ((other, ORIGIN), (client, f"{ORIGIN}:8443")):
        _, way = await run(who, OfficePage(origin=origin))
        assert "before" not in way[0]["thought"]


async def test_what_failed_here_before_is_said(client, store):
    goal = "Open the Reports and click Export"
    ended, _ = await run(client, OfficePage(), goal)
    assert ended["status"] == "failed"
    (kept,) = await store.episodes.of_site("one", "office.example", limit=5)
    assert kept.summary.startswith("It failed: ")
    _, way = await run(client, OfficePage(), goal)
    assert way[0]["thought"].startswith("This failed here before.")


async def test_what_was_forgotten_is_used_no_more(client, operator):
    await run(client, OfficePage(slow=True))
    (learned,) = await skills(client)
    address = f"/api/skills/{learned['id']}"
    assert (await client.delete(address)).status_code == 403  # it is not hers alone
    assert [(await operator.delete(address)).status_code for _ in range(2)] == [204, 404]
    assert await skills(client) == []
    _, way = await run(client, OfficePage(slow=True))
    assert "skill" not in {one["source"] for one in corrections(way)}


async def test_the_list_comes_in_pages(client):
    for port in range(3):
        await run(client, OfficePage(slow=True, origin=f"{ORIGIN}:{9000 + port}"))
    seen, cursor = [], {}
    while True:
        page = (await client.get("/api/skills", params={"limit": 2} | cursor)).json()
        seen += [one["domain"] for one in page["skills"]]
        if page.get("nextCursor") is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert seen == [f"office.example:{9000 + port}" for port in (2, 1, 0)]


@pytest.mark.parametrize("cursor", ["x", "2026-01-01", "~", "9999", "2026-13-01T00:00:00~1"])
async def test_a_cursor_of_ones_own_making_is_refused(client, cursor):
    reply = await client.get("/api/skills", params={"cursor": cursor})
    assert reply.status_code == 422


async def test_without_a_key_there_is_nothing_to_see(base_url):
    async with httpx.AsyncClient(base_url=base_url) as nobody:
        assert (await nobody.get("/api/skills")).status_code == 401
        assert (await nobody.delete("/api/skills/1")).status_code == 401
