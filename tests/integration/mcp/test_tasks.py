"""Tasks over MCP with the real client; the user's browser is simulated over the HTTP API."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestFormParams, ElicitResult
from pydantic import SecretStr
from pymongo import MongoClient
from pymongo.database import Database

from app.domain.access import Principal
from app.hitl import events as hitl_events
from app.hitl.delegations import DelegationService
from app.mcp.tasks import call as tasks_running
from app.settings import Settings
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT, to_the_end
from tests.integration.api.test_hitl import EDIT, FORMS, PATIENTS, PRESS
from tests.integration.desk import RATES, threaded
from tests.integration.mcp.desk import INFO, MODES, keys_of

HANG_S = 60.0  # only ends a hang


@dataclass
class Person:
    """Someone with a browser of their own: what the extension does, over the HTTP API."""

    http: httpx.AsyncClient
    key: str

    async def asked(self, status: str = "waiting") -> dict[str, Any]:
        """The delegation that reaches the browser, as its stream tells of it."""
        async with asyncio.timeout(HANG_S), self.http.stream("GET", "/api/delegations/events") as s:
            async for line in s.aiter_lines():
                told = json.loads(line[6:])["delegations"] if line.startswith("data: ") else []
                for one in told:
                    if one["status"] == status:
                        return dict(one)
        raise AssertionError("nothing was asked for")

    async def says(self, what: str, one: dict[str, Any], **body: Any) -> dict[str, Any]:
        path = f"/api/delegations/{one['delegationId']}/{what}"
        reply = await self.http.post(path, json=body)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    async def takes(self, *, remember: bool = False) -> dict[str, Any]:
        one = await self.asked()
        await self.says("allow", one, remember=remember)
        await self.says("take", one, taker="browser-1")
        return one

    async def interact(self, body: dict[str, Any]) -> dict[str, Any]:
        reply = await self.http.post(INTERACT, json=body)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    async def begins(self, one: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        more = {"query": one["goal"], "delegationId": one["delegationId"]}
        if one["recipe"]:
            recipe = one["recipe"]
            more = {"delegationId": one["delegationId"]}
            more["recipe"] = {"recipeId": recipe["recipeId"], "values": recipe["parameters"]}
        return await self.interact(body | more)

    async def does(self, page: ClinicPage, one: dict[str, Any]) -> None:
        await to_the_end(self.http, page, await self.begins(one, page.observation()))

    async def answered(self, asked: dict[str, Any]) -> None:
        """Wait until the question waits no more."""
        async with asyncio.timeout(HANG_S):
            path = f"/api/hitl/{asked['hitlId']}"
            while (await self.http.get(path)).json()["status"] == "pending":
                await asyncio.sleep(0.01)


@dataclass
class Shown:
    """The client's person: forms that were shown, and what is said to each."""

    says: list[Any]
    forms: list[ElicitRequestFormParams] = field(default_factory=list)

    async def __call__(self, context: object, params: Any) -> ElicitResult:
        self.forms.append(params)
        said = self.says.pop(0)
        if isinstance(said, asyncio.Event):
            await said.wait()
        if isinstance(said, int) and not isinstance(said, bool):
            form = params.requested_schema["properties"]["answer"]
            several = form["type"] == "array"
            said = [form["items"]["enum"][said]] if several else form["enum"][said]
        if said in ("decline", "cancel"):
            return ElicitResult(action=said)
        return ElicitResult(action="accept", content={"answer": said})


@dataclass(frozen=True)
class Place:
    """A server, and keys: of the assistants of ann, bob and carl, and of ann's browser."""

    url: str
    rows: Database[dict[str, Any]]
    ann: str
    bob: str
    carl: str
    browser: str


@pytest.fixture(scope="module")
def place(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    name = f"test_{secrets.token_hex(6)}"
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=name,
        data_dir=tmp_path_factory.mktemp("tabwright"),
        llm="rules",
        **dict.fromkeys(RATES, "100000/minute"),
    )
    holders = [
        Principal(tenant="one", user="ann", scopes=("mcp",)),
        Principal(tenant="two", user="bob", scopes=("admin",)),
        Principal(tenant="one", user="carl", scopes=("mcp",)),
        Principal(tenant="one", user="ann", scopes=("browser",)),
    ]
    with MongoClient[dict[str, Any]](store_uri) as client:
        with threaded(settings) as url:
            yield Place(url, client[name], *keys_of(settings, holders))
        client.drop_database(name)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hitl_events, "LOOK_S", 0.05)


@pytest.fixture
async def ann(place: Place) -> AsyncIterator[Person]:
    headers = {"Authorization": f"Bearer {place.browser}"}
    async with httpx.AsyncClient(base_url=place.url, headers=headers, timeout=20) as http:
        yield Person(http, place.browser)
    rows = place.rows
    kept = {"api_keys", "server_secrets"}
    for name in set(rows.list_collection_names()) - kept:  # what was chosen is remembered
        rows[name].delete_many({})


@asynccontextmanager
async def assistant(
    place: Place, mode: str = "auto", shown: Shown | None = None, key: str | None = None
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key or place.ann}"}
    async with httpx2.AsyncClient(headers=headers, timeout=HANG_S) as http:
        transport = streamable_http_client(f"{place.url}/mcp/tabwright", http_client=http)
        made = Client(transport, mode=mode, client_info=INFO, elicitation_callback=shown)
        async with made as client:
            yield client


async def call(client: Client, tool: str, told: list[str] | None = None, **given: Any) -> Any:
    async def progress(step: float, total: float | None, message: str | None) -> None:
        if told is not None:
            told.append(message or "")

    result = await client.call_tool(tool, given, progress_callback=progress)
    assert result.is_error is False, result
    return result.structured_content


@asynccontextmanager
async def called(client: Client, tool: str, **given: Any) -> AsyncIterator["asyncio.Task[Any]"]:
    task = asyncio.ensure_future(call(client, tool, **given))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("mode", MODES)
async def test_task_is_allowed_and_reports_each_step(place, ann, mode):
    told: list[str] = []
    page = ClinicPage()
    async with (
        assistant(place, mode) as client,
        called(client, "run_task", told=told, goal=GOAL, url="https://clinic.example/") as running,
    ):
        one = await ann.takes()
        assert one["client"] | {"keyId": ""} == {
            "name": INFO.name,
            "version": INFO.version,
            "keyId": "",
        }
        assert one["url"] == "https://clinic.example/"
        await ann.does(page, one)
        ended = await asyncio.wait_for(running, HANG_S)
    assert page.saved == ["Jas"]
    assert ended["status"] == "completed"
    assert ended["delegation_id"] == one["delegationId"]
    timeline = (await ann.http.get(f"/api/task/{ended['task_id']}")).json()
    steps = [action["description"] for action in timeline["actions"]]
    assert [step["step"] for step in ended["steps"]] == steps
    assert ended["result"] == timeline["result"]
    assert "consent" in told[0]
    assert [line for line in told if line in steps] == steps


@pytest.mark.parametrize("mode", MODES)
async def test_question_is_elicited_and_its_answer_resumes_the_task(place, ann, mode):
    shown = Shown([1])  # the second option
    async with (
        assistant(place, mode, shown) as client,
        called(client, "run_task", goal=EDIT) as running,
    ):
        asked = await ann.begins(await ann.takes(), FORMS.body())
        labels = [one["label"] for one in asked["options"]]
        await ann.answered(asked)
        (form,) = shown.forms
        assert form.message.startswith(asked["message"])
        assert form.requested_schema["properties"]["answer"]["enum"] == labels
        action = await ann.interact(FORMS.body(taskId=asked["taskId"]))
        assert action["actions"][0]["action"] == 'click("2")'
        trail = (await ann.http.get(f"/api/task/{asked['taskId']}/audit")).json()["entries"]
        (answered,) = [one for one in trail if one["kind"] == "answered"]
        assert (answered["via"], answered["by"]) == ("mcp", f"ann, through {INFO.name}")
        await ann.http.post(f"/api/task/{asked['taskId']}/cancel")
        ended = await asyncio.wait_for(running, HANG_S)
    assert (ended["status"], ended["task_id"]) == ("interrupted", asked["taskId"])
    tasks = (await ann.http.get("/api/tasks")).json()["tasks"]
    assert sum(one["query"] == EDIT and one["taskId"] == asked["taskId"] for one in tasks) == 1


@pytest.mark.parametrize("mode", MODES)
async def test_approval_is_given_in_the_browser_only(place, ann, mode):
    shown = Shown([])
    told: list[str] = []
    async with (
        assistant(place, mode, shown) as client,
        called(client, "run_task", told=told, goal=PRESS) as running,
    ):
        asked = await ann.begins(await ann.takes(), PATIENTS.body())
        async with asyncio.timeout(HANG_S):
            while not any("Waiting for the user to answer" in line for line in told):
                await asyncio.sleep(0.01)
        said = {"hitlId": asked["hitlId"], "type": "yes_no", "value": "yes"}
        body = PATIENTS.body(taskId=asked["taskId"], hitlResponse=said)
        assert (await ann.interact(body))["actions"][0]["action"] == 'click("2")'
        assert not running.done()
        await ann.http.post(f"/api/task/{asked['taskId']}/cancel")
        assert (await asyncio.wait_for(running, HANG_S))["status"] == "interrupted"
    assert shown.forms == []


@pytest.mark.parametrize("mode", MODES)
async def test_declined_question_stays_in_the_panel(place, ann, mode):
    shown = Shown(["decline"])
    async with (
        assistant(place, mode, shown) as client,
        called(client, "run_task", goal=EDIT) as running,
    ):
        asked = await ann.begins(await ann.takes(), FORMS.body())
        while not shown.forms:
            await asyncio.sleep(0.01)
        said = {"hitlId": asked["hitlId"], "type": "element_choice", "value": "1"}
        body = FORMS.body(taskId=asked["taskId"], hitlResponse=said)
        assert (await ann.interact(body))["type"] == "action"
        await ann.http.post(f"/api/task/{asked['taskId']}/cancel")
        assert (await asyncio.wait_for(running, HANG_S))["status"] == "interrupted"
        assert len(shown.forms) == 1


async def test_answer_in_the_panel_ends_the_elicitation(place, ann):
    never = asyncio.Event()
    shown = Shown([never])
    async with (
        assistant(place, "legacy", shown) as client,
        called(client, "run_task", goal=EDIT) as running,
    ):
        asked = await ann.begins(await ann.takes(), FORMS.body())
        while not shown.forms:
            await asyncio.sleep(0.01)
        said = {"hitlId": asked["hitlId"], "type": "element_choice", "value": "1"}
        await ann.interact(FORMS.body(taskId=asked["taskId"], hitlResponse=said))
        await ann.http.post(f"/api/task/{asked['taskId']}/cancel")
        assert (await asyncio.wait_for(running, HANG_S))["status"] == "interrupted"


async def test_client_without_forms_answers_by_tool(place, ann):
    async with assistant(place) as client:
        async with called(client, "run_task", goal=EDIT) as running:
            asked = await ann.begins(await ann.takes(), FORMS.body())
            waits = await asyncio.wait_for(running, HANG_S)
        assert (waits["status"], waits["task_id"]) == ("awaiting_user", asked["taskId"])
        question = waits["question"]
        assert (question["id"], question["answer_in_browser"]) == (asked["hitlId"], False)
        assert [one["id"] for one in question["options"]] == [o["id"] for o in asked["options"]]
        task_id = asked["taskId"]
        seen = await call(client, "get_task", task_id=task_id)
        assert (seen["status"], seen["question"]["id"]) == ("awaiting_user", asked["hitlId"])
        other = await call(
            client, "answer_question", task_id=task_id, answer="1", question_id="another"
        )
        assert other["status"] == "not_found"
        wrong = await call(client, "answer_question", task_id=task_id, answer=True)
        assert wrong["status"] == "error"
        label = question["options"][0]["label"]
        async with called(client, "answer_question", task_id=task_id, answer=label) as running:
            await ann.answered(asked)
            action = await ann.interact(FORMS.body(taskId=task_id))
            assert action["actions"][0]["action"] == 'click("1")'
            ended = await call(client, "cancel_task", task_id=task_id)
            assert ended["status"] == "interrupted"
            assert (await asyncio.wait_for(running, HANG_S))["status"] == "interrupted"
        late = await call(client, "answer_question", task_id=task_id, answer=label)
        assert late["status"] == "error"


async def test_programs_may_refuse_but_not_approve(place, ann):
    async with assistant(place) as client:
        async with called(client, "run_task", goal=PRESS) as running:
            asked = await ann.begins(await ann.takes(), PATIENTS.body())
            waits = await asyncio.wait_for(running, HANG_S)
        assert waits["question"]["answer_in_browser"] is True
        task_id = asked["taskId"]
        yes = await call(client, "answer_question", task_id=task_id, answer=True)
        assert yes["status"] == "error"
        assert (await ann.http.get(f"/api/hitl/{asked['hitlId']}")).json()["status"] == "pending"
        async with called(client, "answer_question", task_id=task_id, answer=False):
            await ann.answered(asked)


async def test_reports_refused_expired_and_failed_tasks(place, ann):
    async with assistant(place) as client:
        async with called(client, "run_task", goal=GOAL) as running:
            await ann.says("refuse", await ann.asked())
            assert (await asyncio.wait_for(running, HANG_S))["status"] == "refused"
        async with called(client, "run_task", goal=GOAL) as running:
            one = await ann.asked()
            over = {"expiresAt": datetime.now(UTC) - timedelta(seconds=1)}
            rows = place.rows["delegations"]
            rows.update_one({"delegationId": one["delegationId"]}, {"$set": over})
            assert (await asyncio.wait_for(running, HANG_S))["status"] == "expired"
        async with called(client, "run_task", goal=GOAL) as running:
            await ann.says("failed", await ann.takes(), reason="No tab could be opened")
            ended = await asyncio.wait_for(running, HANG_S)
        assert (ended["status"], ended["result"]) == ("failed", "No tab could be opened")


async def test_remembered_consent_is_not_requested_again(place, ann):
    page = ClinicPage()
    async with assistant(place) as client:
        async with called(client, "run_task", goal=GOAL) as running:
            await ann.does(page, await ann.takes(remember=True))
            await asyncio.wait_for(running, HANG_S)
        async with called(client, "run_task", goal=GOAL) as running:
            again = await ann.asked("allowed")
            await ann.says("take", again, taker="browser-1")
            await ann.does(page, again)
            assert (await asyncio.wait_for(running, HANG_S))["status"] == "completed"


async def test_disconnecting_withdraws_a_task_not_started(place, ann):
    for mode in MODES:
        async with assistant(place, mode) as client, called(client, "run_task", goal=GOAL):
            one = await ann.asked()
        async with asyncio.timeout(HANG_S):
            while (await ann.http.get("/api/delegations")).json()["delegations"]:
                await asyncio.sleep(0.01)
        async with assistant(place, mode) as client:
            seen = await call(client, "get_task", task_id=one["delegationId"])
            assert seen["status"] == "cancelled"
            again = await call(client, "cancel_task", task_id=one["delegationId"])
            assert again["status"] == "error"


async def test_disconnecting_during_creation_withdraws_the_task(place, ann, monkeypatch):
    ask = DelegationService.ask

    async def slow(self, *args, **given):
        made = await ask(self, *args, **given)
        await asyncio.sleep(0.5)  # long enough to go away in
        return made

    monkeypatch.setattr(DelegationService, "ask", slow)
    async with assistant(place) as client, called(client, "run_task", goal=GOAL):
        await ann.asked()
    async with asyncio.timeout(HANG_S):
        while (await ann.http.get("/api/delegations")).json()["delegations"]:
            await asyncio.sleep(0.01)


async def test_started_task_continues_without_the_client(place, ann):
    page = ClinicPage()
    async with assistant(place) as client, called(client, "run_task", goal=GOAL):
        one = await ann.takes()
        first = await ann.begins(one, page.observation())
    await to_the_end(ann.http, page, first)
    async with assistant(place) as client:
        seen = await call(client, "get_task", task_id=one["delegationId"])
    assert (seen["status"], seen["task_id"]) == ("completed", first["taskId"])
    assert (seen["goal"], bool(seen["plan"])) == (GOAL, True)


async def test_call_that_times_out_reports_a_running_task(place, ann, monkeypatch):
    monkeypatch.setattr(tasks_running, "MAX_WAIT_S", 0.05)
    async with assistant(place) as client:
        waits = await call(client, "run_task", goal=GOAL)
        assert waits["status"] == "awaiting_consent"
        gone = await call(client, "cancel_task", task_id=waits["delegation_id"])
        assert gone["status"] == "cancelled"
    assert (await ann.http.get("/api/delegations")).json()["delegations"] == []


async def test_recipe_is_replayed_with_other_values(place, ann):
    page = ClinicPage()
    answer = await ann.interact(page.observation() | {"query": GOAL})
    done, _ = await to_the_end(ann.http, page, answer)
    saved = await ann.http.post("/api/recipes", json={"taskId": done["taskId"]})
    assert saved.status_code == 201, saved.text
    async with assistant(place) as client:
        listed = await call(client, "list_recipes", site="clinic.example")
        (recipe,) = listed["recipes"]
        assert (await call(client, "list_recipes", site="x.example"))["recipes"] == []
        (name,) = [one["name"] for one in recipe["parameters"]]
        wrong = {"recipe_id": recipe["recipe_id"], "parameters": {"nothing": "x"}}
        assert (await call(client, "run_recipe", **wrong))["status"] == "error"
        assert (await call(client, "run_recipe", recipe_id="none"))["status"] == "not_found"
        fresh = ClinicPage()
        given = {"recipe_id": recipe["recipe_id"], "parameters": {name: "Bo"}}
        async with called(client, "run_recipe", **given) as running:
            await ann.does(fresh, await ann.takes())
            ended = await asyncio.wait_for(running, HANG_S)
    assert (ended["status"], fresh.saved) == ("completed", ["Bo"])


async def test_other_users_have_no_access_over_mcp(place, ann):
    page = ClinicPage()
    async with assistant(place) as client, called(client, "run_task", goal=GOAL) as running:
        one = await ann.takes()
        first = await ann.begins(one, page.observation())
        for key in (place.bob, place.carl):
            async with assistant(place, key=key) as stranger:
                for task_id in (one["delegationId"], first["taskId"]):
                    for tool in ("get_task", "cancel_task"):
                        told = await call(stranger, tool, task_id=task_id)
                        assert told == {"status": "not_found", "id": task_id}
                    said = await call(stranger, "answer_question", task_id=task_id, answer="1")
                    assert said["status"] == "not_found"
        await to_the_end(ann.http, page, first)
        assert (await asyncio.wait_for(running, HANG_S))["status"] == "completed"


async def test_rejects_invalid_arguments(place, ann):
    async with assistant(place) as client:
        for given in ({}, {"goal": " "}, {"goal": 5}, {"goal": "x", "url": "file:///etc/passwd"}):
            told = await call(client, "run_task", **given)
            assert (told["status"], bool(told["message"])) == ("error", True), given
        for task_id in ("x" * 10_000, "../..", "none"):
            told = await call(client, "get_task", task_id=task_id)
            assert told["status"] == "not_found"
            assert len(told["id"]) <= 200
        assert (await call(client, "get_task", task_id="a\0b"))["status"] == "error"
        assert (await call(client, "search_knowledge", query="x", limit=0))["status"] == "error"
        told = await call(client, "ask_documents", question="x", conversation_id="none")
        assert told["status"] == "not_found"
    assert (await ann.http.get("/api/delegations")).json()["delegations"] == []


async def learned(ann: Person, title: str, text: str) -> None:
    body = {"text": f"# {title}\n\n{text}", "title": title}
    job = (await ann.http.post("/api/knowledge/ingest", json=body)).json()["jobId"]
    await ann.http.get(f"/api/knowledge/jobs/{job}/events")  # ends with the job


async def test_documents_are_searched_and_asked(place, ann):
    await learned(ann, "Handbook of keys", "The attic key hangs behind the blue kettle.")
    async with assistant(place) as client:
        question = "Where does the attic key hang?"
        found = await call(client, "search_knowledge", query=question, limit=3)
        assert "blue kettle" in found["passages"][0]["document_text"]
        assert found["passages"][0]["citation"]["title"] == "Handbook of keys"
        told = await call(client, "ask_documents", question=question)
        assert (told["status"], "blue kettle" in told["answer"]) == ("ok", True)
        assert told["citations"][0]["title"] == "Handbook of keys"
        more = {"question": question, "conversation_id": told["conversation_id"]}
        again = await call(client, "ask_documents", **more)
        assert again["conversation_id"] == told["conversation_id"]
    async with assistant(place, key=place.carl) as stranger:
        assert (await call(stranger, "ask_documents", **more))["status"] == "not_found"


@pytest.mark.parametrize("mode", [*MODES, "without forms"])
async def test_ambiguous_document_is_elicited(place, ann, mode):
    for site, hook in (("Berlin", "red"), ("Lyon", "green")):
        await learned(ann, f"Handbook {site}", f"The key of {site} hangs on the {hook} hook.")
    shown = None if mode == "without forms" else Shown([1])
    async with assistant(place, mode if shown else "auto", shown) as client:
        told = await call(client, "ask_documents", question="Summarize the handbook")
        if shown is None:
            assert told["status"] == "awaiting_user", told
            label = told["question"]["options"][1]["label"]
            asked = {"task_id": told["conversation_id"], "answer": label}
            told = await call(client, "answer_question", **asked)
        assert told["status"] == "ok", told
        assert ("red" in told["answer"]) != ("green" in told["answer"])
        rows = list(place.rows["hitl"].find({}))
        assert [row["result"]["via"] for row in rows] == ["mcp"]
