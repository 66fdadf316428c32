"""Dependencies of routes: the app's state, and the principal of the API key, until it is revoked.

Each route declares the scope its key needs by the type of its principal; OpenAPI lists it in
`security`.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes
from starlette.types import Scope

from app.agent import InteractService
from app.api.middleware.key_revocation import REGISTER
from app.api.rate_limits import AttemptLimiter, Limiter, operation_kind
from app.api.shutdown import Shutdown
from app.chat import ChatService
from app.domain.access import Principal
from app.errors import Unauthenticated
from app.hitl import DelegationService, Inbox, TaskEvents
from app.logs import bind_context
from app.mcp import INVALID_KEY, McpHttp
from app.net.peers import address_bucket
from app.observability.prometheus import PrometheusMetrics
from app.observability.sampler import Sampler
from app.review import ReviewService
from app.search import Search
from app.store.batch import StoreBatch
from app.store.index_build import IndexBuild
from app.store.people.keys import KeyWatch
from app.store.repositories import Store
from app.usage import UsageService
from knowledge import Knowledge


class AppState(TypedDict):
    """State created at start-up and shared by all requests."""

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
    task_events: TaskEvents
    delegations: DelegationService
    batch: StoreBatch
    usage: UsageService
    metrics: PrometheusMetrics
    sampler: Sampler
    knowledge: Knowledge
    mcp: McpHttp
    upload_bytes: int
    shutdown: Shutdown
    check_writable: Callable[[], Awaitable[None]]
    indexes: IndexBuild


async def app_state(request: Request) -> AppState:
    return cast("AppState", request.scope["state"])


AppStateDep = Annotated[AppState, Depends(app_state)]


bearer = HTTPBearer(
    auto_error=False,
    description="An API key, from `tabwright key create`. Each operation lists the scopes it accepts. "
    "`browser`, `operator` and `admin` include `api`; `admin` includes `operator`.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]


async def current_principal(
    scopes: SecurityScopes, request: Request, credentials: Credentials, state: AppStateDep
) -> Principal:
    """The holder of the Bearer key. Raises `Unauthenticated` without a valid key, `RateLimited` for too
    many requests, `Forbidden` if the key has none of the scopes.
    """
    secret = "" if credentials is None else credentials.credentials
    principal = await authenticate(state, request.scope, secret)
    if scopes.scopes:
        principal.require(*scopes.scopes)  # type: ignore[arg-type]  # those of the aliases below
    return principal


async def authenticate(state: AppState, scope: Scope, secret: str) -> Principal:
    """The holder of the key. Raises `Unauthenticated` or `RateLimited`.

    A key is looked up even if its address has sent too many wrong ones, so that a client with a
    valid key is not blocked by others behind the same address.
    """
    if not secret.strip():
        raise Unauthenticated("Send an API key as `Authorization: Bearer <key>`.")
    principal = await state["store"].keys.principal(secret.strip())
    if principal is None:
        await state["wrong_keys"].take(address_bucket(scope))
        raise Unauthenticated(INVALID_KEY)
    bind_context(tenant=principal.tenant)
    if register := scope.get(REGISTER):
        register(principal)
    holder = principal.key_id or f"{principal.tenant}/{principal.user}"
    await state["limiter"].take(holder, operation_kind(scope["method"], scope["path"]))
    return principal


AnyPrincipal = Annotated[Principal, Security(current_principal)]
CurrentUser = Annotated[Principal, Security(current_principal, scopes=["api"])]
CurrentOperator = Annotated[Principal, Security(current_principal, scopes=["operator"])]
CurrentAdmin = Annotated[Principal, Security(current_principal, scopes=["admin"])]
BrowserUser = Annotated[Principal, Security(current_principal, scopes=["browser"])]
BrowserOrAdmin = Annotated[Principal, Security(current_principal, scopes=["browser", "admin"])]
