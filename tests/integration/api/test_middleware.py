"""The HTTP edge: rate limits, CORS, trace ids and streams."""

import httpx
import pytest

from app.settings import EXTENSION_ORIGIN
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT

PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
}


class TestRates:
    @pytest.fixture
    def server_settings(self, settings):
        return settings.model_copy(update={"rate_limit": "3/minute"})

    async def test_rate_limit_has_a_retry_after(self, client, other):
        body = ClinicPage().observation() | {"query": GOAL}
        statuses = [(await client.post(INTERACT, json=body)).status_code for _ in range(3)]
        assert statuses == [200, 200, 200]
        reply = await client.post(INTERACT, json=body)
        assert (reply.status_code, reply.json()["code"]) == (429, "RATE_LIMITED")
        assert 1 <= int(reply.headers["retry-after"]) <= 60
        assert (await other.post(INTERACT, json=body)).status_code == 200
        assert (await client.get("/api/sessions")).status_code == 200


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [(EXTENSION_ORIGIN, True), ("https://evil.example", False), ("chrome-extension://abc", False)],
)
async def test_cors_allows_only_the_extension(base_url, origin, allowed):
    async with httpx.AsyncClient(base_url=base_url) as browser:
        reply = await browser.options(INTERACT, headers=PREFLIGHT | {"Origin": origin})
    assert (reply.headers.get("access-control-allow-origin") == origin) is allowed


async def test_cors_allows_every_method_of_every_route(base_url):
    async with httpx.AsyncClient(base_url=base_url) as browser:
        paths = (await browser.get("/openapi.json")).json()["paths"]
        for method, path in [(one.upper(), path) for path, has in paths.items() for one in has]:
            asked = PREFLIGHT | {
                "Origin": EXTENSION_ORIGIN,
                "Access-Control-Request-Method": method,
            }
            reply = await browser.options(path, headers=asked)
            allowed = reply.headers.get("access-control-allow-methods", "").split(", ")
            assert (reply.status_code, method in allowed) == (200, True), (method, path)


async def test_every_response_has_a_trace_id(client):
    reply = await client.get("/api/nothing")
    assert reply.headers["x-trace-id"] == reply.json()["traceId"]


async def test_stream_that_fails_ends_with_a_problem(client):
    page = ClinicPage()
    body = page.observation() | {"query": GOAL}
    answer = (await client.post(INTERACT, json=body)).json()
    headers = {"Accept": "text/event-stream"}
    for _ in range(7):
        step = page.observation() | {"taskId": answer["taskId"], "lastActionStatus": "failure"}
        step["lastActionId"] = answer["actions"][0]["actionId"]
        reply = await client.post(INTERACT, json=step)
        if reply.status_code != 200 or reply.json()["type"] != "action":
            break
        answer = reply.json()
    again = await client.post(INTERACT, json=step, headers=headers)
    assert again.status_code == 200
    last = [line for line in again.text.splitlines() if line.startswith("data: ")][-1]
    assert '"type":"done"' in last or '"type":"error"' in last
    assert reply.status_code in {200, 400}
    gone = await client.post(INTERACT, json=page.observation() | {"taskId": answer["taskId"]})
    assert (gone.status_code, gone.json()["code"]) == (409, "TASK_ENDED")
