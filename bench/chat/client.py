"""A chat client on one kept-alive connection that records the time of each event."""

import http.client
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson

TERMINAL = ("response", "interrupt", "error")
PREFIX = b"data: "


@dataclass(frozen=True, slots=True)
class TurnEvents:
    """The events of one turn, and the time in ms from the request to the first and the last."""

    events: tuple[dict[str, Any], ...]
    first_ms: float
    whole_ms: float

    @property
    def end(self) -> dict[str, Any]:
        """The terminal event."""
        return self.events[-1]


class ChatClient:
    """Sends a message and waits for the end of the turn."""

    def __init__(self, url: str, key: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=120)
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
        }

    def say(self, message: str, tags: Sequence[Mapping[str, str]] = (), **more: Any) -> TurnEvents:
        """Send a message with tags: {id, label, category} each."""
        labels = " ".join(one["label"] for one in tags)
        content: list[dict[str, Any]] = [{"type": "text", "text": f"{message} "}] if message else []
        content += [{"type": "mention", "attrs": dict(one)} for one in tags]
        tiptap = {"type": "doc", "content": [{"type": "paragraph", "content": content}]}
        body = {"message": f"{message} {labels}".strip(), "tiptap_json": tiptap, **more}
        return self.post("/api/chat", body)

    def answer(self, asked: Mapping[str, Any], value: str) -> TurnEvents:
        """Answer a question."""
        said = {"type": asked["interrupt_type"], "value": value}
        body = {"thread_id": asked["thread_id"], "hitl_id": asked["hitl_id"], "resume_value": said}
        return self.post("/api/chat/resume", body)

    def post(self, path: str, body: Mapping[str, Any]) -> TurnEvents:
        """Read the stream to its terminal event. Raises `SystemExit` if there is none."""
        content = orjson.dumps({"request_id": str(uuid4()), **body})
        began = time.perf_counter()
        self._connection.request("POST", path, content, self._headers)
        reply = self._connection.getresponse()
        events, first = [], 0.0
        for line in reply:
            if line.startswith(PREFIX):
                first = first or time.perf_counter() - began
                events.append(orjson.loads(line[len(PREFIX) :]))
        whole = time.perf_counter() - began
        if reply.status != http.client.OK or not events or events[-1]["type"] not in TERMINAL:
            raise SystemExit(f"{path}: {reply.status}, {events[-1:]}")
        return TurnEvents(tuple(events), first * 1000, whole * 1000)
