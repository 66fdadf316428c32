"""A task or conversation that is cut off while two processes may work on it, and what must not follow."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

import httpx

from bench.interleaving.office import Office
from bench.interleaving.pair import ANN, Pair, Process

INTERACT = "/api/agent/interact"
GOALS = ("Add a new patient with name 'Eve Stone'", "Delete Kim Lee")
TRIPS = 9
MOST_TRIES = 200
AGAIN_S = 0.1
BUSY = frozenset({"TASK_BUSY", "TASK_PAUSED", "STORE_UNAVAILABLE", "SERVER_STOPPING"})
SHOWS = {"pause": "TASK_PAUSED", "cancel": "HITL_NOT_PENDING"}
"""Error codes by which a client learns of a cut whose reply was lost."""


@dataclass
class Seen:
    """The counts; `wrong` describes the violations."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass
class Sent:
    """A request whose events are recorded as they arrive."""

    body: dict[str, Any]
    events: list[dict[str, Any]] = field(default_factory=list)
    named: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[dict[str, Any] | None]" = field(init=False)

    @property
    def task_id(self) -> str | None:
        """The task, as soon as an event names it."""
        return next((one["taskId"] for one in self.events if "taskId" in one), None)


def send(process: Process, path: str, body: dict[str, Any]) -> Sent:
    """Send it and record its events; its task returns the last one, or None if the process died."""
    sent = Sent(body)
    sent.task = asyncio.create_task(_events(process, path, sent))
    return sent


async def _events(process: Process, path: str, sent: Sent) -> dict[str, Any] | None:
    headers = {"Accept": "text/event-stream"}
    try:
        async with process.client.stream("POST", path, json=sent.body, headers=headers) as stream:
            if stream.status_code != httpx.codes.OK:
                problem = json.loads(await stream.aread())
                sent.events.append({"type": "error", "problem": problem})
            else:
                async for line in stream.aiter_lines():
                    if line.startswith("data: "):
                        sent.events.append(json.loads(line[6:]))
                        sent.named.set()
    except httpx.TransportError:
        return None
    finally:
        sent.named.set()
    return sent.events[-1] if sent.events and sent.events[-1]["type"] != "status" else None


@dataclass
class TaskPlay:
    """One task from its seed. `untold` is a requested cut whose reply was lost."""

    pair: Pair
    rng: Random
    seen: Seen
    office: Office = field(default_factory=Office)
    task_id: str | None = None
    told: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    untold: str | None = None

    async def play(self) -> None:
        """Play it to its end, with cuts in between."""
        more: dict[str, Any] = {"query": self.rng.choice(GOALS)}
        for _ in range(TRIPS):
            event, cut = await self._trip(more)
            more = {}
            if cut == "pause":
                more = {"handBack": {"actions": []}}
            elif cut is None:
                if event["type"] == "done":
                    break
                more = self._acted(event)
        effects = Counter(self.office.effects)
        self.seen.counts["effects"] += effects.total()
        self.seen.wrong += [f"done twice: {one}" for one, times in effects.items() if times > 1]

    def _acted(self, event: dict[str, Any]) -> dict[str, Any]:
        if event["type"] == "interrupt":
            self.seen.counts["answer"] += 1
            reply = {"hitlId": event["hitlId"], "type": event["interruptType"], "value": "yes"}
            return {"hitlResponse": reply}
        if event["type"] != "action" or not event["actions"]:
            return {}
        for action in event["actions"]:
            if action["actionId"] not in self.done:
                self.done.add(action["actionId"])
                self.office.do(action)
        last = event["actions"][-1]
        return {
            "lastActionId": last["actionId"],
            "lastActionStatus": "success",
            "lastExecutedActionIndex": last["index"],
            "clientObservations": {"didDomMutate": True, "didNetworkOccur": True},
        }

    async def _trip(self, more: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        """The answer to one request, repeated until it has one, and how it was cut off."""
        body = self.office.seen() | {"requestId": f"{self.rng.getrandbits(128):032x}"} | more
        if self.task_id is not None:
            body |= {"taskId": self.task_id}
        wants_cut = self.rng.choice((None, None, "cancel", "pause"))
        refused: set[str] = set()
        for _ in range(MOST_TRIES):
            sides = self.rng.sample(self.pair.processes, 2)
            flying = [send(sides[0], INTERACT, body)]
            self.seen.counts["claim"] += 1
            if self.rng.random() < 0.3:
                await asyncio.sleep(self.rng.uniform(0, 0.2))
                flying.append(send(sides[1], INTERACT, body))
            cut = await self._cut(wants_cut, flying) if wants_cut else None
            events = [await one.task for one in flying]
            for event in events:
                self._answered(body["requestId"], event)
            refused = {code for e in events if e is not None and (code := _code(e))}
            if cut is None and self.untold is not None and SHOWS[self.untold] in refused:
                cut = self.untold
                self.seen.counts["cut without a reply"] += 1
            if cut is not None:
                self.untold = None
                return {}, cut
            event = next((e for e in events if e is not None and not _is_busy(e)), None)
            if event is not None and event["type"] != "error":
                return event, None
            if event is not None and (code := event["problem"]["code"]) != "HITL_NOT_PENDING":
                return {"type": "done", "code": code}, None
            await asyncio.sleep(AGAIN_S)
        self.seen.wrong.append(f"a request never came through: {sorted(refused)}")
        return {"type": "done"}, None

    def _answered(self, request_id: str, event: dict[str, Any] | None) -> None:
        """Check that a request delivers a single chain."""
        if event is None or event["type"] not in ("action", "interrupt"):
            return
        self.task_id = event["taskId"]
        said = event.get("hitlId") or ",".join(a["actionId"] for a in event["actions"])
        if self.answers.setdefault(request_id, said) != said:
            self.seen.wrong.append(f"two answers to {request_id}")

    async def _cut(self, how: str, flying: list[Sent]) -> str | None:
        """How it was cut off, None if that was refused. Nothing may follow afterwards."""
        await flying[0].named.wait()
        self.task_id = task_id = self.task_id or flying[0].task_id
        if task_id is None:
            return None
        await asyncio.sleep(self.rng.uniform(0, 0.3))
        by = self.rng.choice(self.pair.processes)
        known = [one for one in flying if one.events]  # delivered by the servers before the cut
        try:
            reply = await by.client.post(f"/api/task/{task_id}/{how}")
        except httpx.TransportError:
            self.untold = how
            return None
        if reply.status_code != httpx.codes.OK:
            return None
        before = await self._handed_out(task_id)
        self.seen.counts[how] += 1
        for one in known:
            event = await one.task
            if event is None or event["type"] not in ("action", "interrupt"):
                continue
            said = {event.get("hitlId", "")} | {a["actionId"] for a in event.get("actions", ())}
            if said - before - {""}:
                self.seen.wrong.append(f"{event['type']} after {how}")
        if len(known) < len(flying):  # one arrived after the cut: the task was sent again
            await asyncio.gather(*(one.task for one in flying))
            return how
        if late := await self._handed_out(task_id) - before:
            self.seen.wrong.append(f"rows after {how}: {', '.join(sorted(late))}")
        row = await self.pair.opened.store.tasks.find(ANN.tenant, task_id)
        if row is not None and row.status not in ("interrupted", "awaiting_user"):
            self.seen.wrong.append(f"{row.status} after {how}")
        return how

    async def _handed_out(self, task_id: str) -> set[str]:
        store = self.pair.opened.store
        actions = await store.actions.of_task(ANN.tenant, task_id)
        asked = await store.hitl.of_task(ANN.tenant, task_id)
        return {one.action_id for one in actions} | {one.hitl_id for one in asked}


@dataclass
class ChatPlay:
    """One conversation from its seed, with stopped turns."""

    pair: Pair
    rng: Random
    seen: Seen

    async def play(self) -> None:
        """Play three turns."""
        thread_id = str(UUID(int=self.rng.getrandbits(128)))
        for _ in range(3):
            body = {
                "message": "How many days of leave are there?",
                "thread_id": thread_id,
                "request_id": f"{self.rng.getrandbits(128):032x}",
            }
            sent = send(self.rng.choice(self.pair.processes), "/api/chat", body)
            self.seen.counts["claim"] += 1
            await sent.named.wait()
            await asyncio.sleep(self.rng.uniform(0, 0.3))
            if self.rng.random() < 0.7:
                await self._stop(thread_id, sent)
            await sent.task

    async def _stop(self, thread_id: str, sent: Sent) -> None:
        by = self.rng.choice(self.pair.processes)
        try:
            reply = await by.client.post(f"/api/chat/conversations/{thread_id}/stop")
        except httpx.TransportError:
            return
        if reply.status_code != httpx.codes.OK or not reply.json()["stopped"]:
            return
        before = await self._said(thread_id)
        self.seen.counts["stop"] += 1
        event = await sent.task
        after = await self._said(thread_id)
        if after - before:
            self.seen.wrong.append("a line after stop")
        if event is not None and event["type"] == "response" and event["message_id"] not in before:
            self.seen.wrong.append("an answer after stop")

    async def _said(self, thread_id: str) -> set[str]:
        talks = self.pair.opened.store.conversations
        lines = await talks.lines(ANN.tenant, thread_id, limit=100)
        return {one.message_id for one in lines if one.role != "user"}


def _is_busy(event: dict[str, Any]) -> bool:
    return _code(event) in BUSY


def _code(event: dict[str, Any]) -> str:
    """The error code of the event, or ""."""
    return str((event.get("problem") or {}).get("code", "")) if event["type"] == "error" else ""
