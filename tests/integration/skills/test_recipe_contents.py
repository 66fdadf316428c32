"""What a recipe keeps and what it costs: no value, no secret anywhere, and never a model's token."""

import asyncio
from datetime import UTC, datetime

from pymongo import MongoClient

from app.agent.graph import build_graph
from app.domain.memory import Recipe, RecipeParameter, RecordedAction, RecordedStep, StepCheck
from app.domain.page import ElementRef
from app.runs.graph import thread_config
from app.store.open import open_all
from tests.integration.desk import INTERACT, Screen, node
from tests.integration.skills.test_recipes import RECIPES, Addressed, done_once, replay, starting

SECRET, OTHER = "hunter-22x", "tr0ub4dor&3"
SITE = "https://crm.example"


class SignIn:
    """A sign-in form at the wire; whoever signs in sees their desk."""

    def __init__(self):
        self.name, self.word, self.inside = "", "", []

    def body(self, **more):
        if self.inside:
            told = {"success_messages": ["You are signed in"], "errors_detected": []}
            desk = (node(9, "btn", "Log out", g="nav: Main"),)
            return Screen(desk, f"{SITE}/desk", "Desk", told).body(**more)
        group = {"g": "form: Sign in"}
        fields = (
            node(1, "inp", "Username", self.name, **group),
            node(2, "inp", "Password", "••••••" if self.word else "", t="password", **group),
            node(3, "btn", "Log in", t="submit", **group),
        )
        return Screen(fields, f"{SITE}/login", "Sign in").body(**more)

    def step(self, answer):
        for one in answer["actions"]:
            args = one["actionDetails"]["args"]
            match one["actionDetails"]["name"], args.get("id"):
                case "setValue", "1":
                    self.name = args["text"]
                case "setValue", "2":
                    self.word = args["text"]
                case "click", "3":
                    self.inside.append((self.name, self.word))
        last = answer["actions"][-1]
        return self.body(
            taskId=answer["taskId"],
            lastActionId=last["actionId"],
            lastActionStatus="success",
            lastExecutedActionIndex=last["index"],
            clientObservations={"didDomMutate": True, "didNetworkOccur": True},
        )


async def to_the_end(client, page, body, most=9):
    for _ in range(most):
        reply = await client.post(INTERACT, json=body)
        assert reply.status_code == 200, reply.text
        if (answer := reply.json())["type"] != "action":
            return answer
        body = page.step(answer)
    raise AssertionError(answer)


def texts(value):
    """All texts of a row, its keys included."""
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in texts(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in texts(part)]
    return [value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)]


def everything(settings, collection=None):
    """All that is stored, or one collection of it, as texts."""
    client = MongoClient(settings.mongodb_uri.get_secret_value())
    try:
        database = client[settings.mongodb_database]
        names = [collection] if collection else database.list_collection_names()
        return {name: texts(list(database[name].find())) for name in names}
    finally:
        client.close()


async def left_in_thread(settings, task_id):
    async with open_all(settings) as opened:
        snapshot = await build_graph(opened.checkpointer).aget_state(thread_config(task_id))
    assert snapshot.values["recipe"] is not None
    return str(snapshot.values)


async def test_no_value_is_in_the_row_of_a_recipe(client, server_settings):
    task_id = await done_once(client, "Add a new patient with name 'Jasper Quillfeather'")
    assert (await client.post(RECIPES, json={"taskId": task_id})).status_code == 201
    kept = (await asyncio.to_thread(everything, server_settings, "recipes"))["recipes"]
    assert kept
    assert [t for t in kept if "jasper" in t.casefold() or "quill" in t.casefold()] == []


async def test_a_secret_is_asked_for_at_each_run_and_kept_nowhere(client, server_settings):
    page = SignIn()
    goal = f"Log in with username ann.example and password {SECRET}"
    ended = await to_the_end(client, page, page.body(query=goal))
    assert (ended["status"], page.inside) == ("completed", [("ann.example", SECRET)]), ended
    saved = await client.post(RECIPES, json={"taskId": ended["taskId"]})
    assert saved.status_code == 201, saved.text
    recipe = saved.json()
    assert [(p["name"], p["secret"]) for p in recipe["parameters"]] == [
        ("username", False),
        ("password", True),
    ]
    again = SignIn()
    body = again.body(recipe={"recipeId": recipe["id"], "values": {"username": "bo.example"}})
    asked = (await client.post(INTERACT, json=body)).json()
    assert asked["type"] == "interrupt", asked
    said = {"hitlId": asked["hitlId"], "type": "text_input", "value": OTHER}
    ended = await to_the_end(client, again, again.body(taskId=asked["taskId"], hitlResponse=said))
    assert (ended["status"], again.inside) == ("completed", [("bo.example", OTHER)]), ended
    third = SignIn()
    given = {"username": "cy.example", "password": OTHER}
    body = third.body(recipe={"recipeId": recipe["id"], "values": given})
    ended = await to_the_end(client, third, body)
    assert (ended["status"], third.inside) == ("completed", [("cy.example", OTHER)])
    assert OTHER not in await left_in_thread(server_settings, ended["taskId"])
    for name, found in (await asyncio.to_thread(everything, server_settings)).items():
        if not name.startswith("checkpoint"):  # whose bytes of a run under way are its own
            assert [t for t in found if SECRET in t or OTHER in t] == [], name
    kept = await asyncio.to_thread(everything, server_settings, "recipes")
    assert not any("ann.example" in text for text in kept["recipes"])


def by_hand() -> Recipe:
    """The clinic's recipe, of the tenant that the served server's key opens."""
    group = "form: New patient"
    typed = RecordedAction(
        name="setValue",
        element=ElementRef(role="inp", name="Name", group=group),
        args={"text": "{name}"},
        description="Enter '{name}'",
    )
    save = RecordedAction(name="click", element=ElementRef(role="btn", name="Save", group=group))
    step = RecordedStep(
        description="Add the patient",
        path="/patients/new",
        actions=(typed, save),
        check=StepCheck(path="/patients", says_success=True),
    )
    now = datetime.now(UTC)
    return Recipe(
        recipe_id="by-hand-0001",
        tenant="default",
        user="local",
        title="Add a patient",
        domain="clinic.example",
        start_url="https://clinic.example/patients/new",
        goal="Whoever {name} is, have them among our patients",
        parameters=(RecipeParameter(name="name", label="Name"),),
        steps=(step,),
        task_id="task",
        created_at=now,
        updated_at=now,
    )


async def test_no_model_is_asked_where_one_is_there(desk, served):
    async with open_all(served.settings) as opened:
        await opened.store.recipes.save(by_hand())
    recipe, page = {"id": "by-hand-0001"}, Addressed()
    ended, trips = await replay(desk.client, page, recipe, name="Robin Moss")
    assert (ended["status"], page.saved, trips) == ("completed", ["Robin Moss"], 3), ended
    assert desk.gemini.calls == []


async def test_no_model_is_asked_where_it_fails(desk, served):
    async with open_all(served.settings) as opened:
        await opened.store.recipes.save(by_hand())

    class Refusing(Addressed):
        def _click(self, element):
            self.error = "The server is busy" if element == "22" else self.error

    page = Refusing()
    body = starting(page, {"id": "by-hand-0001"}, name="Robin Moss")
    for _ in range(12):
        reply = await desk.client.post(INTERACT, json=body)
        answer = reply.json()
        if answer.get("type") != "action":
            break
        body = page.step(answer)
    assert answer.get("status") in ("failed", 400), answer
    assert (page.saved, desk.gemini.calls) == ([], [])
