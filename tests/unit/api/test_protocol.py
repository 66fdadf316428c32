"""The protocol version of a client."""

import httpx
import pytest
from fastapi import FastAPI

from app.api.middleware.request_check import HEADER, PROTOCOL, RequestCheck, ResponseHeaders


def client() -> httpx.AsyncClient:
    app = FastAPI()
    app.add_api_route("/ok", lambda: {"ok": True})
    app.add_middleware(RequestCheck, hosts=(), origins=())
    app.add_middleware(ResponseHeaders)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


@pytest.mark.parametrize("headers", [{}, {HEADER: str(PROTOCOL)}], ids=["none", "current"])
async def test_serves_a_known_protocol(headers: dict[str, str]) -> None:
    async with client() as http:
        answer = await http.get("/ok", headers=headers)
    assert (answer.status_code, answer.headers[HEADER]) == (200, str(PROTOCOL))


@pytest.mark.parametrize(
    ("sent", "update"),
    [(str(PROTOCOL + 1), "Update the Tabwright server"), ("0", "Update the Tabwright extension")],
)
async def test_rejects_another_protocol_and_says_what_to_update(sent: str, update: str) -> None:
    async with client() as http:
        answer = await http.get("/ok", headers={HEADER: sent})
    assert (answer.status_code, answer.json()["code"]) == (426, "PROTOCOL_UNSUPPORTED")
    assert answer.json()["detail"].startswith(update)
    assert answer.headers[HEADER] == str(PROTOCOL)


@pytest.mark.parametrize("sent", ["", "one", "-1", "1.0", "9" * 40, "²"])
async def test_rejects_an_invalid_version(sent: str) -> None:
    async with client() as http:
        answer = await http.get("/ok", headers={HEADER: sent.encode()})
    assert answer.status_code == 422
