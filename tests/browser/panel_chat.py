"""What the stage's server says in a conversation: scenes of it, and streams as a test wants them."""

# ruff: noqa: E501  rows of values are read as rows

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from tests.browser.panel_delegations import ADVICE, REVIEW

Event = dict[str, Any]
THREAD = "c1"
TABLE = """Both let goods come back, but not for as long.

| Theme | Handbook 2026 | Returns directive |
|---|---|---|
| Time limit | 30 days after delivery [1] | 14 days, without a reason [3] |
| Postage | Paid by the customer [2] | Paid by the customer, if told before [3] |
| Food | Not taken back [2] | Not said |

### What to do
1. Name the **shorter** limit nowhere: the longer one holds.
2. Say who pays the postage *before* the order, e.g. in `terms.html`.
"""
ANSWER = """Goods come back within **30 days**, unused and in their box [1]. The day of delivery does not count [1].

- Food and made-to-measure goods are kept [2].
- Refunds are paid the way the goods were paid [2].
"""
HOSTILE = """# Read <b>this</b>
<img src=x onerror="document.title='owned'"> ![a picture](https://evil.example/p.png)
[Click](javascript:document.title='owned') [Web](https://shop.example/a) [9] `[1]` [1]

[1]: https://evil.example/
<script>document.title = "owned"</script>
"""


def now(**ago: float) -> str:
    return (datetime.now(UTC) - timedelta(**ago)).isoformat()


def citation(marker: int, title: str, place: str, **more: Any) -> Event:
    made = {"marker": marker, "kind": "document", "title": title, "label": f"{title}, {place}", "quote": "within 30 days", "document_id": "d1",
            "chunk_id": "k", "url": None, "page": None, "page_end": None, "heading_path": [], "start": 0, "end": 9}  # fmt: skip
    return made | more


CITED = [
    citation(1, "Handbook 2026", "page 41, Returns", page=41, heading_path=["Handbook 2026", "Returns"]),
    citation(2, "Handbook 2026", "page 42, Refunds", page=42, heading_path=["Handbook 2026", "Refunds"]),
    citation(3, "The returns directive explained", "Withdrawal", kind="web", label="law.example, 2026-11-01", url="https://law.example/eu/returns"),
]  # fmt: skip


def answer(text: str, **more: Any) -> Event:
    made = {"type": "response", "response": text, "citations": CITED[:2], "action": "inquire", "inference_confidence": "high",
            "retrieval_confidence": "high", "tokens_used": 0, "cost_usd": 0.0, "cost_known": True, "by_model": False, "notices": [],
            "documents": [{"id": "d1", "title": "Handbook 2026"}], "web_query": None, "claims_dropped": 0, "cancelled": False,
            "thread_id": THREAD, "message_id": "m", "title": "Returns"}  # fmt: skip
    return made | more


COMPARED = answer(
    TABLE, action="compare", citations=CITED, retrieval_confidence="medium", inference_confidence="low", tokens_used=4_180, cost_usd=0.0031, by_model=True,
    notices=["Comparing takes documents alone, so the web was not searched for it."], web_query="withdrawal period online purchases EU",
    documents=[{"id": f"d{n}", "title": title} for n, title in enumerate(("Handbook 2026", "Returns", "Refund form", "Price list of spare parts for all models since 1998"))],
)  # fmt: skip


def question(kind: str, message: str, *options: tuple[str, str]) -> Event:
    return {"type": "interrupt", "interrupt_type": kind, "message": message, "options": [{"id": i, "label": label} for i, label in options] or None,
            "hitl_id": "h1", "expires_at": (datetime.now(UTC) + timedelta(minutes=4, seconds=7)).isoformat(), "thread_id": THREAD}  # fmt: skip


QUESTIONS = {
    "action": question("action_choice", "What should be done with these two?", ("compare", "Compare them"), ("summarize", "Summarize them")),
    "document": question("doc_choice", "Which handbook do you mean?", ("d1", "Handbook 2026"), ("d2", "Handbook 2025, with the changes for contractors and temporary staff"), ("all", "All of these")),
    "text": question("text_input", "Which document is to be checked against the handbook?"),
    "low": question("retrieval_low", "The documents say little about this.", ("tag_docs", "Tag documents"), ("web_search", "Search the web"), ("continue", "Continue anyway")),
}  # fmt: skip


def claim(number: int, text: str, state: str = "pending", *citations: Event, **more: Any) -> Event:
    """A claim of an answer on its way."""
    told = {
        "type": "claim",
        "number": number,
        "text": text,
        "state": state,
        "reason": "",
        "thread_id": THREAD,
    }
    return told | {"citations": list(citations)} | more


def status(node: str, message: str, **more: Any) -> Event:
    return {"type": "status", "node": node, "message": message, "thread_id": THREAD, **more}


STATUSES = [
    status("intent_resolver", "Clarifying intent…"),
    status("doc_resolver", "Finding documents…", docs_found=[{"id": "d1", "title": "Handbook 2026"}, {"id": "d2", "title": "Returns"}]),
    status("inquire", "Researching your question…", web_query="return period online"),
]  # fmt: skip


def line(number: int, role: str, content: str, kind: str = "message", **metadata: Any) -> Event:
    return {"id": f"m{number}", "role": role, "kind": kind, "content": content, "metadata": metadata, "created_at": now(minutes=20 - number)}  # fmt: skip


MENTIONED = [{"kind": "document", "id": "d1", "label": "Handbook 2026"}]
ASKED = line(1, "user", "How long can goods be returned? See @Handbook 2026", mentions=MENTIONED)
SAID = [ASKED, line(2, "assistant", ANSWER, **answer(ANSWER))]
COMPARISON = [
    line(3, "user", "Compare it with what the law says"),
    line(4, "system", "Which of them?", "question", hitl_id="h0"),
    line(5, "user", "The returns directive explained", "answer", hitl_id="h0"),
    line(6, "assistant", TABLE, **COMPARED),
]


def conversations() -> list[Event]:
    rows = [(THREAD, "How long can goods be returned?", 6, {"minutes": 3}),
            ("c2", "Summarize the price list of spare parts for all models since 1998", 2, {"hours": 5}),
            ("c3", "מה כתוב על החזרות?", 1, {"days": 2})]  # fmt: skip
    return [
        {"thread_id": i, "title": title, "message_count": count, "created_at": now(**ago), "updated_at": now(**ago)}
        for i, title, count, ago in rows
    ]  # fmt: skip


@dataclass
class Chat:
    """What the server keeps, says next, and was told. `parts` are the events of the next streams; one that
    does not end with a terminal event is cut off. Streams wait before their last event until `go` is set, and
    for each event of asyncio where it stands.
    """

    lines: list[Event] = field(default_factory=list)
    pending: Event | None = None
    running: bool = False
    parts: list[list[Event | asyncio.Event] | Response] = field(default_factory=list)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    loads: asyncio.Event = field(default_factory=asyncio.Event)  # until it is set no history comes
    told: list[tuple[str, Event]] = field(default_factory=list)
    listed: list[Event] = field(default_factory=conversations)
    refuses: bool = False  # what is thought of an answer

    def play(self, *parts: list[Event | asyncio.Event] | Response, lines: list[Event] | None = None, pending: Event | None = None) -> None:  # fmt: skip
        """Begin anew with these lines; what is asked next is answered with these streams."""
        self.lines, self.pending, self.running, self.parts = lines or [], pending, False, [*parts]
        self.refuses = False
        self.told.clear()
        self.listed = conversations()
        self.go.set()

    async def stream(self, events: list[Event | asyncio.Event]) -> AsyncIterator[str]:
        for event in events:
            if isinstance(event, asyncio.Event):
                await event.wait()
                continue
            if event is events[-1]:
                yield ": ping\n\n"
                await self.go.wait()
            yield f"data: {json.dumps(event)}\n\n"


def with_chat(app: FastAPI, chat: Chat) -> None:
    """Adds the conversation."""
    with_answers(app, chat)

    @app.post("/api/chat")
    @app.post("/api/chat/resume")
    async def said(request: Request) -> Response:
        chat.told.append((request.url.path.removeprefix("/api/chat"), await request.json()))
        part = chat.parts.pop(0) if chat.parts else [answer(ANSWER)]
        if isinstance(part, Response):
            return part
        return StreamingResponse(chat.stream(part), media_type="text/event-stream")

    @app.get("/api/chat/history/{thread_id}")
    async def history(thread_id: str) -> Event:
        await chat.loads.wait()
        return {"thread_id": thread_id, "title": "", "messages": chat.lines, "pending_interrupt": chat.pending, "running": chat.running}  # fmt: skip

    @app.get("/api/chat/conversations")
    async def listed() -> Event:
        return {"conversations": chat.listed, "next_cursor": None}

    @app.patch("/api/chat/conversations/{thread_id}")
    async def rename(thread_id: str, request: Request) -> Event:
        chat.told.append((thread_id, await request.json()))
        return {}

    @app.delete("/api/chat/conversations/{thread_id}")
    async def forget(thread_id: str) -> Response:
        chat.listed = [one for one in chat.listed if one["thread_id"] != thread_id]
        return Response(status_code=204)

    @app.post("/api/chat/conversations/{thread_id}/stop")
    async def stop(thread_id: str) -> Response:
        chat.told.append(("stop", {}))
        chat.go.set()
        return JSONResponse({"stopped": True})


def with_answers(app: FastAPI, chat: Chat) -> None:
    """Adds what is done with its answers."""

    @app.get("/api/chat/conversations/{thread_id}/export")
    async def export(thread_id: str, format: str) -> Response:
        chat.told.append(("export", {"thread_id": thread_id, "format": format}))
        return Response(f"As {format}", media_type="application/octet-stream")

    @app.put("/api/chat/conversations/{thread_id}/messages/{message_id}/rating")
    async def rate(message_id: str, request: Request) -> Response:
        chat.told.append(("rating", await request.json()))
        if chat.refuses:
            return JSONResponse({"code": "STORE_AWAY", "detail": "Away"}, 503)
        return JSONResponse({"rated_at": now(), **chat.told[-1][1]})


def set_scene(chat: Chat, name: str) -> None:
    """Puts the conversation into one of the states that the panel shows."""
    chat.play(lines=[] if name in ("", "empty") else SAID)
    chat.loads.set()
    if name == "compared":
        chat.lines = [*SAID, *COMPARISON]
    elif name == "reviewed":
        chat.lines = [
            ASKED,
            line(
                2,
                "assistant",
                ANSWER,
                **answer(ANSWER, retrieval_confidence="medium", review=REVIEW, advice=[ADVICE]),
            ),
        ]
    elif name == "reasoning":
        chat.play(STATUSES, lines=SAID[:0])
        chat.go.clear()
    elif name == "loading":
        chat.loads.clear()
    elif name == "failed":
        chat.play(JSONResponse({"detail": "Too many requests. Try again in 12 s.", "code": "RATE_LIMITED"}, 429), lines=SAID)  # fmt: skip
    elif name in QUESTIONS:
        chat.play(lines=[ASKED, line(2, "system", QUESTIONS[name]["message"], "question", **QUESTIONS[name])], pending=QUESTIONS[name])  # fmt: skip
