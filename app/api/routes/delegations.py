"""What other assistants ask for, and the person's own browser carries out after their consent."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StringConstraints, ValidationError
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, BrowserUser
from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.request_body import read_body
from app.api.routes.interact.router import PING_S, PROBLEMS, SSE, SSE_HEADERS
from app.bounds import Bounded
from app.domain.access import Principal
from app.domain.task import Consent, Delegation, DelegationStatus
from app.errors import InvalidBody, Unavailable
from app.hitl.events import rung

Taker = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("note")]


class ClientView(ResponseModel):
    """The assistant that asks: the key it holds, and what it calls itself."""

    name: str
    version: str
    key_id: str


class DelegationView(ResponseModel):
    """One delegated task. `taskId` is known once a browser has begun it."""

    delegation_id: str
    client: ClientView
    goal: str
    url: str | None
    recipe: dict[str, Any] | None = Field(description="{recipeId, parameters}: a recipe to replay")
    status: DelegationStatus
    task_id: str | None
    note: str = Field(description="Why it ended otherwise than by its task")
    created_at: Timestamp
    expires_at: Timestamp

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


class DelegationsView(ResponseModel):
    """One's own that are open, oldest first."""

    delegations: list[DelegationView]


class DelegationsEvent(DelegationsView):
    """The same as an event."""

    type: Literal["delegations"] = "delegations"


class AllowIn(RequestModel):
    """The person's yes; `remember`: for whatever this client asks for later too."""

    remember: bool = False


class TakeIn(RequestModel):
    """Which browser takes it."""

    taker: Taker


class FailIn(RequestModel):
    """Why it cannot be carried out."""

    reason: Reason = ""


class ConsentView(ResponseModel):
    """A client that may start tasks."""

    consent_id: str
    name: str
    key_id: str
    created_at: Timestamp

    @staticmethod
    def of(one: Consent) -> "ConsentView":
        """The view of a row."""
        return ConsentView(
            consent_id=one.consent_id,
            name=one.client.name,
            key_id=one.client.key_id,
            created_at=one.created_at,
        )


class ConsentsView(ResponseModel):
    """Whom the person lets start tasks, newest first."""

    clients: list[ConsentView]


router = APIRouter(tags=["delegations"], responses={401: PROBLEMS[401]})

LONGEST_ID = 128
MISSING: dict[int | str, dict[str, Any]] = {
    404: PROBLEMS[404] | {"description": "There is none of one's own of this id"}
}
LATE = PROBLEMS[409] | {"description": "Another browser took it, or it is over"}
CHANGES = MISSING | {409: LATE} | {k: PROBLEMS[k] for k in (413, 422)}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of `data:` events with a comment line every 10 s",
        "content": {
            SSE: {
                "schema": DelegationsEvent.model_json_schema(
                    ref_template="#/components/schemas/{model}"
                )
            }
        },
    },
    429: PROBLEMS[429],
}
Body = TypeVar("Body", bound=BaseModel)


def _takes(kind: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    content = {"application/json": {"schema": kind.model_json_schema()}}
    return {"requestBody": {"required": required, "content": content}}


@router.get("/api/delegations")
async def delegations(principal: BrowserUser, state: AppStateDep) -> DelegationsView:
    """One's own that wait for consent, for a browser, or are being carried out; oldest first.

    One that nobody allows or takes within ten minutes expires.
    """
    return DelegationsView(delegations=_views(await state["delegating"].open(principal)))


@router.get("/api/delegations/events", response_class=EventSourceResponse, responses=STREAM)
async def delegation_events(principal: BrowserUser, state: AppStateDep) -> EventSourceResponse:
    """All open ones of one's own, at once and again at each change."""
    state["delegating"].has_room(principal.tenant)
    return EventSourceResponse(
        _events(state, principal), ping=PING_S, sep="\n", headers=SSE_HEADERS
    )


@router.get("/api/delegations/clients")
async def clients(principal: BrowserUser, state: AppStateDep) -> ConsentsView:
    """The clients that one lets start tasks without being asked."""
    found = await state["delegating"].clients(principal)
    return ConsentsView(clients=[ConsentView.of(one) for one in found])


@router.delete("/api/delegations/clients/{consent_id}", status_code=204, responses=MISSING)
async def withdraw_consent(consent_id: str, principal: BrowserUser, state: AppStateDep) -> Response:
    """Be asked again from now on."""
    await state["delegating"].withdraw(principal, consent_id[:LONGEST_ID])
    return Response(status_code=204)


@router.post(
    "/api/delegations/{delegation_id}/allow", responses=CHANGES, openapi_extra=_takes(AllowIn)
)
async def allow(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """The person's consent to one task, and with `remember` to all that this client asks for later."""
    said = await _body(AllowIn, request)
    found = await state["delegating"].allow(principal, _id(delegation_id), remember=said.remember)
    return DelegationView.of(found)


@router.post("/api/delegations/{delegation_id}/refuse", responses=MISSING | {409: LATE})
async def refuse(delegation_id: str, principal: BrowserUser, state: AppStateDep) -> DelegationView:
    """The person's no: nothing of it is done."""
    return DelegationView.of(await state["delegating"].refuse(principal, _id(delegation_id)))


@router.post(
    "/api/delegations/{delegation_id}/take", responses=CHANGES, openapi_extra=_takes(TakeIn)
)
async def take(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """This browser carries it out: its next new task names it as `delegationId`.

    409 `DELEGATION_TAKEN` for any other browser; the same `taker` may repeat it.
    """
    said = await _body(TakeIn, request)
    return DelegationView.of(
        await state["delegating"].take(principal, _id(delegation_id), said.taker)
    )


@router.post(
    "/api/delegations/{delegation_id}/failed", responses=CHANGES, openapi_extra=_takes(FailIn)
)
async def failed(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """The browser cannot carry it out; who asked for it is told the reason."""
    said = await _body(FailIn, request)
    return DelegationView.of(
        await state["delegating"].fail(principal, _id(delegation_id), said.reason)
    )


def _id(given: str) -> str:
    return given[:LONGEST_ID]


def _views(found: list[Delegation]) -> list[DelegationView]:
    return [DelegationView.of(one) for one in found]


async def _body(kind: type[Body], request: Request) -> Body:
    """An empty body says nothing: what has a default has that."""
    try:
        return kind.model_validate_json(await read_body(request) or b"{}")
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None


async def _events(state: AppState, principal: Principal) -> AsyncIterator[dict[str, str]]:
    """From the first look on; while the store is away nothing is told."""
    delegating, told = state["delegating"], ""
    with delegating.listening(principal) as ear:
        while True:
            with suppress(Unavailable):
                event = DelegationsEvent(delegations=_views(await delegating.open(principal)))
                now = event.model_dump_json(by_alias=True)
                if now != told:
                    told = now
                    yield {"data": now}
            await rung(ear)
