"""The panel's conversation over a server that says what the tests need of it: what can be mentioned, one
answer with its sources, and the documents that it cites.
"""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from playwright.async_api import Locator, Page, expect

from app.cli.browser import Browser
from tests.browser.desk import ORIGIN, opened_browser
from tests.browser.panel_documents import with_documents
from tests.browser.panel_stage import HEIGHT, WIDTH, with_past
from tests.browser.runner_backend import Backend, build, served

TITLES = {
    "d1": "Employee handbook 2026",
    "d2": "Returns policy",
    "d3": "מדריך החזרות",
    "d4": "Price list of spare parts for all models since 1998, with surcharges",
}
ACTIONS = {"summarize": "Summarize", "inquire": "Ask", "compare": "Compare", "audit": "Audit"}
CITED = "Goods come back within **30 days**, unused and in their box."
QUOTE = "Goods come back within 30 days, unused"
ANSWER = (
    f"## Returns\n\n{CITED} [1] The customer's number is 4711 [2]. Outside, it is two weeks [3]."
)


def part(number: int, text: str, **more: Any) -> dict[str, Any]:
    made = {"chunkId": f"c{number}", "text": text, "headingPath": ["Returns"], "kind": "prose"}
    return made | more


def parts() -> list[dict[str, Any]]:
    """A document in twelve parts; the seventh is cited, the eighth was replaced."""
    made = [part(n, f"## Part {n}\n\nWhat part {n} says, at some length." * 2) for n in range(12)]
    made[6] = part(6, f"## Returns\n\n{CITED}\n\n- Food is kept.\n- <b>Ask</b> [1] first.", page=41)
    made[7] = part(7, "The customer's number is 4711.", supersededBy="c99")
    return made


def citation(marker: int, chunk: str, quote: str, **more: Any) -> dict[str, Any]:
    made = {
        "marker": marker, "kind": "document", "title": "Returns policy", "label": "Returns policy",
        "quote": quote, "document_id": "d2", "chunk_id": chunk, "url": None, "page": None, "page_end": None,
        "heading_path": ["Returns policy", "Returns"], "start": 0, "end": 1,
    }  # fmt: skip
    return made | more


WEB = {"kind": "web", "title": "Rules of trade", "label": "law.example", "document_id": "", "chunk_id": "",
       "url": "https://law.example/eu", "heading_path": []}  # fmt: skip


def answer(thread_id: str) -> dict[str, Any]:
    return {
        "type": "response", "response": ANSWER, "action": "inquire", "inference_confidence": "high",
        "retrieval_confidence": "high", "tokens_used": 0, "cost_usd": 0.0, "cost_known": True,
        "by_model": False, "notices": [], "documents": [{"id": "d2", "title": "Returns policy"}],
        "web_query": None, "claims_dropped": 0, "cancelled": False, "thread_id": thread_id,
        "message_id": "m1", "title": "Returns",
        "citations": [citation(1, "c6", QUOTE, page=41), citation(2, "c7", "The customer's number is 4711."),
                      citation(3, "", "within two weeks", **WEB)],
    }  # fmt: skip


@dataclass
class Talk:
    """A panel in its conversation; `documents` are those that the server still has, by their parts."""

    browser: Browser
    backend: Backend
    tab: Page
    panel: Page
    said: list[dict[str, Any]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    documents: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"d2": parts()})
    mentions_fail: bool = False

    @property
    def box(self) -> Locator:
        return self.panel.get_by_test_id("chat-input")

    async def fresh(self) -> Page:
        """The conversation as it is first seen, with the focus in its box; a runner that had a run is begun
        anew.
        """
        self.said.clear()
        self.looked_up.clear()
        self.documents = {"d2": parts()}
        self.mentions_fail = False
        await self.panel.evaluate(
            """async (settings) => {
              const kept = Object.keys(await chrome.storage.local.get(null));
              await chrome.storage.local.remove(kept.filter((key) => key !== "settings"));
              await chrome.storage.local.set({ settings });
              const ran = kept.some((key) => key.startsWith("run_"));
              if (ran && await chrome.offscreen.hasDocument()) await chrome.offscreen.closeDocument();
            }""",
            {"serverUrl": self.backend.url, "apiKey": "key"},
        )
        await self.panel.reload()
        await expect(self.panel.get_by_test_id("site")).not_to_have_text("No page")
        await self.panel.get_by_test_id("tab-ask").click()
        await expect(self.box).to_be_focused()
        return self.panel

    async def ask(self, text: str) -> Locator:
        """Says it, and gives the answer."""
        await self.box.focus()
        await self.panel.keyboard.insert_text(text)
        await self.panel.keyboard.press("Enter")
        answered = self.panel.get_by_test_id("chat-answer").last
        await expect(answered).to_be_visible()
        return answered


def with_talk(app: FastAPI, talk: Talk) -> None:
    """What the server says of the conversation."""

    @app.get("/api/chat/mentions")
    async def mentions(query: str = "") -> Response:
        talk.looked_up.append(query)
        if talk.mentions_fail:
            return JSONResponse({"code": "STORE_AWAY", "detail": "Away"}, 503)

        def fits(name: str) -> bool:
            return all(word in name.lower() for word in query.lower().split())

        found = [{"id": one, "title": title} for one, title in TITLES.items() if fits(title)]
        sets = [{"id": one, "label": one, "documents": 12} for one in ("hr",) if fits(one)]
        return JSONResponse({
            "documents": found, "sets": sets,
            "actions": [{"id": one, "label": label} for one, label in ACTIONS.items()],
            "web": {"available": False, "reason": "No search of the web is set up"},
        })  # fmt: skip

    @app.post("/api/chat")
    async def turn(request: Request) -> Response:
        body = json.loads(await request.body())
        talk.said.append(body)
        events = [
            {"type": "status", "node": "inquire", "message": "Researching", "thread_id": body["thread_id"]},
            answer(body["thread_id"]),
        ]  # fmt: skip
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        return StreamingResponse(iter([lines]), media_type="text/event-stream")

    @app.get("/api/knowledge/documents/{document_id}")
    async def document(document_id: str, request: Request) -> Response:
        held = talk.documents.get(document_id)
        if held is None:
            return JSONResponse({"code": "NOT_FOUND", "detail": "No such document"}, 404)
        begin = int(request.query_params.get("from", 0))
        shown = held[begin : begin + 5]
        more = begin + 5 if begin + 5 < len(held) else None
        about = {
            "id": document_id,
            "title": "Returns policy",
            "url": "https://shop.example/returns.pdf",
        }
        return JSONResponse(about | {"parts": shown, "nextPart": more})

    @app.get("/api/chat/history/{thread_id}")
    async def history(thread_id: str) -> dict[str, Any]:
        nothing: dict[str, Any] = {"messages": [], "pending_interrupt": None, "running": False}
        return {"thread_id": thread_id, "title": ""} | nothing


@contextlib.asynccontextmanager
async def opened_talk() -> AsyncIterator[Talk]:
    """One browser and one server, with a tab and its panel."""
    backend = Backend()
    app = build(backend, ORIGIN)
    with_past(app, backend)
    with_documents(app, backend)
    async with served(backend, app) as up, opened_browser(up) as browser:
        tab = await browser.context.new_page()
        await tab.goto(f"{up.url}/page")
        panel = await browser.open_panel(tab)
        await panel.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        talk = Talk(browser, up, tab, panel)
        with_talk(app, talk)
        yield talk
