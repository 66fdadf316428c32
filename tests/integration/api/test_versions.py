"""Extensions of other versions than the server's: they work, or one sentence says what to update."""

import httpx
import pytest

from app.api.middleware.request_check import HEADER, PROTOCOL
from app.settings import EXTENSION_ORIGIN
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT

REQUIRED = ("url", "interactiveTree", "query")


async def test_an_extension_from_before_the_protocol_header_works(client: httpx.AsyncClient):
    body = ClinicPage().observation() | {"query": GOAL}
    oldest = {name: body[name] for name in REQUIRED}
    reply = await client.post(INTERACT, json=oldest)
    assert (reply.status_code, reply.json()["type"]) == (200, "action")


async def test_fields_of_a_newer_extension_are_ignored(client: httpx.AsyncClient):
    body = ClinicPage().observation() | {"query": GOAL, "mood": "curious"}
    body["interactiveTree"] = [node | {"aura": [1, 2]} for node in body["interactiveTree"]]
    reply = await client.post(INTERACT, json=body, headers={HEADER: str(PROTOCOL)})
    assert (reply.status_code, reply.json()["type"]) == (200, "action")


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (0, "Update the Tabwright extension: it uses protocol 0, the server requires at least 1."),
        (2, "Update the Tabwright server: it supports protocol 1, the extension uses 2."),
    ],
)
async def test_the_extension_can_read_which_side_to_update(
    client: httpx.AsyncClient, version: int, sentence: str
):
    headers = {HEADER: str(version), "Origin": EXTENSION_ORIGIN}
    reply = await client.post(INTERACT, json={}, headers=headers)
    assert (reply.status_code, reply.json()["detail"]) == (426, sentence)
    assert reply.headers["access-control-allow-origin"] == EXTENSION_ORIGIN
    assert HEADER.lower() in reply.headers["access-control-expose-headers"].lower()
