"""A backend that passes each request to the recorder and waits for its answer."""

import asyncio
import json
from typing import Any
from uuid import uuid4

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.domain.action import PlannedAction

Body = dict[str, Any]
LOOK_S = 60.0  # only ends a hang: a page is waited for at most 8 s


class Wire:
    """The two ends of each request: `look` waits for one, `answer` answers it."""

    def __init__(self) -> None:
        self._bodies: asyncio.Queue[Body] = asyncio.Queue()
        self._answers: asyncio.Queue[Body] = asyncio.Queue()
        self._task = ""

    def begin(self) -> None:
        """Discard what the last run left."""
        self._bodies, self._answers = asyncio.Queue(), asyncio.Queue()
        self._task = f"task-{uuid4()}"

    async def look(self) -> Body:
        """The next request's body. Raises `TimeoutError`."""
        return await asyncio.wait_for(self._bodies.get(), LOOK_S)

    def answer(self, event: Body) -> None:
        """Answer the last request returned by `look`."""
        self._answers.put_nowait({**event, "taskId": self._task, "sessionId": "recording"})

    def app(self, origin: str) -> Starlette:
        """The endpoints that the extension calls, with CORS for it alone."""
        cors = Middleware(
            CORSMiddleware, allow_origins=[origin], allow_methods=["*"], allow_headers=["*"]
        )
        return Starlette(
            routes=[
                Route("/api/agent/interact", self._interact, methods=["POST"]),
                Route("/api/task/{task}/cancel", _nothing, methods=["POST"]),
                Route("/api/sessions", _nothing),
                Route("/healthz", _nothing),
            ],
            middleware=[cors],
        )

    async def _interact(self, request: Request) -> Response:
        answers = self._answers
        self._bodies.put_nowait(json.loads(await request.body()))
        return JSONResponse(await answers.get())


async def _nothing(_: Request) -> Response:
    return JSONResponse({"sessions": []})


def acting(chain: tuple[PlannedAction, ...]) -> Body:
    """An answer that sends these actions."""
    actions = []
    for index, planned in enumerate(chain):
        details: Body = {"name": planned.action.name, "args": dict(planned.action.args)}
        if planned.dialog is not None:
            details["dialog"] = planned.dialog.model_dump(exclude_none=True)
        actions.append(
            {
                "actionId": f"{uuid4()}",
                "action": planned.action.text,
                "actionDetails": details,
                "description": planned.description,
                "index": index,
                "canFail": planned.can_fail,
            }
        )
    return {"type": "action", "status": "executing", "thought": "", "actions": actions}


def ended() -> Body:
    """An answer that ends the run."""
    return {"type": "done", "status": "completed", "result": "Recorded", "actions": []}
