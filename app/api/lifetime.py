"""What start-up makes and requests read from `request.state`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import Scope

from app.agent.service import InteractService
from app.api.address import bucket_of
from app.api.limits import Limiter, Tries, kind_of
from app.api.shutdown import Shutdown
from app.chat.service import ChatService
from app.domain.task import Principal
from app.errors import Unauthenticated
from app.hitl.delegating import Delegating
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.logs import about
from app.mcp.http import Rooms
from app.observability.prometheus import Signals
from app.observability.sampling import Sampler
from app.review.service import ReviewService
from app.search.port import Search
from app.store.port import Store, Together
from app.usage.service import UsageService
from knowledge.port import Knowledge


class Lifetime(TypedDict):
    """Made once, shared by all requests."""

    store: Store
    interact: InteractService
    chat: ChatService
    search: Search
    limiter: Limiter
    pairing_tries: Tries
    wrong_keys: Tries
    local_networks: tuple[str, ...]
    model: str
    inbox: Inbox
    reviews: ReviewService
    bells: Bells
    delegating: Delegating
    together: Together
    usage: UsageService
    signals: Signals
    sampler: Sampler
    knowledge: Knowledge
    mcp: Rooms
    upload_bytes: int
    shutdown: Shutdown
    prove_write: Callable[[], Awaitable[None]]


async def lifetime(request: Request) -> Lifetime:
    """The lifetime of the app that serves this request."""
    return cast(Lifetime, request.scope["state"])


LifetimeDep = Annotated[Lifetime, Depends(lifetime)]


bearer = HTTPBearer(auto_error=False, description="An API key: `tabwright key create`")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


async def principal(request: Request, given: Credentials, made: LifetimeDep) -> Principal:
    """Who is asking, and counts it. Raises `Unauthenticated` without a valid Bearer key, `RateLimited`
    for too many requests with it.

    Every key is looked up, also from an address that was wrong too often: whose key is right never
    waits for a neighbour behind the same address.
    """
    return await admitted(made, request.scope, "" if given is None else given.credentials)


async def admitted(made: Lifetime, scope: Scope, secret: str) -> Principal:
    """The same of a request's scope and the secret that it holds, "" for none."""
    if not secret.strip():
        raise Unauthenticated("Send the key as 'Authorization: Bearer <key>'")
    found = await made["store"].keys.principal(secret.strip())
    if found is None:
        await made["wrong_keys"].take(bucket_of(scope))
        raise Unauthenticated("This key opens nothing here; 'tabwright key create' makes one")
    about(tenant=found.tenant)
    await made["limiter"].take(found, kind_of(scope["method"], scope["path"]))
    return found


PrincipalDep = Annotated[Principal, Depends(principal)]
