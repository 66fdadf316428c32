"""A run that is cut off once its graph is through, and before its answer is written: nothing comes of it."""

import asyncio
import threading
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.agent import service as of_tasks
from app.chat import service as of_turns
from app.store.repositories import Store
from tests.fakes.clinic import ClinicPage

INTERACT, CHAT = "/api/agent/interact", "/api/chat"
GOAL = "Add a new patient with name 'Jas'"


@dataclass
class Ends:
    """The ends of graphs. While `held`, one that is through says so and waits to be cut off."""

    held: bool = False
    reached: threading.Event = field(default_factory=threading.Event)

    def after(self, real: Any) -> Any:
        """What follows a graph, and waits at its end."""

        async def follow(*given: Any) -> Any:
            state = await real(*given)
            if self.held:
                self.held = False
                self.reached.set()
                await asyncio.Event().wait()
            return state

        return follow


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Ends:
    made = Ends()
    for room in (of_tasks, of_turns):
        monkeypatch.setattr(room, "run_graph", made.after(room.run_graph))
    return made


@pytest.mark.parametrize("how", ["pause", "cancel"])
async def test_an_action_that_was_not_handed_out_is_not_kept(
    client: httpx.AsyncClient, store: Store, ends: Ends, how: str
) -> None:
    page = ClinicPage()
    first = (await client.post(INTERACT, json=page.observation() | {"query": GOAL})).json()
    ends.held = True
    asking = asyncio.create_task(client.post(INTERACT, json=page.step(first)))
    assert await asyncio.to_thread(ends.reached.wait, 20)
    cut = await client.post(f"/api/task/{first['taskId']}/{how}")
    assert cut.status_code == 200, cut.text
    assert (await asking).json()["type"] == "done"
    known = await store.actions.of_task("one", first["taskId"])
    assert [one.action_id for one in known] == [one["actionId"] for one in first["actions"]]
    back = {"handBack": {"actions": []}} if how == "pause" else {}
    goes_on = page.observation() | {"taskId": first["taskId"]} | back
    assert (await client.post(INTERACT, json=goes_on)).json()["type"] == "action"


async def test_an_answer_that_was_not_given_is_not_kept(
    client: httpx.AsyncClient, ends: Ends
) -> None:
    thread_id = str(uuid4())
    asks = {"message": "How many days of leave?", "thread_id": thread_id}
    ends.held = True
    asking = asyncio.create_task(client.post(CHAT, json=asks | {"request_id": "first"}))
    assert await asyncio.to_thread(ends.reached.wait, 20)
    stop = await client.post(f"/api/chat/conversations/{thread_id}/stop")
    assert stop.json()["stopped"] is True
    assert '"message":"Stopped."' in (await asking).text
    history = (await client.get(f"/api/chat/history/{thread_id}")).json()
    said = [one for one in history["messages"] if one["role"] != "user"]
    assert all("days" not in one["content"] for one in said)
