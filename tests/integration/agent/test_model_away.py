"""A provider that is away at each point of a task, and calls in flight, over the wire."""

import asyncio
import json
from typing import Any

from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.fakes.steps import Gate, held, never, status
from tests.integration.desk import (
    BACK,
    FORM,
    GOAL,
    INTERACT,
    OPENING,
    SENT,
    TYPED,
    TYPES,
    Desk,
    Trip,
    doing,
    opening,
)

AWAY = status(503)
TRIES = 3  # over the wire, for one question


def told_of(trip: Trip) -> bool:
    notice = trip.answer["notice"] or ""
    assert (notice in trip.answer["thought"]) or not notice
    return notice.startswith("The model did not answer (") and notice.endswith("going on by rules.")


async def test_at_the_opening_rules_open_what_they_can(desk: Desk) -> None:
    desk.gemini.always(AWAY)
    trip = await desk.begin(FORM, 'Set "Telephone or cell" to "555 1234" then save')
    assert told_of(trip)
    assert len(trip.calls) == TRIES
    assert trip.nodes[: len(OPENING)] == OPENING
    assert trip.nodes[-1:] == SENT
    assert trip.actions == TYPED


async def test_at_the_opening_what_no_rule_reads_ends_and_says_so(desk: Desk) -> None:
    desk.gemini.always(AWAY)
    trip = await desk.begin(FORM, GOAL)
    assert trip.ended == ("done", "failed")
    assert told_of(trip)
    assert trip.answer["usage"]["costUsd"] == 0


async def test_within_the_plan_rules_carry_its_steps_on(desk: Desk) -> None:
    steps = [{"text": "Enter the phone"}, {"text": 'Set Zip code to "1234" and save'}]
    desk.gemini.script(opening(TYPES, steps=steps))
    first = await desk.begin(FORM, f"{GOAL}, zip 1234")
    desk.gemini.always(AWAY)
    trip = await desk.go_on(first, FORM.with_value(3, "555 1234"))
    assert told_of(trip)
    assert trip.nodes[: len(BACK)] == BACK
    assert trip.actions[0] == 'setValue("4", "1234")'
    assert len(trip.calls) == TRIES


async def test_a_question_to_the_page_is_left_open(desk: Desk) -> None:
    desk.gemini.when(asks_for("found"), AWAY, always=True)
    desk.gemini.script(opening('extract("who this customer is")'), doing(TYPES))
    trip = await desk.begin(FORM, GOAL)
    assert trip.nodes == [*OPENING, "reading", "step_refinement", *SENT]
    assert "The page does not say." in trip.calls[-1].prompt


async def test_a_failure_is_corrected_by_rules(desk: Desk) -> None:
    desk.gemini.script(opening("click(5)", step="Hand the form in"))
    first = await desk.begin(FORM, GOAL)
    desk.gemini.always(AWAY)
    failed = {"lastActionStatus": "failure", "lastExecutedActionIndex": -1}
    error = {"lastActionError": {"code": "NOT_INTERACTABLE", "message": "It is covered"}}
    trip = await desk.go_on(first, FORM, **failed, **error)
    assert trip.nodes[:3] == [*BACK, "correction"]
    assert trip.answer["type"] in ("action", "done")
    assert trip.answer["status"] != "completed"


class Sent:
    """A request on its way; `leave` cuts its connection."""

    def __init__(self, desk: Desk, body: dict[str, Any]) -> None:
        self.events: list[dict[str, Any]] = []
        self.named = asyncio.Event()
        self._job = asyncio.create_task(self._read(desk, body))

    async def _read(self, desk: Desk, body: dict[str, Any]) -> None:
        headers = {"Accept": "text/event-stream"}
        async with desk.client.stream("POST", INTERACT, json=body, headers=headers) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    self.events.append(json.loads(line[6:]))
                    self.named.set()

    async def ended(self) -> dict[str, Any]:
        await self._job
        return self.events[-1]

    async def leave(self) -> None:
        await self.named.wait()
        self._job.cancel()
        await asyncio.gather(self._job, return_exceptions=True)


async def given_up(call: Call) -> None:
    """Wait until the fake has seen that nobody waits for its answer any more."""
    async with asyncio.timeout(30):
        while not call.abandoned:
            await asyncio.sleep(0.005)


async def test_a_cancel_stops_the_call_in_flight(desk: Desk) -> None:
    desk.gemini.script(never())
    sent = Sent(desk, FORM.body(query=GOAL))
    await desk.gemini.called(1)
    await sent.named.wait()
    task_id = sent.events[0]["taskId"]
    assert (await desk.client.post(f"/api/task/{task_id}/cancel")).status_code == 200
    end = await sent.ended()
    assert (end["type"], end["status"], end["actions"]) == ("done", "interrupted", [])
    await given_up(desk.gemini.calls[0])
    assert len(desk.gemini.calls) == 1  # and nobody tried again

    desk.gemini.script(opening(TYPES))
    assert (await desk.post(FORM.body(taskId=task_id))).actions == TYPED


async def test_a_cut_connection_stops_nothing(desk: Desk) -> None:
    gate = Gate()
    desk.gemini.script(held(gate, opening(TYPES)))
    body = FORM.body(query=GOAL)
    sent = Sent(desk, body)
    await desk.gemini.called(1)
    await sent.leave()
    gate.set()
    trip = await desk.post(body)  # the same request: it gets the answer of that run
    assert trip.actions == TYPED
    assert len(desk.gemini.calls) == 1
    assert not desk.gemini.calls[0].abandoned
