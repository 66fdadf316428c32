"""Questions to a person, and runs that are stopped, over the wire and the real store."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from app.adapters import Adapters
from app.api.routes.interact.response import InterruptAnswer
from app.domain.access import Principal
from app.domain.hitl import Question
from app.domain.plan import Analysis
from app.main import create_app
from app.search.choice import open_search
from app.store.open import open_all
from app.usage.service import open_usage
from tests.fakes.clinic import ClinicPage
from tests.fakes.serving import serve_in_loop
from tests.integration.agent.test_interact import INTERACT
from tests.knowledge import opened_knowledge
from tests.unit.agent.reasoning import Scripted, act, plan

GOAL = "Register Jas, as the front desk would"
ASKS = Analysis(question=Question(text="I need to know:", fields=("Phone of Jas",)))
FOUND = Analysis(plan=plan("Open the menu"), first=act("click(2)"))


class Thinking(Scripted):
    """Thinks until it is told to go on."""

    def __init__(self, *said):
        super().__init__(*said)
        self.thinks, self.go_on = asyncio.Event(), asyncio.Event()

    async def analyse(self, situation):
        self.thinks.set()
        await self.go_on.wait()
        return await super().analyse(situation)


@asynccontextmanager
async def serving(settings, reasoner):
    @asynccontextmanager
    async def opener(given):
        async with (
            open_all(given) as opened,
            open_usage(opened.together) as usage,
            open_search(given, usage.record) as search,
            opened_knowledge(opened.store) as knowledge,
        ):
            yield Adapters(
                opened=opened,
                reasoner=reasoner,
                search=search,
                modelled=True,
                usage=usage,
                knowledge=knowledge,
            )

    app = create_app(settings, opener)
    async with serve_in_loop(app) as url:
        yield url


@asynccontextmanager
async def talking(settings, key, reasoner):
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        serving(settings, reasoner) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        yield client


@pytest.fixture
def script():
    return Scripted(("analyse", ASKS), ("analyse", FOUND))


@pytest.fixture
async def person(server_settings, key, script):
    async with talking(server_settings, key, script) as client:
        yield client


async def asked(client, **more):
    reply = await client.post(INTERACT, json=ClinicPage().observation() | {"query": GOAL} | more)
    assert reply.status_code == 200, reply.text
    assert reply.json()["type"] == "interrupt", reply.text
    return reply.json()


def answer_to(question, value="050-1234567", kind="text_input", **more):
    said = {"hitlId": question["hitlId"], "type": kind, "value": value}
    body = ClinicPage().observation() | {"taskId": question["taskId"], "hitlResponse": said}
    return body | more


async def test_a_question_is_answered_and_the_task_goes_on(person, script):
    question = await asked(person)
    InterruptAnswer.model_validate(question)
    assert "Phone of Jas" in question["message"]
    assert datetime.fromisoformat(question["expiresAt"]) > datetime.now(UTC)
    body = answer_to(question)
    reply = (await person.post(INTERACT, json=body)).json()
    assert (reply["type"], reply["taskId"]) == ("action", question["taskId"])
    assert reply["sessionId"] == question["sessionId"]
    assert script.heard[-1][1].background.answers[0].text == "050-1234567"
    assert (await person.post(INTERACT, json=body)).json() == reply


async def test_a_question_leaves_no_task_but_its_words(person, store):
    question = await asked(person)
    task, session = question["taskId"], question["sessionId"]
    assert (await person.get(f"/api/task/{task}")).status_code == 404
    assert (await person.get(f"/api/session/{session}/task/active")).status_code == 404
    said = (await person.get(f"/api/session/{session}/messages")).json()
    assert [line["role"] for line in said["messages"]] == ["user", "assistant"]
    assert "Phone of Jas" in said["messages"][1]["content"]
    assert said["pendingInterrupt"]["hitlId"] == question["hitlId"]
    reply = (await person.post(INTERACT, json=answer_to(question))).json()
    assert (await person.get(f"/api/task/{task}")).json()["status"] == "executing"
    sessions = (await person.get("/api/sessions")).json()["sessions"]
    assert [one["taskCount"] for one in sessions if one["sessionId"] == session] == [1]
    said = (await person.get(f"/api/session/{session}/messages")).json()
    assert "050-1234567" in [line["content"] for line in said["messages"]]
    assert "pendingInterrupt" not in said or said["pendingInterrupt"] is None
    assert reply["type"] == "action"


async def test_without_an_answer_the_same_question_comes_again(person):
    question = await asked(person)
    again = await asked(person, taskId=question["taskId"])
    assert again["hitlId"] == question["hitlId"]
    assert again["expiresAt"] == question["expiresAt"]


async def test_another_goal_cancels_the_question(person):
    question = await asked(person)
    body = ClinicPage().observation() | {"taskId": question["taskId"], "query": "Click Home"}
    reply = (await person.post(INTERACT, json=body)).json()
    assert reply["action"] == 'click("1")'
    late = await person.post(INTERACT, json=answer_to(question))
    assert (late.status_code, late.json()["code"]) == (400, "HITL_NOT_PENDING")


async def test_answers_to_no_question(person):
    question = await asked(person)
    wrong = answer_to(question | {"hitlId": "another"})
    alone = answer_to(question) | {"query": GOAL}
    del alone["taskId"]
    for body in (wrong, alone):
        reply = await person.post(INTERACT, json=body)
        assert (reply.status_code, reply.json()["code"]) == (400, "HITL_NOT_PENDING")
    for unfit in (
        answer_to(question, None), answer_to(question, "  "), answer_to(question, []),
        answer_to(question, "yes", "yes_no"),
    ):  # fmt: skip
        assert (await person.post(INTERACT, json=unfit)).status_code == 422
    assert (await person.post(INTERACT, json=answer_to(question))).status_code == 200


async def test_a_cancelled_question_ends_the_task_and_it_may_be_taken_up(person):
    question = await asked(person)
    ended = (await person.post(INTERACT, json=answer_to(question, None, "cancel"))).json()
    assert (ended["type"], ended["status"], ended["actions"]) == ("done", "interrupted", [])
    body = ClinicPage().observation() | {"taskId": question["taskId"]}
    assert (await person.post(INTERACT, json=body)).json()["type"] == "action"


async def test_a_question_that_expired(person, monkeypatch):
    monkeypatch.setattr("app.hitl.questions.ANSWER_WITHIN", timedelta(seconds=-1))
    question = await asked(person)
    reply = await person.post(INTERACT, json=answer_to(question))
    assert (reply.status_code, reply.json()["code"]) == (409, "HITL_EXPIRED")
    body = ClinicPage().observation() | {"taskId": question["taskId"]}
    assert (await person.post(INTERACT, json=body)).json()["type"] == "action"


async def test_a_question_is_its_own_tenants(person, store):
    question = await asked(person)
    _, secret = await store.keys.create(Principal(tenant="two", user="bob"))
    stranger = {"Authorization": f"Bearer {secret}"}
    reply = await person.post(INTERACT, json=answer_to(question), headers=stranger)
    assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")
    stopping = f"/api/task/{question['taskId']}/cancel"
    assert (await person.post(stopping, headers=stranger)).status_code == 404
    session = f"/api/session/{question['sessionId']}/messages"
    assert (await person.get(session, headers=stranger)).status_code == 404


async def test_what_was_said_before_is_remembered(server_settings, key):
    script = Scripted(("analyse", Analysis(answer="Hello.")), ("analyse", FOUND))
    async with talking(server_settings, key, script) as client:
        body = ClinicPage().observation() | {"query": "my name is Ann", "sessionId": "session-1"}
        await client.post(INTERACT, json=body)
        body = ClinicPage().observation() | {"query": GOAL, "sessionId": "session-1"}
        await client.post(INTERACT, json=body)
    memory = script.heard[-1][1].background.memory
    assert [(line.role, line.content) for line in memory] == [
        ("user", "my name is Ann"), ("assistant", "Hello."),
    ]  # fmt: skip


class Sent:
    """A request on its way, read event by event."""

    def __init__(self, client, body):
        self.events, self.named = [], asyncio.Event()
        self.job = asyncio.create_task(self._read(client, body))

    async def _read(self, client, body):
        headers = {"Accept": "text/event-stream"}
        async with client.stream("POST", INTERACT, json=body, headers=headers) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    self.events.append(json.loads(line[6:]))
                    self.named.set()

    async def task_id(self):
        await self.named.wait()
        return self.events[0]["taskId"]


async def test_a_run_in_flight_is_stopped_and_goes_on_later(server_settings, key):
    script = Thinking(("analyse", FOUND))
    async with talking(server_settings, key, script) as client:
        sent = Sent(client, ClinicPage().observation() | {"query": GOAL})
        await script.thinks.wait()
        task_id = await sent.task_id()
        stopped = await client.post(f"/api/task/{task_id}/cancel")
        assert stopped.json() == {"taskId": task_id, "status": "interrupted"}
        await sent.job
        assert [sent.events[-1][name] for name in ("type", "status")] == ["done", "interrupted"]
        script.go_on.set()
        again = ClinicPage().observation() | {"taskId": task_id}
        reply = (await client.post(INTERACT, json=again)).json()
        assert (reply["type"], reply["taskId"]) == ("action", task_id)
        assert (await client.get(f"/api/task/{task_id}")).json()["status"] == "executing"


async def test_a_run_of_another_worker_is_stopped(server_settings, key, monkeypatch):
    monkeypatch.setattr("app.runs.lease.RENEW_S", 0.05)
    script = Thinking(("analyse", FOUND))
    async with (
        talking(server_settings, key, script) as client,
        talking(server_settings, key, Scripted()) as other,
    ):
        sent = Sent(client, ClinicPage().observation() | {"query": GOAL})
        await script.thinks.wait()
        task_id = await sent.task_id()
        assert (await other.post(f"/api/task/{task_id}/cancel")).status_code == 200
        await sent.job
        assert [sent.events[-1][name] for name in ("type", "status")] == ["done", "interrupted"]
        script.go_on.set()
        again = ClinicPage().observation() | {"taskId": task_id}
        assert (await client.post(INTERACT, json=again)).json()["type"] == "action"


async def test_a_run_is_stopped_by_its_own_tenant_alone(server_settings, key, store):
    _, secret = await store.keys.create(Principal(tenant="two", user="bob"))
    stranger = {"Authorization": f"Bearer {secret}"}
    script = Thinking(("analyse", FOUND))
    async with talking(server_settings, key, script) as client:
        sent = Sent(client, ClinicPage().observation() | {"query": GOAL})
        await script.thinks.wait()
        stopping = f"/api/task/{await sent.task_id()}/cancel"
        assert (await client.post(stopping, headers=stranger)).status_code == 404
        script.go_on.set()
        await sent.job
        assert sent.events[-1]["type"] == "action"
