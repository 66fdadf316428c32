"""A backend that answers as CONTRACT says, from a script, and pages to work on."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from tests.fakes.serving import listen, serve_in_loop

Body = dict[str, Any]
Event = dict[str, Any]
Step = Callable[[Body], Event]

PAGE = """<!doctype html><title>Desk</title><h1>Desk</h1>
<label>Name <input id=name></label><label>Phone <input id=phone></label>
<button onclick="fetch('/saved', {method:'POST', body: document.getElementById('name').value})">Save</button>
<a href="/other">Other page</a>"""
# Two deeds that the page's own server counts; what was done is shown, also after a reload.
COUNTED = """<!doctype html><title>Counted</title><h1>Counted</h1>
<button onclick="deed('add')">Add</button><button onclick="deed('confirm')">Confirm</button>
<ul id=list></ul><script>
const show = (name) => list.insertAdjacentHTML("beforeend", `<li>Done: ${name}</li>`);
DONE.forEach(show);
async function deed(name) {
  await fetch("/saved", {method: "POST", body: name});
  show(name);
}</script>"""
OTHER = "<!doctype html><title>Other</title><h1>Other</h1><button>Here</button>"

PAGES = {"page": PAGE, "other": OTHER, "counted": COUNTED}


def node(body: Body, name: str) -> str:
    """The id of the node of that name in a request's tree."""
    return next(str(n["i"]) for n in body["interactiveTree"] if n.get("n") == name)


def act(*calls: tuple[str, dict[str, Any]], thought: str = "") -> Event:
    """An `action` event for (name, args) pairs; action ids are filled in by the backend."""
    actions = [
        {
            "action": f"{name}({', '.join(json.dumps(v) for v in args.values())})",
            "actionDetails": {"name": name, "args": args},
            "description": f"{name} {' '.join(str(v) for v in args.values())}",
            "index": index,
            "canFail": False,
        }
        for index, (name, args) in enumerate(calls)
    ]
    return {"type": "action", "status": "executing", "thought": thought, "actions": actions}


def done(result: str = "All is done", status: str = "completed") -> Event:
    """A `done` event."""
    return {"type": "done", "status": status, "result": result, "actions": []}


@dataclass
class Backend:
    """The script, and what was received. Both addresses are set while it is served; the extension
    may read pages at `url` only.
    """

    url: str = ""
    elsewhere: str = ""
    steps: list[Step] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    cut: int = 0  # so many answers end after their first status event
    refuse: list[Response] = field(default_factory=list)  # given instead of the next answers
    hold: asyncio.Event = field(default_factory=asyncio.Event)  # answers wait until it is set
    answers: dict[str, Event] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)  # earlier ones, three a page
    recipes: list[dict[str, Any]] = field(default_factory=list)
    documents: str = "some"  # which of the stage's documents there are

    def script(self, *steps: Step) -> None:
        """Forget what was, and answer with these steps."""
        self.steps = list(steps)
        for kept in (self.bodies, self.raw, self.saved, self.cancelled, self.refuse):
            kept.clear()
        self.answers.clear()
        self.cut = 0
        self.hold.set()

    def answer(self, body: Body) -> Event:
        """The next step's event; a repeated requestId gets the same one."""
        request_id = body["requestId"]
        if request_id not in self.answers:
            self.bodies.append(body)
            number = len(self.bodies)
            event = self.steps.pop(0)(body) if self.steps else done("Script over", "failed")
            for item in event.get("actions", []):
                item["actionId"] = f"a{number}-{item['index']}"
            event |= {"taskId": body.get("taskId", f"task-{request_id}"), "sessionId": "s1"}
            self.answers[request_id] = event
        return self.answers[request_id]

    async def stream(self, body: Body) -> AsyncIterator[str]:
        """The events of an answer."""
        yield f"data: {json.dumps({'type': 'status', 'node': 'a', 'message': 'Checking'})}\n\n"
        if self.cut > 0:
            self.cut -= 1
            return
        await self.hold.wait()
        if self.cut > 0:
            self.cut -= 1
            return
        yield f"data: {json.dumps(self.answer(body))}\n\n"


def build(backend: Backend, origin: str) -> FastAPI:
    """The app: the endpoints the extension calls, and two pages."""
    app = FastAPI()
    app.add_middleware(
        CORSMiddleware, allow_origins=[origin], allow_methods=["*"], allow_headers=["*"]
    )

    @app.post("/api/agent/interact")
    async def interact(request: Request) -> Response:
        text = (await request.body()).decode()
        backend.raw.append(text)
        if request.headers["authorization"] != "Bearer key":
            return JSONResponse({"code": "UNAUTHENTICATED", "detail": "No"}, 401)
        if backend.refuse:
            return backend.refuse.pop(0)
        events = backend.stream(json.loads(text))
        return StreamingResponse(events, media_type="text/event-stream")

    @app.post("/api/task/{task_id}/cancel")
    async def cancel(task_id: str) -> dict[str, str]:
        backend.cancelled.append(task_id)
        return {}

    @app.get("/healthz")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/api/sessions")
    async def sessions(request: Request) -> Response:
        known = request.headers.get("authorization") == "Bearer key"
        at = int(request.query_params.get("cursor", 0))
        more = {"nextCursor": str(at + 3)} if len(backend.sessions) > at + 3 else {}
        page = {"sessions": backend.sessions[at : at + 3]} | more
        return JSONResponse(page, 200 if known else 401)

    @app.post("/saved")
    async def saved(request: Request) -> dict[str, str]:
        backend.saved.append((await request.body()).decode())
        return {}

    @app.get("/{name}")
    async def page(name: str) -> HTMLResponse:
        return HTMLResponse(PAGES.get(name, "").replace("DONE", json.dumps(backend.saved)))

    return app


@contextlib.asynccontextmanager
async def serving(origin: str) -> AsyncIterator[Backend]:
    """A backend that is up, on a port of its own."""
    backend = Backend()
    async with served(backend, build(backend, origin)):
        yield backend


@contextlib.asynccontextmanager
async def served(backend: Backend, app: FastAPI) -> AsyncIterator[Backend]:
    """`app` on a port of its own, and its addresses in `backend`."""
    here = listen()
    port = here.getsockname()[1]
    elsewhere = listen("127.0.0.2", port)
    backend.elsewhere = f"http://127.0.0.2:{port}"
    async with serve_in_loop(app, here, elsewhere, timeout_graceful_shutdown=1) as backend.url:
        try:
            yield backend
        finally:
            backend.hold.set()


async def until(check: Callable[[], Awaitable[bool] | bool], seconds: float = 30) -> None:
    """Wait for a condition; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while True:
            held = check()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.02)
