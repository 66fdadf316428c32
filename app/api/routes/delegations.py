"""Tasks that other assistants delegate to the user's browser, after the user's consent."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field, StringConstraints
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, BrowserUser
from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.problems import problem_doc, problem_docs
from app.api.request_body import Model, body_schema, parse_body, read_body
from app.api.responses import event_stream, stream_docs
from app.bounds import Bounded
from app.domain.access import Principal
from app.domain.task import DelegationStatus
from app.errors import Unavailable
from app.hitl import wait_for_event

Taker = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("note")]


class ClientView(ResponseModel):
    """The assistant: its key, and the name it gives itself."""

    name: str
    version: str
    key_id: str


class DelegationView(ResponseModel):
    """A delegated task. `taskId` is set once a browser has started it."""

    delegation_id: str
    client: ClientView
    goal: str
    url: str | None
    recipe: dict[str, Any] | None = Field(description="{recipeId, parameters}: a recipe to replay")
    status: DelegationStatus
    task_id: str | None
    note: str = Field(description="Why it ended without a task")
    created_at: Timestamp
    expires_at: Timestamp


class DelegationsView(ResponseModel):
    delegations: list[DelegationView]


class DelegationsEvent(DelegationsView):
    """`DelegationsView` as an event."""

    type: Literal["delegations"] = "delegations"


class AllowIn(RequestModel):
    """Consent; `remember` extends it to all later tasks of the client."""

    remember: bool = False


class TakeIn(RequestModel):
    taker: Taker


class FailIn(RequestModel):
    reason: Reason = ""


class ConsentView(ResponseModel):
    consent_id: str
    name: str
    key_id: str
    created_at: Timestamp


class ConsentsView(ResponseModel):
    clients: list[ConsentView]


router = APIRouter(tags=["delegations"], responses=problem_docs(401))

LONGEST_ID = 128
MISSING: dict[int | str, dict[str, Any]] = {404: problem_doc("The user has no such delegation")}
TAKEN = problem_doc("Another browser took it, or it is over")
CHANGES = MISSING | {409: TAKEN} | problem_docs(413, 422)
STREAM = stream_docs(DelegationsEvent) | problem_docs(429)


@router.get("/api/delegations")
async def delegations(principal: BrowserUser, state: AppStateDep) -> DelegationsView:
    """The user's delegations that await consent or a browser, or are running; oldest first.

    A delegation expires if nobody allows or takes it within ten minutes.
    """
    return DelegationsView(
        delegations=[
            DelegationView.from_fields(one) for one in await state["delegations"].open(principal)
        ]
    )


@router.get("/api/delegations/events", response_class=EventSourceResponse, responses=STREAM)
async def delegation_events(principal: BrowserUser, state: AppStateDep) -> EventSourceResponse:
    """A stream of the user's open delegations: all of them at once and again at each change."""
    state["delegations"].has_room(principal.tenant)
    return event_stream(_events(state, principal))


@router.get("/api/delegations/clients")
async def clients(principal: BrowserUser, state: AppStateDep) -> ConsentsView:
    """The clients that may start tasks without asking the user."""
    found = await state["delegations"].clients(principal)
    return ConsentsView(
        clients=[
            ConsentView.from_fields(one, name=one.client.name, key_id=one.client.key_id)
            for one in found
        ]
    )


@router.delete("/api/delegations/clients/{consent_id}", status_code=204, responses=MISSING)
async def withdraw_consent(consent_id: str, principal: BrowserUser, state: AppStateDep) -> Response:
    """Withdraw the consent: the client has to ask again."""
    await state["delegations"].withdraw(principal, consent_id[:LONGEST_ID])
    return Response(status_code=204)


@router.post(
    "/api/delegations/{delegation_id}/allow", responses=CHANGES, openapi_extra=body_schema(AllowIn)
)
async def allow(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """Consent to a task, and with `remember` to all later tasks of this client."""
    body = await _parse_body(AllowIn, request)
    found = await state["delegations"].allow(
        principal, delegation_id[:LONGEST_ID], remember=body.remember
    )
    return DelegationView.from_fields(found)


@router.post("/api/delegations/{delegation_id}/refuse", responses=MISSING | {409: TAKEN})
async def refuse(delegation_id: str, principal: BrowserUser, state: AppStateDep) -> DelegationView:
    """Refuse a task."""
    return DelegationView.from_fields(
        await state["delegations"].refuse(principal, delegation_id[:LONGEST_ID])
    )


@router.post(
    "/api/delegations/{delegation_id}/take", responses=CHANGES, openapi_extra=body_schema(TakeIn)
)
async def take(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """Claim a task for this browser, whose next new task names it as `delegationId`.

    409 `DELEGATION_TAKEN` if another browser took it; the same `taker` may repeat the request.
    """
    body = await _parse_body(TakeIn, request)
    return DelegationView.from_fields(
        await state["delegations"].take(principal, delegation_id[:LONGEST_ID], body.taker)
    )


@router.post(
    "/api/delegations/{delegation_id}/failed", responses=CHANGES, openapi_extra=body_schema(FailIn)
)
async def failed(
    delegation_id: str, request: Request, principal: BrowserUser, state: AppStateDep
) -> DelegationView:
    """Report that the browser cannot run the task; the client gets the reason."""
    body = await _parse_body(FailIn, request)
    return DelegationView.from_fields(
        await state["delegations"].fail(principal, delegation_id[:LONGEST_ID], body.reason)
    )


async def _parse_body(model: type[Model], request: Request) -> Model:
    """An empty body means the defaults."""
    return parse_body(model, await read_body(request) or b"{}")


async def _events(state: AppState, principal: Principal) -> AsyncIterator[dict[str, str]]:
    """The open delegations at once and after each change; silent while the store is unavailable."""
    service, last = state["delegations"], ""
    with service.listening(principal) as changed:
        while True:
            with suppress(Unavailable):
                found = await service.open(principal)
                event = DelegationsEvent(
                    delegations=[DelegationView.from_fields(one) for one in found]
                )
                data = event.model_dump_json(by_alias=True)
                if data != last:
                    last = data
                    yield {"data": data}
            await wait_for_event(changed)
