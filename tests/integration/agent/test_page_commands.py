"""Commands that take something from the page, or go down a path of menus, without a model."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.desk import INTERACT, Screen, node

FORM = (node(1, "inp", "Amount"), node(2, "btn", "Submit"))
TOTALS = "Order 12\nSubtotal | 40.00\nTotal | 49.90"


def screen(*nodes: dict[str, Any], text: str = "") -> Screen:
    return Screen(nodes, more={"pageSummary": text} if text else {})


async def begin(client: httpx.AsyncClient, page: Screen, goal: str) -> dict[str, Any]:
    reply = await client.post(INTERACT, json=page.body(query=goal))
    assert reply.status_code == 200, reply.text
    answer: dict[str, Any] = reply.json()
    return answer


async def go_on(client: httpx.AsyncClient, page: Screen, answer: dict[str, Any]) -> dict[str, Any]:
    done = answer["actions"][-1]
    told = {"taskId": answer["taskId"], "lastActionId": done["actionId"]}
    body = page.body(lastActionStatus="success", requestId=str(uuid4()), **told)
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200, reply.text
    again: dict[str, Any] = reply.json()
    return again


def acts(answer: dict[str, Any]) -> list[str]:
    return [one["action"] for one in answer["actions"]]


@pytest.mark.parametrize(
    "goal", ["copy the total into the amount field", "Enter the value of Total into Amount"]
)
async def test_a_value_that_the_page_shows_under_a_name_is_copied(
    client: httpx.AsyncClient, goal: str
) -> None:
    answer = await begin(client, screen(*FORM, text=TOTALS), goal)
    assert acts(answer) == ['setValue("1", "49.90")']


@pytest.mark.parametrize("text", ["Order 12", "Total | 49.90\nTotal | 12.00"])
async def test_a_value_that_is_not_plain_is_not_copied(
    client: httpx.AsyncClient, text: str
) -> None:
    answer = await begin(client, screen(*FORM, text=text), "copy the total into the amount field")
    assert (answer["type"], answer["status"]) == ("done", "failed")
    assert "total" in answer["result"].lower()


async def test_a_path_of_menus_is_followed_press_by_press(client: httpx.AsyncClient) -> None:
    bar = (node(1, "menu", "File", s=["collapsed"]), node(2, "menu", "Edit", s=["collapsed"]))
    opened = (node(1, "menu", "File", s=["expanded"]), *bar[1:], node(3, "menu", "Export"))
    whole = (*opened, node(4, "menu", "CSV"))
    answer = await begin(client, screen(*bar), "Choose File > Export > CSV")
    assert acts(answer) == ['click("1")']
    answer = await go_on(client, screen(*opened), answer)
    assert acts(answer) == ['click("3")']
    answer = await go_on(client, screen(*whole), answer)
    assert acts(answer) == ['click("4")']


async def test_an_arrow_in_the_name_of_an_option_is_no_path(client: httpx.AsyncClient) -> None:
    kinds = node(1, "sel", "Category", "", o=["Home", "Toys > Puzzles"])
    answer = await begin(client, screen(kinds, node(2, "btn", "Toys")), "choose Toys > Puzzles")
    assert acts(answer) == ['selectOption("1", "Toys > Puzzles")']


async def test_a_dialog_is_closed_by_the_button_that_was_named(client: httpx.AsyncClient) -> None:
    place = "dialog:Invite"
    nodes = (node(1, "btn", "x", g=place), node(2, "btn", "Cancel", g=place), node(3, "btn", "x"))
    answer = await begin(client, screen(*nodes), "close the Invite dialog by clicking x")
    assert acts(answer) == ['click("1")']
