"""What start-up makes and requests read from `request.state`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.agent.service import InteractService
from app.api.limits import Limiter, Tries
from app.domain.task import Principal
from app.errors import Unauthenticated
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.store.port import Store, Together


class Lifetime(TypedDict):
    """Made once, shared by all requests."""

    store: Store
    interact: InteractService
    limiter: Limiter
    pairing_tries: Tries
    inbox: Inbox
    bells: Bells
    together: Together
    ping: Callable[[], Awaitable[None]]


async def lifetime(request: Request) -> Lifetime:
    """The lifetime of the app that serves this request."""
    return cast(Lifetime, request.scope["state"])


LifetimeDep = Annotated[Lifetime, Depends(lifetime)]


bearer = HTTPBearer(auto_error=False, description="An API key: `tabwright key create`")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


async def principal(given: Credentials, made: LifetimeDep) -> Principal:
    """Who is asking. Raises `Unauthenticated` without a valid Bearer key."""
    if given is None or not given.credentials.strip():
        raise Unauthenticated("Send the key as 'Authorization: Bearer <key>'")
    found = await made["store"].keys.principal(given.credentials.strip())
    if found is None:
        raise Unauthenticated("This key opens nothing here; 'tabwright key create' makes one")
    return found


PrincipalDep = Annotated[Principal, Depends(principal)]
