"""The FastAPI application: its routes, its OpenAPI document and the middleware around them."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cache
from importlib.metadata import version
from typing import Any, cast

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.api.deps import AppState, authenticate
from app.api.middleware.access_log import AccessLog
from app.api.middleware.body_limits import BodyLimits
from app.api.middleware.key_revocation import KeyRevocation
from app.api.middleware.request_check import HEADER as PROTOCOL_HEADER
from app.api.middleware.request_check import RequestCheck, ResponseHeaders
from app.api.middleware.startup_gate import StartupGate
from app.api.models import NESTED_SCHEMAS
from app.api.problems import add_error_handlers
from app.api.routes import (
    console,
    delegations,
    health,
    keys,
    pairings,
    policy,
    recipes,
    review,
    sessions,
    skills,
)
from app.api.routes.chat import conversations
from app.api.routes.chat import router as chat
from app.api.routes.hitl import router as hitl
from app.api.routes.interact import router as interact
from app.api.routes.knowledge import documents, ingest, jobs
from app.api.routes.metrics import router as metrics
from app.api.routes.tasks import router as tasks
from app.api.routes.tasks import task_list
from app.api.routes.usage import budgets, statement
from app.api.routes.usage import router as usage
from app.mcp import SERVER_NAMES, mcp_principal
from app.settings import EXTENSION_ORIGIN, Settings

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[AppState]]

ROUTES = (
    interact,
    tasks,
    task_list,
    sessions,
    console,
    hitl,
    policy,
    delegations,
    usage,
    statement,
    budgets,
    documents,
    ingest,
    jobs,
    chat,
    conversations,
    review,
    recipes,
    skills,
    metrics,
    keys,
    pairings,
    health,
)


def create_application(settings: Settings, lifespan: Lifespan) -> FastAPI:
    """Create the application; `lifespan` yields what requests read from `request.state`."""
    app = FastAPI(
        title="Tabwright",
        version=version("tabwright"),
        description="Does in a person's own signed-in browser what the person says in words.",
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from a CDN
        redoc_url=None,
        openapi_url=None,  # served by `_serve_openapi`
    )
    for module in ROUTES:
        app.routes.extend(module.router.routes)  # `include_router` would rebuild every route
    _add_mcp_routes(app)
    add_error_handlers(app)
    _serve_openapi(app)
    add_middleware(app, settings)
    return app


def add_middleware(app: FastAPI, settings: Settings) -> None:
    """Add all middleware. Call it after the routes are added; the last one added is outermost.

    CORS is outside of everything that rejects requests, so that the extension can read the reason.
    """
    methods = {
        name for route in app.routes if isinstance(route, Route) for name in route.methods or ()
    }
    origins = [EXTENSION_ORIGIN, *settings.allowed_origins]
    app.add_middleware(KeyRevocation)
    app.add_middleware(
        BodyLimits,
        within_s=settings.request_timeout_s,
        body_limits=ingest.body_limits(settings.upload_bytes),
    )
    app.add_middleware(
        RequestCheck,
        hosts=[host.lower() for host in settings.allowed_hosts],
        origins=[origin.lower().rstrip("/") for origin in origins],
    )
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=sorted(methods),
        allow_headers=["authorization", "content-type", "accept", PROTOCOL_HEADER],
        expose_headers=["retry-after", "x-trace-id", PROTOCOL_HEADER],
        allow_private_network=True,
    )
    app.add_middleware(ResponseHeaders)
    app.add_middleware(AccessLog)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    app.add_middleware(StartupGate, wait_s=settings.index_wait_s)


def _serve_openapi(app: FastAPI) -> None:
    """Serve the document, which includes the models nested in hand-written schemas."""
    generate = app.openapi

    @cache
    def openapi() -> dict[str, Any]:
        document = generate()
        components = document["components"]
        components["schemas"] = NESTED_SCHEMAS | components["schemas"]
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # documented way to extend it

    @cache
    def serialized() -> bytes:
        """Cached: building takes as long as ten requests, and the endpoint needs no key."""
        return orjson.dumps(app.openapi())

    async def serve(_: Request) -> Response:
        return Response(serialized(), media_type="application/json")

    app.add_route("/openapi.json", serve, include_in_schema=False)


SCHEME = "bearer "


def _add_mcp_routes(app: FastAPI) -> None:
    """Add routes with and without a trailing slash, since clients do not follow redirects with a body."""
    for server in SERVER_NAMES:
        for path in (f"/mcp/{server}", f"/mcp/{server}/"):
            app.router.routes.append(Route(path, _McpEndpoint(server), include_in_schema=False))


class _McpEndpoint:
    """Authenticates the requests to one server. Raises the same errors as `current_principal`."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.path = f"/mcp/{server}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self  # for the metrics
        state = cast("AppState", scope["state"])
        header = Headers(scope=scope).get("authorization", "")
        secret = header[len(SCHEME) :] if header.lower().startswith(SCHEME) else ""
        principal = mcp_principal(await authenticate(state, scope, secret))
        await state["mcp"].serve(self._server, principal, scope, receive, send)
