"""Tasks that other assistants ask for, on the wire."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from app.api.models import Moment, Received, Reply
from app.bounds import Bounded
from app.domain.task import Consent, Delegation, DelegationStatus

Taker = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("note")]


class ClientView(Reply):
    """The assistant that asks: the key it holds, and what it calls itself."""

    name: str
    version: str
    key_id: str


class DelegationView(Reply):
    """One delegated task. `taskId` is known once a browser has begun it."""

    delegation_id: str
    client: ClientView
    goal: str
    url: str | None
    recipe: dict[str, Any] | None = Field(description="{recipeId, parameters}: a recipe to replay")
    status: DelegationStatus
    task_id: str | None
    note: str = Field(description="Why it ended otherwise than by its task")
    created_at: Moment
    expires_at: Moment

    @staticmethod
    def of(one: Delegation) -> "DelegationView":
        """The view of a row."""
        client = one.client
        return DelegationView(
            delegation_id=one.delegation_id,
            client=ClientView(name=client.name, version=client.version, key_id=client.key_id),
            goal=one.goal,
            url=one.url,
            recipe=one.recipe,
            status=one.status,
            task_id=one.task_id,
            note=one.note,
            created_at=one.created_at,
            expires_at=one.expires_at,
        )


class DelegationsView(Reply):
    """One's own that are open, oldest first."""

    delegations: list[DelegationView]


class DelegationsEvent(DelegationsView):
    """The same as an event."""

    type: Literal["delegations"] = "delegations"


class Allowing(Received):
    """The person's yes; `remember`: for whatever this client asks for later too."""

    remember: bool = False


class Taking(Received):
    """Which browser takes it."""

    taker: Taker


class Failing(Received):
    """Why it cannot be carried out."""

    reason: Reason = ""


class ConsentView(Reply):
    """A client that may start tasks."""

    consent_id: str
    name: str
    key_id: str
    created_at: Moment

    @staticmethod
    def of(one: Consent) -> "ConsentView":
        """The view of a row."""
        return ConsentView(
            consent_id=one.consent_id,
            name=one.client.name,
            key_id=one.client.key_id,
            created_at=one.created_at,
        )


class ConsentsView(Reply):
    """Whom the person lets start tasks, newest first."""

    clients: list[ConsentView]
