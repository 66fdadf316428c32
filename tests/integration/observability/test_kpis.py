"""KPIs over HTTP."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import begin, to_the_end

KPIS = "/api/metrics/kpis"
NONE = {
    "predictions": {"count": 0, "brier": None, "byKind": []},
    "verification": {
        "count": 0, "byTier": [], "decidedShare": None, "successRate": None, "tokensSaved": 0,
    },
    "corrections": {"count": 0, "successRate": None, "byStrategy": [], "bySource": []},
    "rePlanning": {"rate": None},
    "tasks": {"count": 0, "failed": 0, "interrupted": 0, "completionRate": None},
    "skills": {"count": 0, "hitRate": None, "effectiveness": None},
}  # fmt: skip

UNFINISHED = "Open the Patient menu and press the Discharge button"  # there is no such button


async def kpis(client, **period):
    reply = await client.get(KPIS, params=period)
    assert reply.status_code == 200, reply.text
    found = reply.json()
    del found["table"], found["warnings"], found["review"]
    return found.pop("from"), found.pop("to"), found


async def test_tenant_without_tasks_has_no_rates(client):
    _, _, found = await kpis(client)
    assert found == NONE


async def test_every_prediction_is_scored(client):
    page = ClinicPage()
    answer, _ = await to_the_end(client, page, await begin(client, page))
    story = (await client.get(f"/api/task/{answer['taskId']}")).json()
    scores = [one["prediction"] for one in story["actions"] if one["verification"]]
    assert [one["kind"] for one in scores] == ["open", "click", "setValue", "submit"]
    assert all(one["met"] and not one["unmet"] for one in scores)
    assert all(
        one["brier"] == pytest.approx((one["predicted"] - 1) ** 2, abs=1e-4) for one in scores
    )

    _, _, found = await kpis(client)
    predictions = found["predictions"]
    assert predictions["count"] == len(scores)
    assert predictions["brier"] == pytest.approx(
        sum(one["brier"] for one in scores) / len(scores), abs=1e-3
    )
    by_kind = {one["kind"]: one for one in predictions["byKind"]}
    opened = by_kind["open"]
    assert (opened["count"], opened["observedRate"]) == (1, 1)
    (only,) = opened["bins"]
    assert only["from"] <= opened["meanPredicted"] < only["to"]
    assert (only["count"], only["observed"]) == (1, 1)


async def test_verdicts_and_tasks_are_counted(client):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    await to_the_end(
        client,
        page,
        await begin(client, page, UNFINISHED),
    )
    _, _, found = await kpis(client)
    verification, tasks = found["verification"], found["tasks"]
    assert verification["byTier"] == [{"tier": 1, "count": verification["count"]}]
    assert verification["count"] >= 3
    assert verification["successRate"] > 0
    assert verification["tokensSaved"] > 0
    assert (tasks["count"], tasks["failed"], tasks["interrupted"]) == (2, 1, 0)
    assert tasks["completionRate"] == 0.5
    assert found["rePlanning"]["rate"] is not None


async def test_other_tenants_are_not_counted(client, other):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    _, _, found = await kpis(other)
    assert found == NONE


async def test_period_limits_what_is_counted(client):
    page = ClinicPage()
    await to_the_end(client, page, await begin(client, page))
    now = datetime.now(UTC)
    ago, until = now - timedelta(days=2), now - timedelta(days=1)
    since, to, found = await kpis(client, **{"from": ago.isoformat(), "to": until.isoformat()})
    assert found == NONE
    assert (datetime.fromisoformat(since), datetime.fromisoformat(to)) == (ago, until)
    since, to, found = await kpis(client)
    assert datetime.fromisoformat(to) - datetime.fromisoformat(since) == timedelta(days=30)
    assert found["tasks"]["count"] == 1


@pytest.mark.parametrize("given", ["yesterday", "2026-01-01T00:00:00"])
async def test_rejects_an_invalid_day(client, given):
    reply = await client.get(KPIS, params={"from": given})
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")


async def test_period_bounds(client):
    turned = {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    reply = await client.get(KPIS, params=turned)
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")
    reply = await client.get(KPIS, params={"to": "0001-01-02T00:00:00Z"})
    assert (reply.status_code, reply.json()["tasks"]["count"]) == (200, 0)


async def test_kpis_need_a_key(base_url, client):
    reply = await client.get(KPIS, headers={"Authorization": "Bearer nobody"})
    assert reply.status_code == 401
