"""A client that goes away in the middle of its body is no fault of the server's."""

from typing import Any

from fastapi import FastAPI, Request

from app.api import problems
from app.api.request_body import read_body


async def test_nothing_is_raised_and_nothing_is_logged_as_a_failure() -> None:
    app = FastAPI()
    problems.add_error_handlers(app)

    @app.post("/")
    async def taken(request: Request) -> str:
        return (await read_body(request)).decode()

    coming: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return coming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
    await app(scope, receive, send)
    assert sent[0]["status"] == problems.CLIENT_GONE
