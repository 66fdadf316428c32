"""A real server that reasons with the Gemini fake, one for a module of tests, and what it answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast
from uuid import uuid4

import httpx
import orjson
import pytest
from pydantic import SecretStr

from app.agent.graph import build_graph
from app.agent.state import AgentState
from app.llm.providers.guarded_model import GuardedModel
from app.llm.providers.guards import CallGuards, CircuitBreaker
from app.main import create_app
from app.runs.graph import thread_config
from app.server.connection import http_options
from app.settings import Settings
from app.store.open import open_all
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.serving import served
from tests.fakes.tavily import FakeTavily

INTERACT = "/api/agent/interact"
KEY = "a-key-for-these-tests"
RATES = (
    "rate_limit",
    *(
        f"rate_limit_{kind}"
        for kind in ("reads", "writes", "admin", "exports", "ingests", "chats", "mcp")
    ),
)
START_S = 30.0  # only ends a hang
OPENING = ["complexity_check", "context_analysis", "planning", "step_refinement"]
SENT = ["outcome_prediction"]
BACK = ["execution", "verification"]


def node(i: int, role: str, name: str, value: str | None = None, **more: Any) -> dict[str, Any]:
    """A node as the extension sends it."""
    held = {} if value is None else {"v": value}
    return {"i": str(i), "r": role, "n": name, **held, **more}


@dataclass(frozen=True)
class Screen:
    """What the page shows at one moment."""

    nodes: tuple[dict[str, Any], ...]
    url: str = "https://crm.example/customers"
    title: str = "Customers"
    more: dict[str, Any] = field(default_factory=dict)

    def body(self, **more: Any) -> dict[str, Any]:
        about = {"url": self.url, "pageTitle": self.title, "requestId": str(uuid4())}
        seen = {"domMode": "semantic_v3", "interactiveTree": list(self.nodes)}
        window = {"viewport": {"width": 1280, "height": 800}, "pageSummary": self.title}
        return about | seen | window | self.more | more

    def with_value(self, i: int, value: str) -> "Screen":
        """The same with a field filled."""
        nodes = tuple(one | {"v": value} if one["i"] == str(i) else one for one in self.nodes)
        return replace(self, nodes=nodes)


@dataclass(frozen=True)
class Trip:
    """One round trip: the nodes that were visited, the answer, and the calls it took."""

    nodes: list[str]
    answer: dict[str, Any]
    calls: list[Call]

    @property
    def actions(self) -> list[str]:
        return [one["action"] for one in self.answer["actions"]]

    @property
    def way(self) -> list[str]:
        """The nodes but for a critic's: for a test that is not about what is doubted."""
        return [one for one in self.nodes if one != "critic"]

    @property
    def thinking(self) -> list[Call]:
        """The calls but for a critic's."""
        return [call for call in self.calls if not call.asks_for("ok")]

    @property
    def ended(self) -> tuple[str, str]:
        return self.answer["type"], self.answer["status"]


class Desk:
    """Talks to the server as the extension does."""

    def __init__(self, client: httpx.AsyncClient, served: "Served") -> None:
        self.client, self.gemini, self.tavily = client, served.gemini, served.tavily
        self.settings = served.settings

    async def state(self, trip: "Trip") -> AgentState:
        """What the run left in the store, read by another process than the one that wrote it."""
        async with open_all(self.settings) as opened:
            graph = build_graph(opened.checkpointer)
            snapshot = await graph.aget_state(thread_config(trip.answer["taskId"]))
            return cast(AgentState, snapshot.values)

    async def post(self, body: dict[str, Any]) -> Trip:
        before = len(self.gemini.calls)
        events = []
        headers = {"Accept": "text/event-stream"}
        async with self.client.stream("POST", INTERACT, json=body, headers=headers) as stream:
            assert stream.status_code == 200, await stream.aread()
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    events.append(orjson.loads(line[6:]))
        nodes = [one["node"] for one in events[:-1] if one["node"] != "start"]
        return Trip(nodes, events[-1], self.gemini.calls[before:])

    async def begin(self, screen: Screen, goal: str, **more: Any) -> Trip:
        return await self.post(screen.body(query=goal, **more))

    async def go_on(self, trip: Trip, screen: Screen, **more: Any) -> Trip:
        """All that was asked for was done, and the page looks like this now."""
        done = trip.answer["actions"]
        told: dict[str, Any] = {"taskId": trip.answer["taskId"]}
        if done:
            told |= {"lastActionId": done[-1]["actionId"], "lastActionStatus": "success"}
            told |= {"lastExecutedActionIndex": done[-1]["index"]}
            told |= {"clientObservations": {"didDomMutate": True, "didNetworkOccur": True}}
        return await self.post(screen.body(**(told | more)))

    async def reply(self, trip: Trip, screen: Screen, said: str) -> Trip:
        """A person answers the question."""
        hitl = {"hitlId": trip.answer["hitlId"], "type": "text_input", "value": said}
        return await self.post(screen.body(taskId=trip.answer["taskId"], hitlResponse=hitl))


def doing(*calls: str, **more: Any) -> dict[str, Any]:
    """A model's reply that says what to do now."""
    return {"thought": "So be it.", "do": list(calls), "ends": True, "sure": 0.95} | more


def opening(*calls: str, step: str = "Fill in the form", **more: Any) -> dict[str, Any]:
    """A model's reply to a new goal."""
    return {"intent": "operation", "steps": [{"text": step}], **doing(*calls)} | more


@dataclass(frozen=True)
class Served:
    """A server with its fakes, for as long as a module runs."""

    url: str
    gemini: FakeGemini
    tavily: FakeTavily
    settings: Settings


@contextmanager
def served_desk(settings: Settings) -> Iterator[Served]:
    """Serve with fakes. Tries follow each other at once, and no breaker carries one test's failures
    into the next.
    """
    guards = partial(
        CallGuards, first_pause_s=0.001, breaker=partial(CircuitBreaker, opens_after=1_000)
    )
    with (
        FakeGemini().served() as gemini,
        FakeTavily().served() as tavily,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("app.llm.providers.choice.GuardedModel", _guarded_by(guards))
        named = {
            "llm": "gemini",
            "gemini_api_key": SecretStr("key"),
            "gemini_base_url": gemini.url,
            "tavily_api_key": SecretStr("key"),
            "tavily_base_url": tavily.url,
            "api_key": SecretStr(KEY),
            **dict.fromkeys(RATES, "100000/minute"),
        }
        configured = settings.model_copy(update=named)
        with threaded(configured) as url:
            yield Served(url, gemini, tavily, configured)


def _guarded_by(guards: Any) -> Any:
    def made(*args: Any, **more: Any) -> GuardedModel:
        return GuardedModel(*args, **more, guards=guards())

    return made


@contextmanager
def threaded(settings: Settings) -> Iterator[str]:
    """The address of the real server on a thread, with a loop that no test's end closes."""
    with served(create_app(settings), lifespan="on", **http_options(settings)) as url:
        yield url


# What the model is asked for in most of these tests: words that no rule reads, and a small form.
GOAL = "Whoever asked for it, our customer is now reached at 555 1234"
FORM = Screen(
    (
        node(1, "link", "Home", g="nav: Main"),
        node(3, "inp", "Phone", "", g="form: Customer"),
        node(4, "inp", "Zip code", "", g="form: Customer"),
        node(5, "btn", "Save", g="form: Customer"),
    )
)
TYPES = 'setValue(3, "555 1234")'
TYPED = ['setValue("3", "555 1234")']
ZIP = ("Post office of Lyon", "https://www.laposte.fr/lyon", "Place Antonin Poncet, 69002 Lyon")
