"""Real bodies to start from: observations of pages, action results, answers to questions."""

from typing import Any

import httpx

from tests.fakes.clinic import ClinicPage

INTERACT = "/api/agent/interact"
GOAL = "Add a new patient with name 'Jas'"
DELETES = {"interactiveTree": [{"i": "60", "r": "btn", "n": "Delete all"}]}


async def real_bodies(url: str, key: str) -> list[dict[str, Any]]:
    """The bodies a client sends during a task that a server has started, and some more that it might send."""
    page = ClinicPage()
    look = page.observation()
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
        answer = (await client.post(INTERACT, json=look | {"query": GOAL})).json()
        asked = (
            await client.post(
                INTERACT,
                json=look | DELETES | {"query": "Click 'Delete all'", "requestId": "asking"},
            )
        ).json()
    then = page.step(answer)
    reply = {"hitlId": asked["hitlId"], "type": "yes_no", "value": "no"}
    markup = '<main><h1>Patients</h1><button data-llm-id="2">Patient</button></main>'
    failed = {"lastActionError": {"code": "ELEMENT_NOT_FOUND", "message": "It is gone"}}
    acts = [{"kind": "click", "role": "btn", "name": "Save", "url": look["url"]}]
    return [
        look | {"query": GOAL},
        look | {"query": "Open the Patient menu, then click 'New'", "sessionId": "s"},
        then,
        then | {"lastActionStatus": "failure"} | failed,
        then | {"lastActionStatus": "unknown", "verification_passed": False},
        then | {"handBack": {"actions": acts}},
        look | {"taskId": asked["taskId"], "hitlResponse": reply},
        look | {"query": GOAL, "domMode": "semantic", "dom": markup},
        look | {"query": GOAL, "domMode": "hybrid", "skeletonDom": markup, "screenshot": None},
        look | {"continueFrom": answer["taskId"]},
        look | {"recipe": {"recipeId": "a-recipe-of-others", "values": {"name": "x"}}},
    ]
