"""Sentry with a real server: unexpected exceptions, without any user's text."""

import io
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
import sentry_sdk
import structlog
from pydantic import BaseModel, SecretStr, ValidationError

from app.agent.persistence import record
from app.api.routes import sessions
from app.errors import NotFound
from app.logs import bind_context, configure_logging
from app.observability.sentry import open_sentry
from app.settings import Settings
from tests.fakes import langfuse as langfuse_fakes
from tests.fakes import sentry as fakes
from tests.fakes.gemini import FakeGemini
from tests.fakes.sentry import FakeSentry
from tests.fakes.serving import WAITED_FOR_S
from tests.integration.agent.test_model_form import GOAL, INTERACT, FormPage, filling
from tests.integration.conftest import running

SECRET = "hunter2-4711"
log = structlog.get_logger(__name__)


class Person(BaseModel):
    age: int


@pytest.fixture
def sentry() -> Iterator[FakeSentry]:
    with fakes.sentry() as fake:
        yield fake


@pytest.fixture
def told(server_settings: Settings, sentry: FakeSentry) -> Settings:
    return server_settings.model_copy(
        update={"sentry_dsn": SecretStr(sentry.dsn), "environment": "Staging EU"}
    )


@pytest.fixture(autouse=True)
def real_logs() -> Iterator[None]:
    """Exceptions are heard of where they are logged: by the logs that a server has."""
    known, root = structlog.get_config(), logging.getLogger()
    handlers, level = list(root.handlers), root.level
    configure_logging(shape="json", stream=io.StringIO())
    yield
    structlog.configure(**known)
    structlog.contextvars.clear_contextvars()
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)


@pytest.fixture
async def open_to(told: Settings) -> AsyncIterator[None]:
    async with open_sentry(told) as observer:
        assert observer is not None
        yield


def thrown(body: Callable[[], Any]) -> None:
    """Do it, and log what it raises as a run does."""
    try:
        body()
    except Exception:
        log.exception("run failed", answer=SECRET)


def nested() -> None:
    typed = SECRET  # a local variable
    try:
        json.loads('{"password": "' + typed)
    except json.JSONDecodeError as error:
        error.add_note(SECRET)
        raise KeyError(SECRET) from error


async def shipped(fake: FakeSentry) -> None:
    sentry_sdk.get_client().flush(timeout=5)
    assert fake.envelopes


async def test_exception_is_sent_with_type_and_locations(open_to: None, sentry: FakeSentry):
    bind_context(trace="ab" * 16, tenant="one", task="T1")
    thrown(nested)
    await shipped(sentry)
    (event,) = sentry.events
    kinds = [one["type"] for one in event["exception"]["values"]]
    assert kinds == ["JSONDecodeError", "KeyError"]
    last = event["exception"]["values"][-1]["stacktrace"]["frames"][-1]
    assert (last["function"], last["module"]) == (
        "nested",
        "tests.integration.observability.test_sentry",
    )
    assert event["tags"] == {
        "tenant": "one",
        "task": "T1",
        "trace": "ab" * 16,
        "event": "run failed",
    }
    assert event["release"].startswith("tabwright@")
    assert event["environment"] == "staging-eu"
    assert SECRET.encode() not in sentry.sent


PLANTS: dict[str, Callable[[], Any]] = {
    "validation": lambda: Person.model_validate({"age": SECRET}),
    "json": lambda: json.loads(SECRET),
    "message": lambda: (_ for _ in ()).throw(ValueError(f"on the page: {SECRET}")),
    "group": lambda: (_ for _ in ()).throw(ExceptionGroup(SECRET, [ValueError(SECRET)])),
    "extra": lambda: sentry_sdk.set_extra("page", SECRET),
    "context": lambda: sentry_sdk.set_context("page", {"text": SECRET}),
    "user": lambda: sentry_sdk.set_user({"email": SECRET, "id": SECRET}),
    "tag": lambda: sentry_sdk.set_tag("goal", SECRET),
    "known tag": lambda: sentry_sdk.set_tag("event", f"{SECRET}\n'"),
    "crumb": lambda: sentry_sdk.add_breadcrumb(category="http", message=SECRET),
    "our crumb": lambda: sentry_sdk.add_breadcrumb(
        category="node", message="planning", data={"value": SECRET, "outcome": f"{SECRET} !"}
    ),
    "request": lambda: sentry_sdk.get_isolation_scope().add_event_processor(
        lambda event, _: {
            **event,
            "request": {"url": f"https://x.example/?q={SECRET}", "headers": {"a": SECRET}},
            "message": SECRET,
            "logentry": {"message": SECRET},
            "server_name": SECRET,
            "transaction": SECRET,
            "modules": {SECRET: SECRET},
            "threads": {"values": [{"stacktrace": {"frames": [{"vars": {"a": SECRET}}]}}]},
        }
    ),
    "attachment": lambda: sentry_sdk.get_isolation_scope().add_attachment(
        bytes=SECRET.encode(), filename=SECRET
    ),
    "library": lambda: logging.getLogger("uvicorn.error").error("at %s", SECRET, exc_info=OSError(SECRET)),
}  # fmt: skip


@pytest.mark.parametrize("where", PLANTS)
async def test_planted_secrets_are_not_sent(open_to: None, sentry: FakeSentry, where: str):
    with sentry_sdk.isolation_scope():
        thrown(PLANTS[where])
        thrown(nested)
        await shipped(sentry)
    assert sentry.events
    assert SECRET.encode() not in sentry.sent


async def test_only_exceptions_are_sent(open_to: None, sentry: FakeSentry):
    sentry_sdk.capture_message(SECRET)
    log.error("only words", page=SECRET)
    thrown(lambda: (_ for _ in ()).throw(NotFound("There is no such task")))
    log.warning("tried again", exc_info=ValueError(SECRET))
    thrown(nested)
    await shipped(sentry)
    assert len(sentry.events) == 1


async def test_failed_run_sends_its_visited_nodes_to_sentry_only(
    gemini_settings: Settings,
    told: Settings,
    gemini: FakeGemini,
    sentry: FakeSentry,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(record, "build_stored_response", broken)
    gemini.script(filling)
    headers = {"Authorization": f"Bearer {key}"}
    with langfuse_fakes.langfuse() as langfuse:
        settings = gemini_settings.model_copy(
            update={
                "sentry_dsn": told.sentry_dsn,
                "langfuse_public_key": langfuse_fakes.PUBLIC_KEY,
                "langfuse_secret_key": SecretStr(langfuse.secret_key),
                "langfuse_base_url": langfuse.url,
            }
        )
        async with (
            running(settings) as url,
            httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
        ):
            answer = await client.post(INTERACT, json=FormPage().look(query=GOAL))
        assert answer.status_code == 500
        (event,) = sentry.events
        assert event["exception"]["values"][-1]["type"] == "ZeroDivisionError"
        assert event["tags"]["tenant"] == "one"
        assert event["tags"]["trace"] == answer.json()["traceId"]
        been = [(crumb["category"], crumb["message"]) for crumb in event["breadcrumbs"]["values"]]
        assert ("node", "context_analysis") in been
        assert ("call", "opening") in been
        told_to_sentry = sentry.sent.decode()
        for words in (SECRET, "Jas", "Patel", "crm.example", "customer", key, "setValue"):
            assert words not in told_to_sentry
        (made,) = (
            langfuse.generations
        )  # its pass never ended: it is told all the same, in its place
        assert made.name == "opening"
        assert made.parent_id is not None
        node = langfuse.observations[made.trace_id, made.parent_id]
        assert node.name == "context-analysis"
        traced = b"".join(langfuse.bodies)
        assert b"ZeroDivisionError" not in traced
        assert SECRET.encode() not in traced


async def test_unexpected_500_is_sent_once(
    told: Settings, sentry: FakeSentry, key: str, monkeypatch: pytest.MonkeyPatch
):
    class Broken:
        def __init__(self, **_: object) -> None:
            raise RuntimeError(SECRET)

    monkeypatch.setattr(sessions, "SessionsPage", Broken)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(told) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        answer = await client.get("/api/sessions", params={"q": SECRET})
        assert answer.status_code == 500
        assert (await client.get("/api/task/none")).status_code == 404
    (event,) = sentry.events
    assert event["exception"]["values"][-1]["type"] == "RuntimeError"
    assert SECRET.encode() not in sentry.sent


async def test_closes_in_time_and_an_invalid_dsn_is_off(told: Settings, sentry: FakeSentry):
    sentry.hangs = True
    async with open_sentry(told):
        thrown(nested)
        before = time.monotonic()
    assert time.monotonic() - before < WAITED_FOR_S
    wrong = told.model_copy(update={"sentry_dsn": SecretStr("sentry.example/1")})
    async with open_sentry(wrong) as observer:
        assert observer is None
    with pytest.raises(ValidationError):
        Person.model_validate({"age": "x"})
