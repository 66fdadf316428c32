"""Who may ask for what: the one dependency that every operation with a key goes through.

Each operation names the scope that its key needs; the OpenAPI document says so in its `security`.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes
from starlette.types import Scope as AsgiScope

from app.agent.service import InteractService
from app.api.client_address import address_bucket
from app.api.middleware.key_revocation import hold
from app.api.rate_limits import AttemptLimiter, Limiter, kind_of
from app.api.shutdown import Shutdown
from app.chat.service import ChatService
from app.domain.access import Principal
from app.errors import Unauthenticated
from app.hitl.delegating import Delegating
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.logs import bind_context
from app.observability.prometheus import PrometheusMetrics
from app.mcp.http import McpHttp
from app.observability.sampler import Sampler
from app.review.service import ReviewService
from app.search.port import Search
from app.store.batch import StoreBatch
from app.store.index_build import IndexBuild
from app.store.people.key_watch import KeyWatch
from app.store.repositories import Store
from app.usage.service import UsageService
from knowledge.port import Knowledge


class AppState(TypedDict):
    """Made once, shared by all requests."""

    store: Store
    key_watch: KeyWatch
    interact: InteractService
    chat: ChatService
    search: Search
    limiter: Limiter
    pairing_tries: AttemptLimiter
    wrong_keys: AttemptLimiter
    local_networks: tuple[str, ...]
    model: str
    inbox: Inbox
    reviews: ReviewService
    bells: Bells
    delegating: Delegating
    together: StoreBatch
    usage: UsageService
    signals: PrometheusMetrics
    sampler: Sampler
    knowledge: Knowledge
    mcp: McpHttp
    upload_bytes: int
    shutdown: Shutdown
    prove_write: Callable[[], Awaitable[None]]
    indexes: IndexBuild


async def app_state(request: Request) -> AppState:
    """The lifetime of the app that serves this request."""
    return cast(AppState, request.scope["state"])


AppStateDep = Annotated[AppState, Depends(app_state)]


bearer = HTTPBearer(
    auto_error=False,
    description="An API key: `tabwright key create`. Each operation lists the scopes of which a key needs "
    "one; `api` is in `browser`, `operator` and `admin` too, and `operator` in `admin`.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]


async def current_principal(
    needed: SecurityScopes, request: Request, given: Credentials, state: AppStateDep
) -> Principal:
    """Who is asking, counted, with a key that has one of the needed scopes. Raises `Unauthenticated`
    without a valid Bearer key, `RateLimited` for too many requests with it, `Forbidden` for another scope.
    """
    principal = await authenticate(state, request.scope, "" if given is None else given.credentials)
    if needed.scopes:
        principal.require(*needed.scopes)  # type: ignore[arg-type]  # those of the aliases below
    return principal


async def authenticate(state: AppState, scope: AsgiScope, secret: str) -> Principal:
    """The same of a request's scope and the secret that it holds, "" for none.

    Every key is looked up, also from an address that was wrong too often: whose key is right never
    waits for a neighbour behind the same address.
    """
    if not secret.strip():
        raise Unauthenticated("Send the key as 'Authorization: Bearer <key>'")
    found = await state["store"].keys.principal(secret.strip())
    if found is None:
        await state["wrong_keys"].take(address_bucket(scope))
        raise Unauthenticated("This key opens nothing here; 'tabwright key create' makes one")
    bind_context(tenant=found.tenant)
    hold(scope, found)
    await state["limiter"].take(found, kind_of(scope["method"], scope["path"]))
    return found


AnyPrincipal = Annotated[Principal, Security(current_principal)]
CurrentUser = Annotated[Principal, Security(current_principal, scopes=["api"])]
CurrentOperator = Annotated[Principal, Security(current_principal, scopes=["operator"])]
CurrentAdmin = Annotated[Principal, Security(current_principal, scopes=["admin"])]
BrowserUser = Annotated[Principal, Security(current_principal, scopes=["browser"])]
BrowserOrAdmin = Annotated[Principal, Security(current_principal, scopes=["browser", "admin"])]
