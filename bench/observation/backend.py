"""A backend that records what the extension posts and ends each run at once."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware

Body = dict[str, Any]


class Listener:
    """`url` is the backend address for the extension; `next_body` waits for its next post."""

    def __init__(self) -> None:
        self.url = ""
        self._bodies: asyncio.Queue[Body] = asyncio.Queue()

    async def next_body(self, seconds: float = 30) -> Body:
        """The request's JSON. Raises `TimeoutError`."""
        return await asyncio.wait_for(self._bodies.get(), seconds)

    def app(self, origin: str) -> FastAPI:
        """The single endpoint, with CORS for the extension."""
        app = FastAPI()
        app.add_middleware(
            CORSMiddleware, allow_origins=[origin], allow_methods=["*"], allow_headers=["*"]
        )

        @app.post("/api/agent/interact")
        async def interact(request: Request) -> Body:
            body = json.loads(await request.body())
            self._bodies.put_nowait(body)
            ids = {"taskId": f"task-{body['requestId']}", "sessionId": "bench"}
            return {"type": "done", "status": "completed", "result": "", "actions": [], **ids}

        return app


@asynccontextmanager
async def serve_listener(origin: str) -> AsyncIterator[Listener]:
    """A listener on a free loopback port."""
    listener = Listener()
    here = socket.create_server(("127.0.0.1", 0))  # queues requests until uvicorn is up
    server = uvicorn.Server(uvicorn.Config(listener.app(origin), log_level="warning"))
    task = asyncio.create_task(server.serve(sockets=[here]))
    listener.url = f"http://127.0.0.1:{here.getsockname()[1]}"
    try:
        yield listener
    finally:
        server.should_exit = True
        await task
