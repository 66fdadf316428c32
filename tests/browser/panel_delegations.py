"""What the stage's server says of other assistants and of operators: tasks they ask for, opinions they gave."""

# ruff: noqa: E501  rows of values are read as rows

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

Row = dict[str, Any]
GOAL = "Add a new patient with name 'Jas' and phone 555-0142, then open the new record"
# What a client may call itself, and ask for: words that pass for ours, that turn the direction, that never end.
HOSTILE_NAME = "Tabwright\u202e nimda\n<b>Allow</b> \u2066" + "very" * 40
HOSTILE_GOAL = (
    "Read <img src=x onerror=alert(1)> this\u202e and\nPress Allow. Site: bank.example " + "w" * 400
)
RECORD = "HITL-3f2b8c1e-5a7d-4f60-9e21-7c4d0b9a6e15"
REVIEW = {"id": RECORD, "reasons": ["low_confidence"], "status": "pending"}
ADVICE = {
    "line": "An operator decided: “Add a new patient without insurance” was rejected by Mira Roth on 2026-11-19: "
    "The record cannot be billed; ask for the insurance first. (HITL-9a1c77d0-0b52-4e0f-8a3c-2f9d6b1e4c58)"
}


def asked(number: int, name: str = "Claude Desktop", goal: str = GOAL, **more: Any) -> Row:
    """A task that another assistant asks for."""
    now = datetime.now(UTC)
    made = {
        "delegationId": f"g{number}", "client": {"name": name, "version": "1.2", "keyId": "k_7f3a"},
        "goal": goal, "url": None, "recipe": None, "status": "waiting", "taskId": None, "note": "",
        "createdAt": now.isoformat(), "expiresAt": (now + timedelta(minutes=9, seconds=41)).isoformat(),
    }  # fmt: skip
    return made | more


def record(note: str = "", decision: str = "") -> Row:
    """A stored record, as far as it is shown."""
    review = {
        "decision": decision, "notes": "Checked in the register: the patient is there once.",
        "operator": {"name": "Mira Roth", "role": "front desk"},
    }  # fmt: skip
    decided = {"status": "reviewed", "review": review} if decision else {"status": "pending"}
    return {"id": RECORD, "origin": {"reasons": ["asked_for"]}, "note": note} | decided


CLIENTS = [
    {"consentId": "c1", "name": "Claude Desktop", "keyId": "k_7f3a", "createdAt": "2026-11-20T09:00:00Z"},
    {"consentId": "c2", "name": HOSTILE_NAME, "keyId": "k_0000", "createdAt": "2026-11-21T09:00:00Z"},
]  # fmt: skip


@dataclass
class Outside:
    """What others ask of this person, what was done with it, and what operators say."""

    rows: list[Row] = field(default_factory=list)
    clients: list[Row] = field(default_factory=lambda: list(CLIENTS))
    deeds: list[tuple[str, str, Row]] = field(default_factory=list)  # (id, deed, body)
    refuses: str = ""  # a deed that another browser was quicker with
    late: list[tuple[str, str]] = field(default_factory=list)  # what was refused so
    decision: str = ""  # of the operator, on what they are asked
    opinions: list[Row] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, *rows: Row) -> None:
        """These are open now, and nothing was done with them."""
        self.rows = list(rows)
        self.deeds.clear()
        self.late.clear()
        self.opinions.clear()
        self.clients = list(CLIENTS)
        self.refuses = self.decision = ""
        self.ring()

    def ring(self) -> None:
        before, self.changed = self.changed, asyncio.Event()
        before.set()

    def deed(self, number: str, deed: str, body: Row) -> Response:
        """As the server's states are: see `app/hitl/delegations.py`."""
        to = {"allow": "allowed", "refuse": "refused", "take": "taken", "failed": "ended"}[deed]
        found = [row for row in self.rows if row["delegationId"] == number]
        if deed == self.refuses or not found:
            self.late.append((number, deed))
            if deed == "take":
                self.rows = [row for row in self.rows if row not in found]
            detail = "This task is taken already"
            return JSONResponse({"code": "DELEGATION_TAKEN", "detail": detail}, 409)
        self.deeds.append((number, deed, body))
        found[0]["status"] = to
        self.rows = [row for row in self.rows if row["status"] in ("waiting", "allowed", "taken")]
        self.ring()
        return JSONResponse(found[0])

    async def events(self) -> AsyncIterator[str]:
        while True:
            changed = self.changed
            event = {"type": "delegations", "delegations": self.rows}
            yield f"data: {json.dumps(event)}\n\n"
            await changed.wait()


def with_delegations(app: FastAPI, outside: Outside) -> None:
    """The paths that the extension asks for them at."""

    @app.get("/api/delegations/events")
    async def events() -> Response:
        return StreamingResponse(outside.events(), media_type="text/event-stream")

    @app.get("/api/delegations")
    async def rows() -> Row:
        return {"delegations": outside.rows}

    @app.get("/api/delegations/clients")
    async def clients() -> Row:
        return {"clients": outside.clients}

    @app.delete("/api/delegations/clients/{consent_id}")
    async def withdraw(consent_id: str) -> Response:
        outside.clients = [one for one in outside.clients if one["consentId"] != consent_id]
        return Response(status_code=204)

    @app.post("/api/delegations/{number}/{deed}")
    async def done(number: str, deed: str, request: Request) -> Response:
        return outside.deed(number, deed, json.loads(await request.body()))

    @app.post("/api/review")
    async def opinion(request: Request) -> Response:
        outside.opinions.append(json.loads(await request.body()))
        return JSONResponse({"record": record()}, 201)

    @app.get("/api/review/{number}")
    async def look(number: str) -> Row:
        return {"record": record(decision=outside.decision)}
