"""An action that was under way when the person took over is done once, whatever the page shows of it."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.integration.conftest import running
from tests.integration.desk import INTERACT, Screen, node

GOAL = "Click 'Check in' for Ann Lee, then click 'Keep note'"
ROWS = Screen(
    nodes=(
        node(1, "link", "Home"),
        node(2, "inp", "Note", ""),
        node(3, "btn", "Keep note"),
        node(4, "btn", "Check in", g="row: Jas Patel"),
        node(5, "btn", "Check in", g="row: Ann Lee"),
    )
)
CHECK, KEEP = 'click("5")', 'click("3")'
YES, NO = {"type": "yes_no", "value": "yes"}, {"type": "yes_no", "value": "no"}


def saying(text: str) -> Screen:
    """The same page with a message."""
    return replace(ROWS, nodes=(*ROWS.nodes, node(9, "txt", text, s=["status"])))


def pressed(name: str, kind: str = "click") -> dict[str, str]:
    return {"kind": kind, "role": "btn", "name": name, "url": ROWS.url}


class Runner:
    """One task, as the extension reports it."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.sent: list[str] = []
        self.last: dict[str, Any] = {}

    async def post(self, screen: Screen, **more: Any) -> dict[str, Any]:
        reply = await self.client.post(INTERACT, json=screen.body(**more))
        assert reply.status_code == 200, reply.text
        self.last = reply.json()
        acts = self.last["actions"] if self.last["type"] == "action" else []
        self.sent += [one["action"] for one in acts]
        return self.last

    async def begin(self, goal: str = GOAL) -> "Runner":
        assert (await self.post(ROWS, query=goal))["type"] == "action"
        return self

    @property
    def task(self) -> str:
        return str(self.last["taskId"])

    async def pause(self) -> None:
        assert (await self.client.post(f"/api/task/{self.task}/pause")).status_code == 200

    async def back(self, screen: Screen, *acts: dict[str, str], **report: Any) -> dict[str, Any]:
        """Taken over while the chain was under way, and handed back with that page."""
        actions = self.last.get("actions")
        if actions and not report:
            report = {"lastActionId": actions[-1]["actionId"], "lastActionStatus": "unknown"}
            report |= {"clientObservations": {"didNetworkOccur": True}}
        return await self.post(screen, taskId=self.task, handBack={"actions": list(acts)}, **report)

    async def say(self, screen: Screen, answer: dict[str, str]) -> dict[str, Any]:
        said = {"hitlId": self.last["hitlId"], **answer}
        return await self.post(screen, taskId=self.task, hitlResponse=said)

    async def done(self, screen: Screen) -> dict[str, Any]:
        """What was sent was done, and the page looks like this."""
        last = self.last["actions"][-1]
        seen = {"didDomMutate": True, "didNetworkOccur": True}
        told = {"lastActionId": last["actionId"], "lastActionStatus": "success"}
        return await self.post(screen, taskId=self.task, clientObservations=seen, **told)


async def taken_over(client: httpx.AsyncClient, goal: str = GOAL) -> Runner:
    run = await Runner(client).begin(goal)
    await run.pause()
    return run


async def test_who_went_on_with_the_next_step_had_the_one_before_done(client):
    run = await taken_over(client)
    done = await run.back(saying("Kept: words"), pressed("Keep note"))
    assert (done["type"], done["status"]) == ("done", "completed"), done
    assert run.sent == [CHECK]


async def test_what_nobody_saw_is_asked_and_goes_on_after_a_yes(client):
    run = await taken_over(client)
    asked = await run.back(ROWS)
    assert (asked["type"], asked["expectedInput"]) == ("interrupt", "yes_no")
    assert "Check in" in asked["message"]
    odd = {"type": "yes_no", "value": "perhaps"}
    body = ROWS.body(taskId=run.task, hitlResponse={"hitlId": asked["hitlId"], **odd})
    assert (await client.post(INTERACT, json=body)).status_code == 422
    assert (await run.say(ROWS, YES))["type"] == "action"
    assert (await run.done(saying("Kept: ")))["status"] == "completed"
    assert run.sent == [CHECK, KEEP]


async def test_what_the_person_says_did_not_happen_is_done(client):
    run = await taken_over(client)
    await run.back(ROWS)
    await run.say(ROWS, NO)
    assert run.sent == [CHECK, CHECK]
    await run.done(saying("Ann Lee was checked in"))
    await run.done(saying("Kept: "))
    assert run.last["status"] == "completed"
    assert run.sent == [CHECK, CHECK, KEEP]


async def test_the_last_step_is_done_if_the_person_says_so(client):
    run = await taken_over(client, "Click 'Check in' for Ann Lee")
    assert (await run.back(ROWS))["type"] == "interrupt"
    assert (await run.say(ROWS, YES))["status"] == "completed"
    assert run.sent == [CHECK]


async def test_a_reload_is_no_sign_that_it_happened(client):
    run = await Runner(client).begin("Fill in Note with words, then click 'Keep note'")
    while KEEP not in run.sent:
        await run.done(ROWS.with_value(2, "words"))
    await run.pause()
    asked = await run.back(ROWS, {"kind": "navigate", "role": "", "name": "", "url": ROWS.url})
    assert asked["type"] == "interrupt", asked
    assert run.sent.count(KEEP) == 1


async def test_on_another_page_it_is_asked_as_well(client):
    run = await taken_over(client)
    away = Screen(nodes=(node(1, "link", "Home"),), url="https://crm.example/other", title="Other")
    asked = await run.back(away, {"kind": "navigate", "role": "", "name": "", "url": away.url})
    assert asked["type"] == "interrupt", asked
    assert run.sent == [CHECK]


async def test_what_was_never_begun_is_done(client):
    run = await taken_over(client)
    action = run.last["actions"][-1]["actionId"]
    stopped = {"lastActionId": action, "lastActionStatus": "failure"}
    stopped |= {"lastActionError": {"code": "STOPPED", "message": "The person took over before"}}
    await run.back(ROWS, **stopped)
    assert run.sent == [CHECK, CHECK]


async def test_taking_over_twice_does_nothing_over(client):
    run = await taken_over(client)
    first = await run.back(ROWS)
    await run.pause()
    again = await run.back(saying("Kept: words"), pressed("Keep note"))
    if again["type"] == "interrupt":
        assert again["hitlId"] == first["hitlId"]
        await run.say(saying("Kept: words"), YES)
    assert run.last["status"] == "completed", run.last
    assert run.sent == [CHECK]


async def test_a_server_that_died_meanwhile_knows_what_was_under_way(
    client, key: str, server_settings: Settings
):
    run = await taken_over(client)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(server_settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as other,
    ):
        run.client = other
        assert (await run.back(ROWS))["type"] == "interrupt"
    run.client = client
    await run.say(ROWS, YES)
    assert run.sent == [CHECK, KEEP]


@pytest.mark.parametrize("said", ["Ann Lee was checked in"])
async def test_what_the_page_shows_is_not_asked(client, said):
    run = await taken_over(client)
    await run.back(saying(said))
    assert run.sent == [CHECK, KEEP]
