"""What is agreed to where the page does not draw it with its record, or hands a form in by a key."""

import httpx
import pytest

from tests.integration.desk import INTERACT, Screen, node
from tests.integration.hitl.test_choices import begin, go_on, say

REPORTS = {10: "Spring Report", 11: "Summer Report"}


def files(opened: int | None = None) -> Screen:
    """Two cards, each with a button that opens the one menu, which the page draws at its end."""
    nodes = [node(1, "link", "Home", g="nav: Main")]
    for id_, name in REPORTS.items():
        state = "expanded" if id_ == opened else "collapsed"
        nodes.append(node(id_ + 40, "txt", name, g=f"item: {name}"))
        nodes.append(node(id_, "btn", "More", g=f"item: {name}", s=["haspopup", state]))
    if opened:
        nodes.append(node(20, "menu", "Rename", g="menu: More"))
        nodes.append(node(21, "menu", "Delete", g="menu: More"))
    return Screen(tuple(nodes), url="https://docs.example/files", title="Files")


async def asked_in_menu(client: httpx.AsyncClient) -> dict:
    opens = await begin(client, "Delete Spring Report", files())
    assert opens["action"] == 'click("10")'
    asked = await go_on(client, opens, files(10))
    assert asked["message"].startswith("Press 'Delete' for Spring Report"), asked
    return asked


async def test_a_yes_is_not_for_the_menu_of_another(client):
    asked = await asked_in_menu(client)
    again = (await say(client, asked, "yes", files(11), "yes_no")).json()
    assert (again["type"], again["kind"]) == ("interrupt", "approval"), again
    assert "for Summer Report" in again["message"]
    asked = await asked_in_menu(client)
    assert (await say(client, asked, "yes", files(10), "yes_no")).json()["action"] == 'click("21")'


async def test_a_no_is_not_for_the_menu_of_another(client):
    asked = await asked_in_menu(client)
    said = "No, delete Summer Report instead"
    opens = (await say(client, asked, said, files(10), "yes_no")).json()
    assert opens["action"] == 'click("11")', opens
    other = await go_on(client, opens, files(11))
    assert other["message"].startswith("Press 'Delete' for Summer Report"), other


@pytest.mark.parametrize("told", [[], ["focused"]], ids=["unknown", "focused"])
async def test_enter_after_an_entry_is_what_hands_its_form_in(client, told):
    def form(value: str, states: list[str]) -> Screen:
        place = "form: New message"
        to = node(2, "inp", "To", value, g=place, s=states)
        return Screen((to, node(3, "btn", "Send", g=place)), url="https://mail.example/new")

    empty, filled = form("", []), form("ann@mail.example", told)
    entered = await begin(client, "Fill To with 'ann@mail.example' and press Enter", empty)
    asked = await go_on(client, entered, filled)
    assert (asked["type"], asked.get("kind")) == ("interrupt", "approval"), asked
    assert "what 'Send' does" in asked["message"]


async def test_a_no_is_not_remembered_as_a_way_that_failed(client):
    asked = await asked_in_menu(client)
    await say(client, asked, "no", files(10), "yes_no")
    again = await begin(client, "Delete Spring Report", files())
    assert "failed here before" not in again["thought"]


async def test_an_answer_without_a_task_is_to_no_question(client):
    said = {"hitlId": "11111111-2222-4333-8444-555555555555", "type": "yes_no", "value": "yes"}
    reply = await client.post(INTERACT, json=files().body(hitlResponse=said))
    assert (reply.status_code, reply.json()["code"]) == (400, "HITL_NOT_PENDING")
