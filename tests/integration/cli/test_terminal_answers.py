"""Questions of a run without a window are asked in the terminal."""

import io
from typing import Any

import httpx
from rich.console import Console

from app.cli.run.follower import find_question, reply_to_question
from tests.integration.desk import INTERACT, Screen, node

ROWS = Screen(
    nodes=(
        node(1, "btn", "Delete", g="list: Patients > row: Jas Patel"),
        node(2, "btn", "Delete", g="list: Patients > row: Ann Lee"),
    ),
    url="http://clinic.example/patients",
)


async def asked(client: httpx.AsyncClient, goal: str) -> dict[str, Any]:
    answer = (await client.post(INTERACT, json=ROWS.body(query=goal))).json()
    assert answer["type"] == "interrupt", answer
    found = await find_question(client, answer["taskId"])
    assert found is not None
    assert found["hitlId"] == answer["hitlId"]
    return found


async def resumed(client: httpx.AsyncClient, question: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = (
        await client.post(INTERACT, json=ROWS.body(taskId=question["taskId"]))
    ).json()
    return body


def console() -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=200), out


async def test_yes_flag_approves_approvals_only(client: httpx.AsyncClient) -> None:
    told, out = console()
    approval = await asked(client, "Delete Jas Patel")
    assert await reply_to_question(client, approval, told, approves=True, ask=None)
    assert "Jas Patel" in out.getvalue()
    assert (await resumed(client, approval))["action"] == 'click("1")'

    choice = await asked(client, "Click the 'Delete' button")
    assert not await reply_to_question(client, choice, told, approves=True, ask=None)
    assert await find_question(client, choice["taskId"]) is not None


async def test_asks_again_after_an_invalid_answer_and_an_empty_line_cancels(
    client: httpx.AsyncClient,
) -> None:
    told, out = console()
    choice = await asked(client, "Click the 'Delete' button")
    said = iter(["7", "2"])
    assert await reply_to_question(client, choice, told, approves=False, ask=lambda _: next(said))
    assert "choose" in out.getvalue().lower()
    approval = await resumed(client, choice)
    assert approval["kind"] == "approval"

    found = await find_question(client, approval["taskId"])
    assert found is not None
    assert await reply_to_question(client, found, told, approves=False, ask=lambda _: "")
    ended = await resumed(client, found)
    assert (ended["type"], ended["status"]) == ("done", "interrupted")
