"""Two real server processes on one store: what one of them ends, the other one ends too."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio

from app.settings import Settings
from bench.interleaving.__main__ import play
from bench.interleaving.cuts import INTERACT, Sent, send
from bench.interleaving.office import Office
from bench.interleaving.pair import ANN, Pair, pair

GOAL = "Add a new patient with name 'Eve Stone'"
HESITATES_S = 0.25  # each of the five calls of a run
CLAIM_TTL_S, RENEW_S = 1.5, 1.2  # a run ends before it learns by itself that it lost its lease
CHAT = "/api/chat"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def both(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    place: Path = tmp_path_factory.mktemp("pair")
    settings = Settings(
        _env_file=None,
        data_dir=place / "own",
        mongodb_uri=store_uri,  # type: ignore[arg-type]
        mongodb_database=f"test_{uuid4().hex[:12]}",
    )
    times = {"hesitates_s": HESITATES_S, "claim_ttl_s": CLAIM_TTL_S, "renew_s": RENEW_S}
    async with pair(settings, store_uri, place, **times) as made:
        yield made


def body() -> dict[str, object]:
    return Office().seen() | {"requestId": str(uuid4()), "query": GOAL}


async def begun(both: Pair) -> tuple[Sent, str]:
    """A run of the first process, under way."""
    sent = send(both.processes[0], INTERACT, body())
    await sent.named.wait()
    assert sent.task_id is not None
    return sent, sent.task_id


@pytest.mark.parametrize("how", ["cancel", "pause"])
async def test_nothing_is_sent_once_another_process_said_that_it_ended(
    both: Pair, how: str
) -> None:
    sent, task_id = await begun(both)
    cut = await both.processes[1].client.post(f"/api/task/{task_id}/{how}")
    assert cut.status_code == 200, cut.text
    event = await sent.task
    assert event is not None
    assert (event["type"], event["status"]) == ("done", "interrupted")
    assert await both.opened.store.actions.of_task(ANN.tenant, task_id) == []
    again = await both.processes[1].client.post(INTERACT, json=sent.body)
    assert again.json()["type"] == "done"  # the same request is told the same


@pytest.mark.parametrize("how", ["cancel", "pause"])
async def test_the_row_stays_as_the_person_left_it(both: Pair, how: str) -> None:
    sent, task_id = await begun(both)
    first = await sent.task
    assert first is not None
    assert first["type"] == "action"
    told = {"taskId": task_id, "lastActionId": first["actions"][0]["actionId"]}
    known = await both.opened.store.actions.of_task(ANN.tenant, task_id)
    goes_on = send(
        both.processes[0], INTERACT, Office().seen() | {"requestId": str(uuid4())} | told
    )
    await goes_on.named.wait()
    assert (await both.processes[1].client.post(f"/api/task/{task_id}/{how}")).status_code == 200
    event = await goes_on.task
    assert event is not None
    assert event["type"] == "done"
    row = await both.opened.store.tasks.get(ANN.tenant, task_id)
    assert row.status == ("interrupted" if how == "cancel" else "awaiting_user")
    actions = await both.opened.store.actions.of_task(ANN.tenant, task_id)
    assert [one.action_id for one in actions] == [one.action_id for one in known]


async def test_a_conversation_that_was_stopped_elsewhere_gets_no_answer(both: Pair) -> None:
    thread_id = str(uuid4())
    asks = {"message": "How many days of leave?", "thread_id": thread_id, "request_id": "stopped"}
    sent = send(both.processes[0], CHAT, asks)
    await sent.named.wait()
    path = f"/api/chat/conversations/{thread_id}/stop"
    assert (await both.processes[1].client.post(path)).json() == {"stopped": True}
    event = await sent.task
    assert event is not None
    assert (event["type"], event["message"]) == ("error", "Stopped.")
    lines = await both.opened.store.conversations.lines(ANN.tenant, thread_id, limit=9)
    assert [one.role for one in lines] == ["user"]


async def test_a_process_that_was_suspended_gives_the_answer_of_the_one_that_took_over(
    both: Pair,
) -> None:
    sent, task_id = await begun(both)
    both.processes[0].suspend()
    try:
        repeat = send(both.processes[1], INTERACT, sent.body)
        taken = await repeat.task
    finally:
        both.processes[0].wake()
    event = await sent.task
    assert taken is not None
    assert event is not None
    assert taken["type"] == "action"
    assert event == taken
    actions = await both.opened.store.actions.of_task(ANN.tenant, task_id)
    assert [one.action_id for one in actions] == [one["actionId"] for one in taken["actions"]]


async def test_what_was_cancelled_is_not_run_for_a_process_that_died(both: Pair) -> None:
    sent, task_id = await begun(both)
    assert (await both.processes[1].client.post(f"/api/task/{task_id}/cancel")).status_code == 200
    both.processes[0].kill()
    await sent.task
    await asyncio.to_thread(both.processes[0].start)
    again = send(both.processes[1], INTERACT, sent.body)
    event = await again.task
    assert event is not None
    assert event["type"] in ("done", "error")
    assert await both.opened.store.actions.of_task(ANN.tenant, task_id) == []


async def test_whatever_cuts_runs_off_nothing_follows_and_nothing_is_done_twice(both: Pair) -> None:
    seen = await play(both, runs=8, seed=3, at_once=8)
    assert seen.wrong == []
    assert seen.counts["cancel"] + seen.counts["pause"] + seen.counts["stop"] > 0
