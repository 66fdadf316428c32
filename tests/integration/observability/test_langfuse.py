"""LangFuse with a real server: one trace per task, whatever LangFuse does."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from app.domain.metrics.telemetry import trace_started_at
from app.observability.langfuse import open_langfuse
from app.settings import Settings
from tests.fakes import langfuse as fakes
from tests.fakes.gemini import FakeGemini
from tests.fakes.langfuse import FakeLangfuse, Seen
from tests.fakes.serving import WAITED_FOR_S
from tests.integration.agent.test_model_form import GOAL, INTERACT, FormPage, filling
from tests.integration.conftest import running
from tests.unit.observability.reports import a_call, a_pass


@pytest.fixture
def langfuse() -> Iterator[FakeLangfuse]:
    with fakes.langfuse() as fake:
        yield fake


def told(settings: Settings, fake: FakeLangfuse, **more: Any) -> Settings:
    return settings.model_copy(
        update={
            "langfuse_public_key": fakes.PUBLIC_KEY,
            "langfuse_secret_key": SecretStr(fakes.SECRET_KEY),
            "langfuse_base_url": fake.url,
            "environment": "Staging EU",
            **more,
        }
    )


@asynccontextmanager
async def served(settings: Settings, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        yield client


async def a_task(client: httpx.AsyncClient, page: FormPage) -> dict[str, Any]:
    answer = (await client.post(INTERACT, json=page.look(query=GOAL))).json()
    while answer["type"] == "action":
        answer = (await client.post(INTERACT, json=page.step(answer))).json()
    assert answer["status"] == "completed", answer
    return answer  # type: ignore[no-any-return]


def until(holds: Callable[[], bool], within_s: float = 20) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def above(fake: FakeLangfuse, one: Seen) -> list[str]:
    names = []
    while one.parent_id is not None:
        one = fake.observations[one.trace_id, one.parent_id]
        names.append(one.name)
    return names


async def test_a_task_is_one_trace_over_requests_and_a_restart(
    gemini_settings: Settings, gemini: FakeGemini, langfuse: FakeLangfuse, key: str
) -> None:
    settings, page = told(gemini_settings, langfuse), FormPage()
    gemini.script(filling)
    async with served(settings, key) as client:
        answer = (await client.post(INTERACT, json=page.look(query=GOAL))).json()
    async with served(settings, key) as client:  # another process, as far as the task can tell
        while answer["type"] == "action":
            answer = (await client.post(INTERACT, json=page.step(answer))).json()
    assert answer["status"] == "completed"
    assert {one.trace_id for one in langfuse.seen} == {answer["traceId"]}
    (root,) = [one for one in langfuse.seen if one.parent_id is None]
    assert root.name == f"interact-request-{answer['taskId']}"
    assert root.began == trace_started_at(answer["traceId"])
    assert root.read("output") == {"answer": "done", "status": "completed"}
    assert [one.name for one in langfuse.children(root)] == ["request", "request"]
    assert {"user.id", "session.id", "trace.name", "release"} <= root.attributes.keys()
    assert (root.attributes["environment"], root.attributes["trace.tags"]) == (
        "staging-eu", ["tenant:one", "COMPLEX"]
    )  # fmt: skip
    (made,) = langfuse.generations
    assert above(langfuse, made)[0] == "context-analysis"
    assert (made.name, made.attributes["observation.prompt.version"]) == ("opening", 3)
    assert made.read("input")[1]["content"] == gemini.calls[0].prompt
    assert made.read("usage_details")["total"] >= gemini.input_tokens
    assert made.read("cost_details")["total"] > 0
    assert langfuse.scored()["verification_success"] == 1.0
    assert {"verification", "execution"} <= {one.name for one in langfuse.seen}
    marked = [one for one in langfuse.seen if one.attributes.get("internal.is_app_root")]
    assert marked == [root]


async def test_unavailable_langfuse_does_not_affect_tasks(
    gemini_settings: Settings, gemini: FakeGemini, langfuse: FakeLangfuse, key: str
) -> None:
    langfuse.fails = 503
    gemini.always(filling)
    async with served(told(gemini_settings, langfuse), key) as client:
        await a_task(client, FormPage())
        until(lambda: langfuse.posts > 0)
        langfuse.fails = None
        until(lambda: len(langfuse.generations) == 1)  # what waited comes
        langfuse.hangs = True
        before = time.monotonic()
        await a_task(client, FormPage())
        assert time.monotonic() - before < WAITED_FOR_S
        until(lambda: langfuse.posts > 2)
        before = time.monotonic()
    assert time.monotonic() - before < WAITED_FOR_S  # the whole server has ended


async def test_wrong_keys_do_not_affect_tasks(
    server_settings: Settings, langfuse: FakeLangfuse
) -> None:
    wrong = told(server_settings, langfuse, langfuse_secret_key=SecretStr("sk-wrong"))
    async with open_langfuse(wrong) as observer:
        assert observer is not None
        observer.on_run(a_pass())
        until(lambda: observer.dropped > 0)
    assert not langfuse.observations


async def test_incomplete_configuration_is_off(server_settings: Settings) -> None:
    half = server_settings.model_copy(update={"langfuse_public_key": "pk"})
    async with open_langfuse(half) as observer:
        assert observer is None


async def test_recording_is_fast_and_leaves_other_telemetry_alone(
    server_settings: Settings, langfuse: FakeLangfuse
) -> None:
    from opentelemetry import trace  # noqa: PLC0415 (loads the SDK)

    async with open_langfuse(told(server_settings, langfuse)) as observer:
        assert observer is not None
        taken = []
        for number in range(300):
            call = a_call(request_id=f"r{number}")
            before = time.thread_time()
            observer.on_call(call, None)
            taken.append(time.thread_time() - before)
        assert sorted(taken)[len(taken) // 2] < 0.000_2
        assert type(trace.get_tracer_provider()).__name__ == "ProxyTracerProvider"


async def test_password_in_the_goal_is_not_traced(
    server_settings: Settings, langfuse: FakeLangfuse, key: str
) -> None:
    tree = [{"i": "1", "r": "inp", "n": "Password", "s": ["password"]}]
    look = FormPage().look(query='Type "hunter2-4711" into Password', interactiveTree=tree)
    async with served(told(server_settings, langfuse), key) as client:
        answer = (await client.post(INTERACT, json=look)).json()
        assert "hunter2-4711" in answer["actions"][0]["action"]
        until(lambda: bool(langfuse.seen))
    assert b"into Password" in b"".join(langfuse.bodies)
    assert b"hunter2-4711" not in b"".join(langfuse.bodies)
