"""One request to the agent, as it reaches the run."""

from dataclasses import dataclass
from hashlib import sha256

from app.domain.access import Principal
from app.domain.action import ClientReport
from app.domain.hitl import UserAction
from app.domain.memory import RecipeCall
from app.domain.page import Observation
from app.hitl.answers import HitlAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractCall:
    """A validated interact request. `request_id` is the idempotency key; `body_hash` its body's.

    `continue_from` is a task that ended, which a new one goes on with after a person did its step.
    `delegation_id` is what another assistant asked for, which the new task carries out.
    `hand_back` is what the person did themselves before they gave the task back; None where they did not
    have it. `stops`: the task is stopped by it, also where a question was answered and that is not taken up.
    """

    principal: Principal
    request_id: str
    body_hash: str
    trace_id: str
    page: Observation
    report: ClientReport
    query: str | None = None
    task_id: str | None = None
    session_id: str | None = None
    last_action_id: str | None = None
    answer: HitlAnswer | None = None
    recipe: RecipeCall | None = None
    continue_from: str | None = None
    delegation_id: str | None = None
    cancels_task: bool = False
    hand_back: tuple[UserAction, ...] | None = None


def body_hash(body: bytes, user: str) -> str:
    """What tells a repeated request from another one, or another person's, that reuses its id."""
    return sha256(f"{user}\0".encode("utf-8", "surrogatepass") + body).hexdigest()
