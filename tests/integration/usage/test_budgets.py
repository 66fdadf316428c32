"""Limits on what is spent, as a person meets them: told before, warned, and asked in time."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from app.store.open import open_store
from tests.contract.store.test_usage import spent
from tests.integration.desk import FORM, GOAL, TYPED, TYPES, Desk, Served, Trip, doing, opening
from tests.integration.usage.budget_desk import choose, limit, person

# An opening of this form is thought to take $0.0016 and takes $0.00096 in truth: the second call of a
# task does not fit below this.
ONE_CALL = 0.002
FILLED = FORM.with_value(3, "555 1234")


class Team:
    """Three people of a tenant of their own."""

    def __init__(self, tenant: str, ann: Desk, olga: Desk, root: Desk) -> None:
        self.tenant, self.ann, self.olga, self.root = tenant, ann, olga, root


@pytest.fixture
async def team(served: Served, desk: Desk) -> AsyncIterator[Team]:
    tenant = f"team-{uuid4()}"
    async with (
        person(served, tenant) as ann,
        person(served, tenant, "olga", "operator") as olga,
        person(served, tenant, "root", "admin") as root,
    ):
        yield Team(tenant, ann, olga, root)


async def stopped(team: Team) -> Trip:
    """A task whose first call was paid, and whose second is asked about."""
    team.ann.gemini.script(opening(TYPES, ends=False))
    first = await team.ann.begin(FORM, GOAL)
    assert first.actions == TYPED
    asked = await team.ann.go_on(first, FILLED)
    assert (asked.ended, asked.calls) == (("interrupt", "awaiting_user"), [])
    assert asked.answer["source"] == "budget"
    return asked


def labels(asked: Trip) -> list[str]:
    return [one["label"] for one in asked.answer["options"]]


async def test_what_a_task_will_cost_is_told_and_a_limit_warns_once(team: Team) -> None:
    await limit(team.root, task={"limitUsd": 1, "warnAt": 0.0005}, tenant={"limitUsd": 50})
    team.ann.gemini.script(opening(TYPES, ends=False), doing("click(5)"))
    first = await team.ann.begin(FORM, GOAL)
    usage = first.answer["usage"]
    assert usage["estimate"]["calls"] == 4
    assert usage["estimate"]["costUsd"] > usage["costUsd"]
    assert "too few earlier tasks" in usage["estimate"]["basis"]
    near = {"scope": "task", "limitUsd": 1, "state": "warning", "spentUsd": usage["costUsd"]}
    assert usage["budget"] == pytest.approx(near)
    told = first.answer["notice"]
    assert re.fullmatch(r"This task's budget: \$0\.\d+ of \$1\.00 are spent\.", told)
    assert told in first.answer["thought"]
    second = await team.ann.go_on(first, FILLED)
    assert second.answer["usage"]["estimate"] == usage["estimate"]
    assert (second.answer["notice"], len(second.calls)) == (None, 1)


async def test_without_limits_only_the_estimate_is_there(team: Team) -> None:
    team.ann.gemini.script(opening(TYPES, ends=False))
    first = await team.ann.begin(FORM, GOAL)
    assert "estimate" in first.answer["usage"]
    assert (first.answer["usage"].get("budget"), first.answer["notice"]) == (None, None)


async def test_a_person_lets_a_task_spend_more(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    told = r"One more call would pass this task's budget: \$0\.\d+ of \$0\.002 are spent"
    assert re.match(told, asked.answer["message"])
    assert asked.answer["notice"] is None  # the question says it
    assert labels(asked)[0].startswith("Spend up to $0.00")
    assert asked.answer["usage"]["budget"]["state"] == "reached"
    team.ann.gemini.script(doing("click(5)"))
    goes_on = await choose(team.ann, asked, FILLED, "more")
    assert (goes_on.actions, len(goes_on.calls)) == (['click("5")'], 1)
    assert goes_on.answer["usage"]["budget"]["limitUsd"] > ONE_CALL


async def test_a_task_goes_on_by_rules_and_asks_no_model_again(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    goes_on = await choose(team.ann, asked, FILLED, "Go on without the model")
    assert (goes_on.calls, goes_on.answer["type"]) == ([], "done")


@pytest.mark.parametrize("said", ["stop", "no", "No."])
async def test_a_person_stops_it_and_nothing_is_spent(team: Team, said: str) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    ended = await choose(team.ann, asked, FILLED, said)
    assert (ended.ended, ended.calls) == (("done", "interrupted"), [])
    again = await team.ann.post(FILLED.body(taskId=asked.answer["taskId"]))
    assert (again.answer.get("source"), again.calls) == ("budget", [])


async def test_a_cancel_and_loose_words_spend_nothing(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    said = await choose(team.ann, asked, FILLED, "sure, whatever you need")
    assert (said.answer["type"], said.calls) == ("error", [])
    assert said.answer["problem"]["status"] == 422
    hitl = {"hitlId": asked.answer["hitlId"], "type": "cancel"}
    ended = await team.ann.post(FILLED.body(taskId=asked.answer["taskId"], hitlResponse=hitl))
    assert (ended.ended, ended.calls) == (("done", "interrupted"), [])


async def test_nobody_answers_and_nothing_is_spent(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    async with open_store(team.ann.settings) as store:
        rows = store.hitl._rows  # type: ignore[attr-defined]
        ago = datetime.now(UTC) - timedelta(minutes=10)
        named = {"tenantId": team.tenant, "hitlId": asked.answer["hitlId"]}
        await rows.update_one(named, {"$set": {"expiresAt": ago}})
    again = await team.ann.post(FILLED.body(taskId=asked.answer["taskId"]))
    assert (again.answer["source"], again.calls) == ("budget", [])
    assert again.answer["hitlId"] != asked.answer["hitlId"]


async def test_a_repeat_of_the_request_gets_the_same_question(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    asked = await stopped(team)
    again = await team.ann.post(FILLED.body(taskId=asked.answer["taskId"]))
    assert (again.answer["hitlId"], again.calls) == (asked.answer["hitlId"], [])


async def test_a_limit_is_met_in_the_middle_of_a_request(team: Team) -> None:
    await limit(team.root, task={"limitUsd": ONE_CALL})
    team.ann.gemini.script(opening("click(99)", ends=False))  # there is no 99: it is asked again
    asked = await team.ann.begin(FORM, GOAL)
    assert (asked.answer["source"], len(asked.calls)) == ("budget", 1)
    assert asked.nodes[-2:] == ["context_analysis", "put_question"]
    team.ann.gemini.script(opening(TYPES, ends=False))
    goes_on = await choose(team.ann, asked, FORM, "1")
    assert goes_on.actions == TYPED


async def test_a_months_limit_is_lifted_by_an_operator_alone(team: Team) -> None:
    await limit(team.root, users={"ann": {"limitUsd": ONE_CALL}})
    asked = await stopped(team)
    assert labels(asked) == ["Go on without the model", "Stop here"]
    assert "An operator of your team" in asked.answer["message"]
    refused = await choose(team.ann, asked, FILLED, "more")
    assert (refused.answer["problem"]["status"], refused.calls) == (403, [])
    answer = f"/api/hitl/{asked.answer['hitlId']}/answer"
    said = {"type": "action_choice", "value": "more"}
    assert (await team.ann.client.post(answer, json=said)).status_code == 403
    granted = await team.olga.client.post(answer, json=said)
    assert granted.status_code == 200, granted.text
    team.ann.gemini.script(doing("click(5)"))
    goes_on = await team.ann.post(FILLED.body(taskId=asked.answer["taskId"]))
    assert (goes_on.actions, len(goes_on.calls)) == (['click("5")'], 1)


async def test_an_operator_is_asked_for_more_of_the_teams_month(team: Team) -> None:
    await limit(team.root, tenant={"limitUsd": ONE_CALL})
    asked = await stopped(Team(team.tenant, team.olga, team.olga, team.root))
    assert labels(asked)[0] == "Spend up to $0.01 more on this task"
    team.olga.gemini.script(doing("click(5)"))
    assert (await choose(team.olga, asked, FILLED, "more")).actions == ['click("5")']


async def test_what_was_spent_last_month_counts_no_more(team: Team) -> None:
    now = datetime.now(UTC)
    before = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) - timedelta(seconds=1)
    row = {"tenant": team.tenant, "user": "ann", "cost_usd": 5.0}
    async with open_store(team.ann.settings) as store:
        await store.usage.add([spent(str(uuid4()), created_at=before, **row)])
    await limit(team.root, user={"limitUsd": 1}, tenant={"limitUsd": 1})
    team.ann.gemini.script(opening(TYPES, ends=False))
    assert (await team.ann.begin(FORM, GOAL)).actions == TYPED
    async with open_store(team.ann.settings) as store:
        await store.usage.add([spent(str(uuid4()), created_at=now, **row)])
    seen = (await team.root.client.get("/api/budgets")).json()["spent"]
    assert seen["month"] == f"{now:%Y-%m}"
    assert seen["tenantUsd"] == pytest.approx(5.001, abs=0.001)


async def test_what_needs_no_model_goes_on_unasked(team: Team) -> None:
    await limit(team.root, tenant={"limitUsd": 0.000001})
    done = await team.ann.begin(FORM, "Click Save")
    assert (done.actions, done.calls) == (['click("5")'], [])


async def test_who_may_see_and_set_limits(team: Team) -> None:
    set_ = await limit(team.root, task={"limitUsd": 0.5}, users={"ann": {"limitUsd": 2}})
    assert (set_["task"], set_["user"]) == ({"limitUsd": 0.5, "warnAt": 0.8}, None)
    seen = (await team.olga.client.get("/api/budgets")).json()
    assert seen["users"] == {"ann": {"limitUsd": 2, "warnAt": 0.8}}
    own = (await team.ann.client.get("/api/budgets")).json()
    assert (own["user"]["limitUsd"], own["users"], own["tenant"]) == (2, {}, None)
    assert own["spent"] == {"month": own["spent"]["month"], "tenantUsd": None, "users": {"ann": 0}}
    for desk in (team.ann, team.olga):
        assert (await desk.client.put("/api/budgets", json={})).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        '{"task": {"limitUsd": 0}}',
        '{"task": {"limitUsd": -1}}',
        '{"tenant": {"limitUsd": NaN}}',
        '{"tenant": {"limitUsd": 1e999}}',
        '{"user": {"limitUsd": 1, "warnAt": 0}}',
        '{"user": {"limitUsd": 1, "warnAt": 1.5}}',
        '{"users": {"": {"limitUsd": 1}}}',
        '{"users": {"a\\u0000b": {"limitUsd": 1}}}',
        '{"task": {"limitUsd": "\\ud800"}}',
        "[]",
        "{",
    ],
)
async def test_limits_that_cannot_be_are_refused(team: Team, body: str) -> None:
    reply = await team.root.client.put("/api/budgets", content=body)
    assert reply.status_code == 422, reply.text
