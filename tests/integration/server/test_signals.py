"""The log and the metrics of a running server, and who may read them."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from app.domain.access import Principal
from app.logs import configure_logging
from app.metrics.targets import TARGETS
from app.store.repositories import Store
from tests.fakes.clinic import ClinicPage
from tests.fakes.log_lines import caught
from tests.integration.agent.test_interact import begin, to_the_end

FORGED = '\n{"level": "info", "event": "forged"}\r\x1b[2K\u202e'
SAID = "Jas"  # the patient's name, in the goal and on the page


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    with caught() as out:
        configure_logging("debug", "json", out)
        yield out


@pytest.fixture
async def operator(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    _, secret = await store.keys.create(Principal(tenant="one", user="ops", scopes=("operator",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers) as made:
        yield made


def told(log: io.StringIO) -> list[dict[str, Any]]:
    """Every line, each of which is one object."""
    return [json.loads(line) for line in log.getvalue().splitlines()]


async def test_every_request_has_one_log_line(log, client):
    page = ClinicPage()
    answer, _ = await to_the_end(client, page, await begin(client, page))
    await client.get("/api/sessions?q=hunter2")
    lines = [one for one in told(log) if one["event"] == "request"]
    trips = [one for one in lines if one["route"] == "/api/agent/interact"]
    assert len(trips) > 2
    assert {one["taskId"] for one in trips} == {answer["taskId"]}
    assert {(one["tenantId"], one["status"], one["method"]) for one in trips} == {
        ("one", 200, "POST")
    }
    assert len({one["traceId"] for one in lines}) == len(lines)
    assert all(one["ms"] > 0 for one in lines)
    assert "taskId" not in lines[-1]
    for private in (SAID, "Add a new patient", "hunter2", "tw_"):
        assert private not in log.getvalue()


async def test_detached_run_logs_its_tenant(log, client, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("for this test")

    monkeypatch.setattr("app.agent.persistence.record.render_event", broken)
    page = ClinicPage()
    body = page.observation() | {"query": f"Add a new patient with name '{SAID}'"}
    reply = await client.post("/api/agent/interact", json=body)
    assert reply.status_code == 500
    (failed,) = [one for one in told(log) if one["event"] == "run failed"]
    assert failed["tenantId"] == "one"
    assert failed["traceId"] == reply.headers["x-trace-id"]
    assert failed["taskId"]
    assert "for this test" in failed["exception"][-1]
    assert SAID not in log.getvalue()


async def test_clients_cannot_forge_log_lines(log, client, base_url):
    page = ClinicPage()
    for field in ("taskId", "sessionId", "requestId", "url"):
        await client.post(
            "/api/agent/interact", json=page.observation() | {"query": "x", field: FORGED}
        )
    await client.get("/api/task/%0A%7B%22event%22%3A%22forged%22%7D%1b[2K")
    address = httpx.URL(base_url)
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(
        b"GET /no\x1b[2K\xe2\x80\xae HTTP/1.1\r\nHost: x\r\nUser-Agent: a\x1b[2K\xff\r\n"
        b"X-Trace-Id: forged\r\nConnection: close\r\n\r\n"
    )
    await reader.read()
    writer.close()
    events = {one["event"] for one in told(log)}
    assert "forged" not in events
    assert all(c.isprintable() or c == "\n" for c in log.getvalue())
    assert len(log.getvalue().splitlines()) == log.getvalue().count("\n")


async def test_metrics_are_for_operators_and_anonymous(client, operator):
    page = ClinicPage()
    answer, _ = await to_the_end(client, page, await begin(client, page))
    assert (await client.get("/metrics")).status_code == 403
    for path in ("/nowhere/1", "/nowhere/2", "/api/task/none"):
        await client.get(path)
    reply = await operator.get("/metrics")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/plain")
    text = reply.text
    assert 'tabwright_tasks_ended_total{complexity="SIMPLE",status="completed"} 1.0' in text \
        or 'tabwright_tasks_ended_total{complexity="COMPLEX",status="completed"} 1.0' in text  # fmt: skip
    assert 'tabwright_requests_total{method="GET",route="(none)",status="404"} 2.0' in text
    assert 'route="/api/task/{task_id}",status="404"} 1.0' in text
    assert 'tabwright_queue_waiting{queue="usage"} 0.0' in text
    assert "tabwright_store_up 1.0" in text
    for private in ("ann", "clinic", answer["taskId"], answer["sessionId"], SAID, "one"):
        assert f'"{private}"' not in text


async def test_kpi_series_has_a_point_per_day(client):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    table = (await client.get("/api/metrics/kpis")).json()["table"]
    assert len(table) == len(TARGETS)
    known = {row["key"]: row for row in table}
    assert (known["task_completion_rate"]["value"], known["task_completion_rate"]["state"]) == (
        1,
        "ok",
    )
    assert known["p95_latency"]["unit"] == "seconds"
    assert 0 < known["p95_latency"]["value"] < 7
    series = (await client.get("/api/metrics/kpis/series")).json()
    assert series["bucket"] == "day"
    assert len(series["points"]) == 31
    last = series["points"][-1]
    assert last["values"]["task_completion_rate"] == 1
    assert last["counts"]["predicted"] > 0
    assert series["points"][0]["values"]["task_completion_rate"] is None
    long = await client.get("/api/metrics/kpis/series", params={"from": "2001-01-01T00:00:00Z"})
    assert long.status_code == 422
    end = {"from": "9999-12-31T00:00:00Z", "to": "9999-12-31T23:59:59-10:00"}
    assert (await client.get("/api/metrics/kpis/series", params=end)).status_code == 422
