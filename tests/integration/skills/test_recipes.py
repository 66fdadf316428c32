"""Recipes through HTTP: a task is done once, saved, and done again with other values."""

import json
import re

import httpx

from app.domain.access import Principal
from tests.fakes.clinic import ORIGIN, ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT, to_the_end

RECIPES = "/api/recipes"


class Addressed(ClinicPage):
    """The clinic whose pages can be gone to by their address."""

    def do(self, action):
        going = re.fullmatch(r"navigate\((.*)\)", action)
        if going is None:
            return super().do(action)
        self.clicks.append(action)
        self.place, self.menu_open = json.loads(going[1]).removeprefix(ORIGIN), False
        return True


async def done_once(client, goal=GOAL, page=None):
    """A completed task's id."""
    page = page or ClinicPage()
    answer = await client.post(INTERACT, json=page.observation() | {"query": goal})
    task_id = answer.json()["taskId"]
    ended, _ = await to_the_end(client, page, answer.json())
    assert (ended["type"], ended["status"]) == ("done", "completed"), ended
    return task_id


async def saved(client, **more):
    reply = await client.post(RECIPES, json={"taskId": await done_once(client), **more})
    assert reply.status_code == 201, reply.text
    return reply.json()


def starting(page, recipe, **values):
    """The request that begins a replay."""
    return page.observation() | {"recipe": {"recipeId": recipe["id"], "values": values}}


async def replay(client, page, recipe, most=6, **values):
    reply = await client.post(INTERACT, json=starting(page, recipe, **values))
    assert reply.status_code == 200, reply.text
    return await to_the_end(client, page, reply.json(), most=most)


async def test_a_completed_task_becomes_a_recipe_without_its_values(client):
    recipe = await saved(client)
    assert recipe["goal"] == "Add a new patient with name '{name}'"
    assert recipe["parameters"] == [
        {"name": "name", "label": "Name", "secret": False, "required": True}
    ]
    assert recipe["domain"] == "clinic.example"
    assert [step["description"] for step in recipe["steps"]] == [
        "Open the 'Patient' button",
        "Open the 'New' menu item",
        "Enter '{name}' in the 'Name' field; Press the 'Save' button",
    ]
    assert "Jas" not in str(recipe)


async def test_it_is_replayed_with_another_name_in_four_round_trips_and_without_tokens(client):
    recipe, page = await saved(client), Addressed()
    ended, trips = await replay(client, page, recipe, name="Robin Moss")
    assert (ended["status"], page.saved, trips) == ("completed", ["Robin Moss"], 4), ended
    task = (await client.get(f"/api/task/{ended['taskId']}")).json()
    assert task["usage"]["modelCalls"] == task["usage"]["inputTokens"] == 0
    assert task["query"] == "Add a new patient with name 'Robin Moss'"


async def test_a_value_that_is_missing_is_asked_for(client):
    recipe, page = await saved(client), Addressed()
    asked = (await client.post(INTERACT, json=starting(page, recipe))).json()
    assert (asked["type"], asked["interruptType"]) == ("interrupt", "text_input")
    assert "name" in asked["message"]
    said = {"hitlId": asked["hitlId"], "type": "text_input", "value": "Robin Moss"}
    body = page.observation() | {"taskId": asked["taskId"], "hitlResponse": said}
    ended, _ = await to_the_end(client, page, (await client.post(INTERACT, json=body)).json())
    assert (ended["status"], page.saved) == ("completed", ["Robin Moss"]), ended


async def test_it_is_bound_to_its_site(client):
    recipe = await saved(client)
    body = starting(Addressed(), recipe, name="Robin Moss") | {"url": "https://other.example/"}
    ended = (await client.post(INTERACT, json=body)).json()
    assert (ended["type"], ended["status"]) == ("done", "failed")
    assert "clinic.example" in ended["result"]


async def test_a_page_that_is_another_stops_it_and_nothing_is_done(client):
    class Moved(Addressed):
        def tree(self):
            return [{"i": "1", "r": "btn", "n": "Home"}, {"i": "2", "r": "inp", "n": "Search"}]

    recipe, page = await saved(client), Moved()
    ended, _ = await replay(client, page, recipe, most=9, name="Robin Moss")
    assert ended["status"] == "failed"
    assert "This is not the page that the recipe was recorded on" in ended["result"]
    assert [done for done in page.clicks if not done.startswith(("navigate", "wait"))] == []
    kept = (await client.get(f"{RECIPES}/{recipe['id']}")).json()
    assert (kept["runs"], kept["failures"]) == (1, 1)


async def test_a_repeated_request_gets_the_same_answer_and_begins_one_task(client):
    recipe, page = await saved(client), Addressed()
    body = starting(page, recipe, name="Robin Moss")
    first, second = [(await client.post(INTERACT, json=body)).json() for _ in range(2)]
    assert first == second


async def test_a_name_that_is_no_parameter_is_refused(client):
    recipe = await saved(client)
    reply = await client.post(INTERACT, json=starting(Addressed(), recipe, nmae="x"))
    assert (reply.status_code, "nmae" in reply.json()["detail"]) == (422, True)


async def test_a_value_that_reads_as_a_parameter_is_refused(client):
    recipe = await saved(client)
    reply = await client.post(INTERACT, json=starting(Addressed(), recipe, name="Dear {name}"))
    assert (reply.status_code, "recipe.values.name" in reply.json()["detail"]) == (422, True)


async def test_recipes_are_listed_shown_and_deleted(client):
    recipe = await saved(client, title="Add a patient")
    listed = (await client.get(RECIPES, params={"domain": "clinic.example"})).json()
    assert [one["title"] for one in listed["recipes"]] == ["Add a patient"]
    assert (await client.get(RECIPES, params={"domain": "x.example"})).json()["recipes"] == []
    assert (await client.delete(f"{RECIPES}/{recipe['id']}")).status_code == 204
    assert (await client.get(f"{RECIPES}/{recipe['id']}")).status_code == 404


async def test_saving_it_again_is_the_same_recipe(client):
    task_id = await done_once(client)
    ids = [
        (await client.post(RECIPES, json={"taskId": task_id, "title": title})).json()["id"]
        for title in ("One", "Two")
    ]
    assert ids[0] == ids[1]
    listed = (await client.get(RECIPES)).json()["recipes"]
    assert [one["title"] for one in listed] == ["Two"]


async def test_a_task_that_is_not_completed_is_no_recipe(client):
    page = ClinicPage()
    begun = (await client.post(INTERACT, json=page.observation() | {"query": GOAL})).json()
    reply = await client.post(RECIPES, json={"taskId": begun["taskId"]})
    assert (reply.status_code, reply.json()["code"]) == (409, "TASK_NOT_COMPLETED")
    reply = await client.post(RECIPES, json={"taskId": "no-such-task"})
    assert reply.status_code == 404
    reply = await client.post(RECIPES, content=b'{"title": 4}')
    assert reply.status_code == 422


async def test_another_tenant_sees_none_of_it(client, other):
    recipe = await saved(client)
    assert (await other.get(RECIPES)).json()["recipes"] == []
    assert (await other.get(f"{RECIPES}/{recipe['id']}")).status_code == 404
    assert (await other.delete(f"{RECIPES}/{recipe['id']}")).status_code == 404
    assert (await other.post(RECIPES, json={"taskId": recipe["taskId"]})).status_code == 404
    body = starting(Addressed(), recipe, name="Robin Moss")
    assert (await other.post(INTERACT, json=body)).status_code == 404


async def test_a_colleague_reads_and_replays_but_does_not_save_or_delete(client, base_url, store):
    recipe = await saved(client)
    _, secret = await store.keys.create(Principal(tenant="one", user="ben"))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as ben:
        assert (await ben.get(f"{RECIPES}/{recipe['id']}")).status_code == 200
        assert (await ben.post(RECIPES, json={"taskId": recipe["taskId"]})).status_code == 404
        assert (await ben.delete(f"{RECIPES}/{recipe['id']}")).status_code == 403
        ended, _ = await replay(ben, Addressed(), recipe, name="Robin Moss")
        assert ended["status"] == "completed"


async def test_a_step_that_was_not_found_may_be_done_by_the_person(client):
    class Unsaved(Addressed):
        def tree(self):
            return [one for one in super().tree() if one["n"] != "Save"]

    recipe, page = await saved(client), Unsaved()
    ended, _ = await replay(client, page, recipe, name="Robin Moss")
    assert (ended["status"], len(page.clicks)) == ("failed", 2), ended
    assert "'Save' is not there" in ended["result"]
    assert ended["handOver"]["step"].startswith("Enter 'Robin Moss'")
    by_hand = Addressed(saved=["Robin Moss"], message="Patient created")
    body = by_hand.observation() | {"continueFrom": ended["taskId"]}
    answer = (await client.post(INTERACT, json=body)).json()
    assert (answer["type"], answer["status"], by_hand.clicks) == ("done", "completed", []), answer
