"""Tasks that another assistant asks for, and a person's own browser carries out."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value

DelegationStatus = Literal[
    "waiting", "allowed", "taken", "ended", "refused", "cancelled", "expired"
]
OPEN: tuple[DelegationStatus, ...] = ("waiting", "allowed", "taken")


class Client(Value):
    """The assistant that asks, by the key it holds and the name that it gives itself."""

    key_id: str
    name: str
    version: str = ""


class Delegation(Value):
    """One task that a client asks for. `waiting`: for the person's consent; `allowed`: for a browser to take
    it; `taken`: a browser works on it, as `task_id` once that is known. `taker` names that browser;
    `note` says why it ended otherwise than by its task. `recipe` is {recipeId, parameters}.
    """

    delegation_id: str
    tenant: str
    user: str
    client: Client
    goal: str
    url: str | None = None
    recipe: dict[str, Any] | None = None
    status: DelegationStatus = "waiting"
    taker: str = ""
    task_id: str | None = None
    note: str = ""
    created_at: datetime
    updated_at: datetime
    expires_at: datetime

    def status_at(self, now: datetime) -> DelegationStatus:
        """What nobody allowed or took in time has expired."""
        over = self.status in ("waiting", "allowed") and self.expires_at <= now
        return "expired" if over else self.status


class Consent(Value):
    """That this person lets this client start tasks, until they take it back."""

    consent_id: str
    tenant: str
    user: str
    client: Client
    created_at: datetime
