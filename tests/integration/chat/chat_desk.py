"""Talks to the chat over HTTP as the panel does, and reads the results."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import uuid4

import httpx
import orjson

from app.domain.access import Principal
from app.store.open import open_all
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import status
from tests.integration.desk import KEY, Served
from tests.integration.knowledge.documents_desk import DocumentsDesk

CHAT, RESUME, HISTORY = "/api/chat", "/api/chat/resume", "/api/chat/history"
DOCUMENTS = "/api/knowledge/documents"
LONGEST_S = 10.0  # only ends a hang
PREFIX = "data: "

Json = Any
Event = dict[str, Any]


def tagged(*nodes: Mapping[str, str] | str) -> Json:
    """The editor's document: words, and mentions by {id, label, category}."""
    content = [
        {"type": "text", "text": one} if isinstance(one, str) else {"type": "mention", "attrs": one}
        for one in nodes
    ]
    return {"type": "doc", "content": [{"type": "paragraph", "content": content}]}


def mention(id_: str, label: str, category: str = "document") -> dict[str, str]:
    """What the editor keeps of something that was tagged."""
    return {"id": id_, "label": label, "category": category}


@dataclass(frozen=True)
class Turn:
    """What came of a request: its status, and the events, or the problem that it was refused with."""

    status: int
    events: list[Event] = field(default_factory=list)
    problem: Json = None

    @property
    def end(self) -> Event:
        """The terminal event: there is one, and it is the last."""
        kinds = [one["type"] for one in self.events]
        assert self.status == httpx.codes.OK, (self.status, self.problem)
        assert kinds[-1] in ("response", "interrupt", "error"), kinds
        assert set(kinds[:-1]) <= {"status", "claim", "restart"}, kinds
        return self.events[-1]

    @property
    def text(self) -> str:
        """What was answered."""
        assert self.end["type"] == "response", self.end
        return str(self.end["response"])

    @property
    def cited(self) -> set[str]:
        """The documents that the answer stands on."""
        return {one["document_id"] for one in self.end["citations"]}


class ChatDesk:
    """One person's connection. The model is away unless a test scripts it."""

    def __init__(self, http: httpx.Client, gemini: FakeGemini) -> None:
        self.http, self.gemini = http, gemini
        self.documents = DocumentsDesk(http)

    def put(self, name: str, text: str, **fields: str) -> str:
        """The id of a document that can be searched."""
        job = self.documents.upload(name, text.encode(), **fields)
        assert job["status"] == "completed", job
        return str(job["documents"][0])

    def delete(self, document_id: str) -> None:
        """It is gone."""
        self.http.delete(f"{DOCUMENTS}/{document_id}").raise_for_status()

    def say(self, message: str = "", **more: Json) -> Turn:
        """A message to the end of its turn."""
        return self.post(CHAT, {"message": message, **more})

    def through(self, message: str, **more: Json) -> Turn:
        """A message to the end of its turn; where the documents say little, it goes on with that."""
        turn = self.say(message, **more)
        weak = turn.end.get("interrupt_type") == "retrieval_low"
        return self.answer(turn.end, "continue") if weak else turn

    def answer(self, asked: Event, value: str | None, **more: Json) -> Turn:
        """What a person says to a question."""
        kind = more.pop("type", "cancel" if value is None else asked["interrupt_type"])
        body = {"thread_id": asked["thread_id"], "resume_value": {"type": kind, "value": value}}
        return self.post(RESUME, body | more)

    def post(self, path: str, body: Json, *, most: int | None = None) -> Turn:
        """`most`: hang up after so many events."""
        given = body if isinstance(body, bytes) else orjson.dumps(body)
        headers = {"Accept": "text/event-stream", "Content-Type": "application/json"}
        with self.http.stream("POST", path, content=given, headers=headers) as reply:
            if reply.status_code != httpx.codes.OK:
                return Turn(reply.status_code, problem=orjson.loads(reply.read()))
            lines = (line[len(PREFIX) :] for line in reply.iter_lines() if line.startswith(PREFIX))
            return Turn(reply.status_code, [orjson.loads(one) for one in islice(lines, most)])

    def history(self, thread_id: str) -> Json:
        """The conversation as it stands."""
        return self.http.get(f"{HISTORY}/{thread_id}").raise_for_status().json()

    def settled(self, thread_id: str) -> Json:
        """The conversation, once no turn of it is under way."""
        until, pause = time.monotonic() + LONGEST_S, threading.Event()
        while time.monotonic() < until:
            told = self.history(thread_id)
            if not told["running"] and told["messages"]:
                return told
            pause.wait(0.02)
        raise AssertionError(f"still running after {LONGEST_S} s")

    def model(self, *steps: Json) -> None:
        """What the model says to everything from now on, one after another; the last one for good. Without
        any it is away.
        """
        self.gemini.clear()
        self.gemini.when(lambda _: True, *(steps or (status(503),)), always=True)


@contextmanager
def chat_desk(served: Served, key: str = KEY) -> Iterator[ChatDesk]:
    """Of whoever has the key."""
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=30) as http:
        yield ChatDesk(http, served.gemini)


@contextmanager
def desk_of(served: Served, who: Principal) -> Iterator[ChatDesk]:
    """Of somebody who gets a key for it."""

    async def key() -> str:
        async with open_all(served.settings) as opened:
            _, secret = await opened.store.keys.create(who)
            return secret

    with chat_desk(served, asyncio.run(key())) as desk:
        yield desk


def thread_id() -> str:
    """Of a conversation that there is not yet."""
    return str(uuid4())


def roles(history: Json) -> Sequence[tuple[str, str]]:
    """Who said what kind of thing."""
    return [(one["role"], one["kind"]) for one in history["messages"]]


def filling(words: str, number: int = 1) -> Callable[[Call], Json]:
    """A model's reply of whatever shape is asked for, with the same words in every place."""
    return lambda call: _filled(call.schema or {}, call.schema or {}, words, number)


def _filled(schema: Json, root: Json, words: str, number: int) -> Json:
    for either in ("anyOf", "oneOf"):
        schema = schema[either][0] if either in schema else schema
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "object":
            inner = schema.get("properties", {})
            return {name: _filled(one, root, words, number) for name, one in inner.items()}
        case "array":
            return [_filled(schema["items"], root, words, number)] * max(
                2, schema.get("minItems", 0)
            )
        case "integer" | "number":
            return number
        case "boolean":
            return True
        case _:
            return words
