"""A runner and its person: sends requests as the extension does and records the replies."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from bench.interleaving.backend import Backend
from bench.interleaving.office import Office

INTERACT = "/api/agent/interact"
REFUSALS = frozenset(
    {400, 404, 409, 422}
)  # error codes by which an answer or request may be refused


class Violation(AssertionError):
    """An invariant was violated."""


@dataclass(frozen=True)
class Accepted:
    """An accepted answer: the question, the client it came through, and its outcome."""

    hitl_id: str
    door: str
    status: str


@dataclass
class Client:
    """One task of one person. `last` is the newest answer that reached the runner; `asked` are the
    questions seen, by id; `done` the actions that the browser executed.
    """

    backend: Backend
    rng: Random
    office: Office = field(default_factory=Office)
    task_id: str | None = None
    session_id: str | None = None
    last: dict[str, Any] | None = None
    body: dict[str, Any] | None = None
    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    accepted: list[Accepted] = field(default_factory=list)
    done: dict[str, bool] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    requests: int = 0

    async def send(
        self, path: str, body: dict[str, Any] | None = None, *, user: str = "ann", get: bool = False
    ) -> httpx.Response | None:
        """The response; None if the process died before sending it."""
        talks = self.backend.clients[user]
        reply = await (talks.get(path) if get else talks.post(path, json=body))
        if self.backend.life.dead:
            return None
        if not reply.is_success and reply.status_code not in REFUSALS:
            raise Violation(f"{path}: {reply.status_code} {reply.text}")
        return reply

    def request(self, **more: Any) -> dict[str, Any]:
        """A new request's body, with the page and the results not yet reported."""
        self.requests += 1
        body = self.office.seen() | {"requestId": f"{self.rng.getrandbits(128):032x}"}
        if self.task_id is not None:
            body |= {"taskId": self.task_id, "sessionId": self.session_id}
        return body | self.told | more

    async def post(self, body: dict[str, Any], user: str = "ann") -> httpx.Response | None:
        """Send a request of the task and record the answer."""
        if user == "ann":
            self.body = body
        reply = await self.send(INTERACT, body, user=user)
        if reply is None or user != "ann":
            return reply
        if reply.status_code == httpx.codes.OK:
            self._keep(reply.json(), body)
        return reply

    def _keep(self, event: dict[str, Any], body: dict[str, Any]) -> None:
        self.last = event
        self.task_id, self.session_id = event["taskId"], event["sessionId"]
        if body.get("lastActionId") == self.told.get("lastActionId"):
            self.told = {}
        if event["type"] == "interrupt":
            self.asked.setdefault(event["hitlId"], event)

    def act(self) -> None:
        """Execute the received actions, each once, and queue their results."""
        if self.last is None or self.last["type"] != "action" or not self.last["actions"]:
            return
        worked, index = True, -1
        for action in self.last["actions"]:
            if action["actionId"] not in self.done:
                self.done[action["actionId"]] = self.office.do(action)
            worked = self.done[action["actionId"]]
            if not worked:
                break
            index = action["index"]
        at = self.last["actions"][max(0, index if worked else index + 1)]
        self.told = {
            "lastActionId": at["actionId"],
            "lastActionStatus": "success" if worked else "failure",
            "clientObservations": {"didDomMutate": worked, "didNetworkOccur": worked},
        }
        if index >= 0:
            self.told["lastExecutedActionIndex"] = index
        if not worked:
            self.told["lastActionError"] = {"code": "ELEMENT_NOT_FOUND", "message": "It is gone"}

    @property
    def waiting(self) -> dict[str, Any] | None:
        """The question that the runner shows."""
        return self.last if self.last is not None and self.last["type"] == "interrupt" else None

    def took(self, reply: httpx.Response | None, hitl_id: str, door: str, said: str) -> None:
        """Record an accepted answer."""
        if reply is not None and reply.status_code == httpx.codes.OK:
            status = "cancelled" if said == "cancel" else "answered"
            self.accepted.append(Accepted(hitl_id, door, status))
