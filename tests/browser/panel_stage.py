"""Puts the real panel, with the real runner, into any of its states."""

# ruff: noqa: RUF001  a title in Hebrew

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from playwright.async_api import Page, expect

from app.cli.browser import Browser
from tests.browser.desk import ORIGIN, opened_browser, tab_id_of
from tests.browser.panel_chat import THREAD, Chat, set_scene, with_chat
from tests.browser.panel_delegations import Outside, with_delegations
from tests.browser.panel_documents import OPENS, with_documents
from tests.browser.panel_states import State
from tests.browser.panel_views import LONG_RESULT
from tests.browser.runner_backend import Backend, build, served
from tests.contract.store.test_people import expected_proof

WIDTH, HEIGHT = 360, 640  # px: Chrome's narrowest side panel
TITLES = (
    "Add a new patient with name 'Jas'",
    "Export the invoices of October as one file, and say how many are overdue",
    "הוסף מטופל חדש בשם ג'ס",
    "Which appointments are tomorrow?",
)
STORED = ("Open the 'Patients' menu", "Click 'New patient'", "Enter 'Jas' as name")
STATUSES = ("completed", "interrupted", "failed", "awaiting_user")
CODE, USED = "ABCDEFGH", "ABCDEFGJ"  # the second is claimed elsewhere a moment before
DEEPEST = 4  # Escapes from a question in a room to the panel's first page
# For documents that load from now on: keeps the panel's own listener to the runner.
RECEIVER = """
const connect = chrome.runtime.connect;
chrome.runtime.connect = (...given) => {
  const port = connect.apply(chrome.runtime, given);
  const add = port.onMessage.addListener.bind(port.onMessage);
  port.onMessage.addListener = (listener) => {
    globalThis.receiveFromRunner = (message) => listener(message, port);
    add(listener);
  };
  return port;
};"""


def sessions() -> list[dict[str, Any]]:
    ages = (timedelta(minutes=4), timedelta(hours=3), timedelta(days=1), timedelta(days=12))
    now = datetime.now(UTC)
    return [
        {"sessionId": f"s{n}", "title": title, "createdAt": (now - age).isoformat(),
         "updatedAt": (now - age).isoformat(), "taskCount": n + 1, "status": STATUSES[n]}
        for n, (title, age) in enumerate(zip(TITLES, ages, strict=True))
    ]  # fmt: skip


def messages() -> list[dict[str, Any]]:
    now = datetime.now(UTC).isoformat()
    rows = [
        ("t1", "user", "Add a new patient with name 'Jas'", None),
        ("t1", "assistant", "The form is behind the menu.", 'click("14")'),
        ("t1", "assistant", "Added Jas as patient 4711.", None),
        ("t2", "user", "Now open the record and say what is missing", None),
        ("t2", "assistant", "The list links to it.", 'click("31")'),
        ("t2", "assistant", LONG_RESULT[:220], None),
    ]
    return [
        {"id": f"m{n}", "taskId": task, "role": role, "content": text, "actionString": sent, "createdAt": now}
        for n, (task, role, text, sent) in enumerate(rows)
    ]  # fmt: skip


def task() -> dict[str, Any]:
    now = datetime.now(UTC)
    verdict = {"actionSucceeded": True, "confidence": 0.97, "reason": "The dialog opened"}
    return {
        "taskId": "t1", "status": "completed", "createdAt": now.isoformat(),
        "actions": [
            {"actionId": f"a{n}", "thought": "It opens the form.", "action": f'click("{n}")',
             "description": text, "status": "success", "verification": verdict,
             "createdAt": (now + timedelta(seconds=n)).isoformat()}
            for n, text in enumerate(STORED)
        ],
    }  # fmt: skip


def recipes(url: str) -> list[dict[str, Any]]:
    here = url.removeprefix("http://")
    fields = [
        {"name": "name", "label": "Name", "secret": False, "required": True},
        {"name": "phone", "label": "Phone number", "secret": False, "required": False},
    ]
    secret = {"name": "password", "label": "Password", "secret": True}
    rows = [
        ("Add a new patient with name {name}", here, fields, 3, 12, 0),
        ("Sign in as {user} with password {password}", "books.example",
         [{"name": "user", "label": "User"}, secret], 1, 4, 1),
        ("Export the invoices of the last month", "an-office-with-a-long-name.books.example", [], 5, 0, 0),
    ]  # fmt: skip
    return [
        {"id": f"r{n}", "title": goal, "goal": goal, "domain": site, "startUrl": f"http://{site}/",
         "parameters": parameters, "steps": [{"description": "Save"}] * steps, "runs": runs,
         "failures": failures}
        for n, (goal, site, parameters, steps, runs, failures) in enumerate(rows)
    ]  # fmt: skip


@dataclass
class Stage:
    """A browser with the extension, a server with a past, and a tab."""

    browser: Browser
    backend: Backend
    tab: Page
    panel: Page
    tab_id: int
    chat: Chat
    outside: Outside

    async def show(self, state: State) -> Page:
        """The page that shows the state, once it does, in a new document over a new runner."""
        self._serve(state)
        await self._load(state)
        await self._go(state)
        await expect(self.panel.get_by_test_id(state.ready).first).to_be_visible()
        return self.panel

    async def _load(self, state: State) -> None:
        """Shows the state in a new document, over a new runner."""
        url = self.backend.elsewhere if state.tab == "elsewhere" else self.backend.url
        if self.tab.url != f"{url}/page":
            await self.tab.goto(f"{url}/page")
        await self.panel.goto(self.browser.url("manifest.json"))
        await self._write(state)
        address = f"panel/index.html?tabId={self.tab_id}"
        await self.panel.goto(
            self.browser.url("options/index.html" if state.document == "options" else address)
        )
        if state.document == "panel":
            await expect(self.panel.get_by_test_id("site")).not_to_have_text("No page")
        if state.view:
            words = self.panel.get_by_test_id("status")
            await expect(words).to_have_attribute("data-state", state.view["state"])

    async def visit(self, state: State) -> Page:
        """The same in the document that is there, for a state that differs from the one that is shown in
        nothing but what the server keeps and where the person goes.
        """
        self._serve(state)
        for _ in range(DEEPEST):
            if await self.panel.evaluate("document.body.dataset.shown") == "run":
                break
            await self.panel.keyboard.press("Escape")
        await expect(self.panel.get_by_test_id("goal-input")).to_be_visible()
        card = self.panel.get_by_test_id("delegation")
        await expect(card).to_be_visible(visible=bool(state.asked()))
        await self._go(state)
        await expect(self.panel.get_by_test_id(state.ready).first).to_be_visible()
        return self.panel

    async def render(self, state: State) -> Page:
        """The same for a run's view: the panel renders it as one that the runner published, which needs
        `RECEIVER` in the document.
        """
        assert state.view
        self._serve(state)
        view = state.view | {"tabId": self.tab_id}
        await self.panel.evaluate("view => receiveFromRunner({ kind: 'view', view })", view)
        status = self.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", state.view["state"])
        await self._go(state)
        await expect(self.panel.get_by_test_id(state.ready).first).to_be_visible()
        return self.panel

    def _serve(self, state: State) -> None:
        """What the server says in that state."""
        self.backend.sessions = sessions() if state.past else []
        self.backend.recipes = recipes(self.backend.url) if state.past else []
        self.backend.documents = state.documents if state.past else "none"
        set_scene(self.chat, state.chat)
        self.outside.put(*state.asked())
        self.outside.decision = state.decision

    async def _go(self, state: State) -> None:
        """From the run to what the state is about."""
        if state.room == "what":
            await self.panel.locator(".what").nth(2).click()
        elif state.room:
            await self.panel.get_by_test_id(state.room).click()
        if state.then:
            await self.panel.get_by_test_id(state.then).first.click()
        if state.ask and state.chat:
            await expect(self.panel.get_by_test_id("chat-input")).to_be_focused()
        if state.ask:
            await self.panel.keyboard.insert_text(state.ask)
            await self.panel.keyboard.press("Enter")
        if state.opened:
            await self.panel.get_by_test_id("knowledge-document").first.locator("summary").click()
            await self.panel.get_by_test_id("knowledge-delete").first.click()
        if state.opens:
            await expect(self.panel.get_by_text("Open something on the page")).to_be_visible()
            await self.tab.bring_to_front()
            await self.tab.evaluate(OPENS)
            await self.tab.get_by_role("button", name="Save").click()
        if state.name == "session":
            await self.panel.get_by_text("Steps").first.click()

    async def publish(self, state: State) -> None:
        """The run becomes that of the state, under the open panel."""
        await self._write(state)

    def _kept(self, state: State) -> dict[str, Any]:
        """What is stored in that state, beside the run."""
        settings = {
            "dead": {"serverUrl": "http://127.0.0.1:9", "apiKey": "key"},
            "plain": {"serverUrl": "http://tabwright.example:8787", "apiKey": "key"},
            "paired": {"serverUrl": self.backend.url, "apiKey": "key"},
        }
        kept: dict[str, Any] = {}
        if state.settings in settings:
            kept["settings"] = settings[state.settings]
        if state.chat:
            kept |= {"chatThread": THREAD, "panelTab": "chat"}
        return kept

    async def _write(self, state: State) -> None:
        """Settings and journal; the runner is started anew and takes them up."""
        run = state.view and {
            "id": "r", "tabId": self.tab_id, "at": self.tab_id, "goal": "", "taskId": "t", "sessionId": "s0",
            "phase": "assist" if state.view["state"] in ("running", "waiting") else "ended",
            "nextId": 1, "chain": None, "feedback": {}, "documentId": None, "urlBefore": "", "openers": [],
            "view": state.view | {"tabId": self.tab_id}, "savedAt": 4e12,
        }  # fmt: skip
        await self.panel.evaluate(
            """async ([tabId, kept, run]) => {
              const { life } = await chrome.runtime.sendMessage({ to: "worker", name: "life" })
                .then(({ result }) => ({ life: result }));
              await chrome.storage.local.clear();
              await chrome.storage.local.set(kept);
              if (run) await chrome.storage.local.set({ ["run_" + tabId]: { ...run, life } });
              if (await chrome.offscreen.hasDocument()) await chrome.offscreen.closeDocument();
            }""",
            [self.tab_id, self._kept(state), run],
        )


def with_past(app: FastAPI, backend: Backend) -> None:
    """What the server says of earlier sessions, of recipes and of pairing codes."""

    @app.get("/api/session/{session_id}/messages")
    async def said(session_id: str) -> dict[str, Any]:
        return {"messages": messages()}

    @app.get("/api/task/{task_id}")
    async def timeline(task_id: str) -> dict[str, Any]:
        return task()

    @app.get("/api/recipes")
    async def kept() -> dict[str, Any]:
        return {"recipes": backend.recipes}

    @app.delete("/api/recipes/{recipe_id}")
    async def forget(recipe_id: str) -> Response:
        backend.recipes = [one for one in backend.recipes if one["id"] != recipe_id]
        return Response(status_code=204)

    @app.post("/api/recipes")
    async def keep(request: Request) -> Response:
        return JSONResponse({"id": "r9", "title": "Add a new patient with name {name}"}, 201)

    @app.get("/api/pairing/proofs")
    async def prove(request: Request, nonce: str) -> dict[str, Any]:
        own = str(request.base_url).rstrip("/")
        return {"proofs": [expected_proof(CODE, nonce, own), expected_proof(USED, nonce, own)]}

    @app.post("/api/pairing/claim")
    async def claim(request: Request) -> Response:
        right = json.loads(await request.body())["code"] == CODE
        return JSONResponse({"apiKey": "key"} if right else {}, 200 if right else 404)


@contextlib.asynccontextmanager
async def opened_stage() -> AsyncIterator[Stage]:
    """One browser, one server; states are shown one after another."""
    backend = Backend()
    app = build(backend, ORIGIN)
    with_past(app, backend)
    with_documents(app, backend)
    outside = Outside()
    with_delegations(app, outside)
    chat = Chat()
    with_chat(app, chat)
    async with served(backend, app) as up, opened_browser(up) as browser:
        tab = await browser.context.new_page()
        await tab.goto(f"{up.url}/page")
        panel = await browser.open_panel(tab)
        await panel.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        yield Stage(browser, up, tab, panel, tab_id_of(panel), chat, outside)
