"""What a reasoner sees of a page in another form, and what is kept of it and of what was spent."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from app.adapters import Adapters
from app.domain.metrics.usage import CallUsage
from app.domain.page import Observation
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.errors import StoreUnavailable
from app.main import create_app
from app.reasoners.rules import RuleReasoner
from app.search.choice import open_search
from app.store.open import open_all
from app.usage.service import UsageService, open_usage
from tests.fakes.clinic import ClinicPage
from tests.knowledge import opened_knowledge

GOAL = "Add a new patient with name 'Jas'"
INTERACT = "/api/agent/interact"
JPEG = b"\xff\xd8\xff\xe0" + b"shown to nobody else" * 40
PICTURE = base64.b64encode(JPEG).decode()
PAGE = '<h1>Patients</h1><script>x()</script><button data-llm-id="2">Patient</button>'


class Spending(RuleReasoner):
    """Rules that pretend to have asked a model, and note what they were shown."""

    seen: list[Observation]
    usage: UsageService
    model = "gemini-3-flash-preview"

    async def refine(self, situation: Situation) -> Decision:
        self.seen.append(situation.page)
        for outcome in ("unusable", "ok"):
            self.usage.record(
                CallUsage(
                    provider="gemini",
                    model=self.model,
                    purpose="acting",
                    input_tokens=1_000,
                    cached_tokens=600,
                    output_tokens=40,
                    thinking_tokens=10,
                    duration_ms=250.0,
                    outcome=outcome,
                )
            )
        return await super().refine(situation)


COST = 2 * (400 * 0.50 + 600 * 0.05 + 50 * 3.00) / 1_000_000
SPENT = {"inputTokens": 2_000, "outputTokens": 100, "modelCalls": 2}


@pytest.fixture
def reasoner() -> Spending:
    made = Spending()
    made.seen = []
    return made


@pytest.fixture
async def client(server_settings, key, reasoner) -> AsyncIterator[httpx.AsyncClient]:
    @asynccontextmanager
    async def opener(settings):
        async with (
            open_all(settings) as opened,
            open_usage(opened.together) as usage,
            open_search(settings, usage.record) as search,
            opened_knowledge(opened.store) as knowledge,
        ):
            reasoner.usage = usage
            yield Adapters(
                opened=opened,
                reasoner=reasoner,
                search=search,
                modelled=False,
                usage=usage,
                knowledge=knowledge,
            )

    app = create_app(server_settings, opener)
    transport = httpx.ASGITransport(app)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        app.router.lifespan_context(app) as state,
        httpx.AsyncClient(
            transport=_With(transport, state), base_url="http://x", headers=headers
        ) as made,
    ):
        yield made


class _With(httpx.AsyncBaseTransport):
    """Hands the lifespan's state to requests, as a server does."""

    def __init__(self, inner, state):
        self._inner, self._state = inner, state

    async def handle_async_request(self, request):
        app = self._inner.app

        async def stated(scope, receive, send):
            await app(scope | {"state": dict(self._state)}, receive, send)

        return await httpx.ASGITransport(stated).handle_async_request(request)


async def post(client, body):
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def test_each_form_reaches_the_reasoner_and_no_form_is_kept(client, reasoner, opened):
    bare = ClinicPage().observation() | {"query": GOAL}
    forms = {
        "semantic_v3": {"dom": PAGE, "screenshot": PICTURE},
        "semantic": {"dom": PAGE},
        "skeleton": {"dom": PAGE},
        "hybrid": {"skeletonDom": PAGE, "screenshot": PICTURE, "screenshotHash": "0f"},
        "full": {"dom": PAGE},
    }
    for mode, form in forms.items():
        await post(client, bare | {"requestId": f"in-{mode}", "domMode": mode} | form)
    seen = {page.mode: page for page in reasoner.seen}
    assert list(seen) == list(forms)
    assert seen["semantic_v3"].markup == ""
    for mode in ("semantic", "skeleton", "hybrid", "full"):
        assert 'data-llm-id="2"' in seen[mode].markup
        assert "x()" not in seen[mode].markup
        assert seen[mode].tree.get("2") is not None
    assert {mode: page.screenshot for mode, page in seen.items() if page.screenshot} == {
        "hybrid": JPEG
    }
    for name in await opened.database.list_collection_names():
        async for row in opened.database[name].find():
            assert "shown to nobody else" not in str(row), name
            assert PICTURE[:40] not in str(row), name


@pytest.mark.parametrize(
    "picture", ["not base64!", base64.b64encode(b"\x89PNG\r\n").decode(), "/9j", "", "===="]
)
async def test_what_is_no_picture_is_refused(client, picture):
    body = ClinicPage().observation() | {"query": GOAL, "domMode": "hybrid", "screenshot": picture}
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 422
    assert "screenshot" in reply.text


async def test_a_picture_that_may_not_be_taken_is_no_reason_to_stop(client):
    body = ClinicPage().observation() | {"query": GOAL, "domMode": "hybrid", "screenshot": None}
    answer = await post(client, body | {"skeletonDom": PAGE})
    assert answer["actions"]


async def test_what_was_spent_is_in_the_answer_the_task_and_the_bill(client, store, reasoner):
    page = ClinicPage()
    body = page.observation() | {"query": GOAL}
    first = await post(client, body)
    assert {name: first["usage"][name] for name in SPENT} == SPENT
    assert first["usage"]["costUsd"] == pytest.approx(COST)
    assert first["usage"]["costKnown"] is True
    assert (await post(client, body))["usage"] == first["usage"]

    second = await post(client, page.step(first))
    task = await store.tasks.get("one", first["taskId"])
    calls = second["usage"]["modelCalls"]
    assert task.metrics["modelCalls"] == 2 + calls
    assert task.metrics["inputTokens"] == 1_000 * (2 + calls)
    assert task.metrics["costUsd"] == pytest.approx(COST * (2 + calls) / 2)

    await reasoner.usage.flush()
    rows = await store.usage.of_task("one", first["taskId"])
    assert len(rows) == 2 + calls
    failed, paid = rows[:2]
    assert (failed.ok, paid.ok) == (False, True)
    assert (paid.user, paid.session_id) == ("ann", first["sessionId"])
    assert (paid.request_id, paid.trace_id) == (body["requestId"], first["traceId"])
    assert (paid.model, paid.action_type) == ("gemini-3-flash-preview", "REFINEMENT")
    assert (paid.input_tokens, paid.cached_tokens, paid.output_tokens) == (1_000, 600, 50)
    assert paid.cost_usd == pytest.approx(COST / 2)
    lines = await store.messages.of_session("one", first["sessionId"], limit=10)
    assert paid.message_id in {line.message_id for line in lines if line.role == "assistant"}


async def test_all_calls_of_a_task_belong_to_its_chain_of_requests(client, store, reasoner):
    """The chain's trace is the first request's: what LangFuse and the ledger of effects go by."""
    page = ClinicPage()
    first = await post(client, page.observation() | {"query": GOAL})
    second = await client.post(INTERACT, json=page.step(first))
    assert second.json()["usage"]["modelCalls"] > 0
    assert second.headers["x-trace-id"] != second.json()["traceId"] == first["traceId"]
    await reasoner.usage.flush()
    rows = await store.usage.of_task("one", first["taskId"])
    assert {row.trace_id for row in rows} == {first["traceId"]}
    assert sorted({row.step_index for row in rows}) == [0, 1]
    assert len({row.request_id for row in rows}) == len({row.message_id for row in rows}) == 2


async def test_a_model_of_unknown_price_is_told_as_such(client, reasoner):
    reasoner.model = "somebodys-own"
    answer = await post(client, ClinicPage().observation() | {"query": GOAL})
    unknown = {"costUsd": 0.0, "costKnown": False, "model": "somebodys-own"}
    assert answer["usage"] == SPENT | unknown


async def test_what_a_failed_run_spent_is_on_the_bill(client, reasoner, opened, monkeypatch):
    spending = Spending.refine

    async def broken(self, situation):
        await spending(self, situation)
        raise StoreUnavailable

    monkeypatch.setattr(type(reasoner), "refine", broken)
    reply = await client.post(INTERACT, json=ClinicPage().observation() | {"query": GOAL})
    assert reply.status_code == 503
    await reasoner.usage.flush()
    assert await opened.database["token_usage_logs"].count_documents({"tenantId": "one"}) == 2


async def test_without_a_call_no_row_is_written(client, opened, reasoner, monkeypatch):
    monkeypatch.setattr(Spending, "refine", RuleReasoner.refine)
    answer = await post(client, ClinicPage().observation() | {"query": GOAL})
    assert answer["usage"]["modelCalls"] == 0
    await reasoner.usage.flush()
    assert await opened.database["token_usage_logs"].count_documents({}) == 0


async def test_a_look_is_asked_for_once_and_the_step_goes_on_with_what_is_seen(
    client, reasoner, monkeypatch
):
    rules = Spending.refine

    async def sees(self, situation):
        if situation.page.screenshot is None:
            self.seen.append(situation.page)
            return Decision(outcome="look", maker="model", mode="hybrid")
        return await rules(self, situation)

    monkeypatch.setattr(Spending, "refine", sees)
    page = ClinicPage()
    goal = {"query": GOAL}
    first = await post(client, page.observation() | goal)
    assert (first["requestedDomMode"], first["actions"]) == ("hybrid", [])
    shown = {"domMode": "hybrid", "skeletonDom": PAGE, "screenshot": PICTURE}
    again = page.observation() | goal | {"taskId": first["taskId"]} | shown
    second = await post(client, again)
    assert second["requestedDomMode"] is None
    assert second["actions"]
    assert reasoner.seen[-1].screenshot == JPEG
