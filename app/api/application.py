"""The FastAPI application: its routes, its error handlers and the middleware around them."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.api import openapi, problems
from app.api.deps import AppState, KeyRevocation
from app.api.http_middleware import HEADER as PROTOCOL_HEADER
from app.api.http_middleware import AccessLog, HostCheck, ProtocolCheck, ResponseHeaders, TraceId
from app.api.lifecycle import StartupGate
from app.api.request_body import BodyLimits
from app.api.routes import (
    console,
    delegations,
    health,
    keys,
    mcp,
    pairings,
    policy,
    recipes,
    review,
    sessions,
    skills,
)
from app.api.routes.chat import conversations, mentions
from app.api.routes.chat import router as chat
from app.api.routes.hitl import router as hitl
from app.api.routes.interact import router as interact
from app.api.routes.knowledge import documents, ingest, jobs, search
from app.api.routes.metrics import router as metrics
from app.api.routes.tasks import events, takeover, task_list
from app.api.routes.tasks import router as tasks
from app.api.routes.usage import budgets, statement
from app.api.routes.usage import router as usage
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
    takeover,
    events,
    delegations,
    usage,
    statement,
    budgets,
    documents,
    search,
    ingest,
    jobs,
    chat,
    conversations,
    mentions,
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
        openapi_url=None,  # served by `openapi.install`
    )
    for module in ROUTES:
        app.routes.extend(module.router.routes)  # `include_router` would rebuild every route
    mcp.install(app)
    problems.install(app)
    openapi.install(app)
    add_middleware(app, settings)
    return app


def add_middleware(app: FastAPI, settings: Settings) -> None:
    """Add all middleware. Call it after the routes are added; the last one added is outermost.

    CORS is outside of everything that rejects requests, so that the extension can read the reason.
    """
    origins = [EXTENSION_ORIGIN, *settings.allowed_origins]
    app.add_middleware(KeyRevocation)
    app.add_middleware(
        BodyLimits,
        within_s=settings.request_timeout_s,
        body_limits=ingest.body_limits(settings.upload_bytes),
    )
    app.add_middleware(
        HostCheck,
        hosts=[host.lower() for host in settings.allowed_hosts],
        origins=[origin.lower().rstrip("/") for origin in origins],
    )
    app.add_middleware(ProtocolCheck)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=sorted(methods_of(app)),
        allow_headers=["authorization", "content-type", "accept", PROTOCOL_HEADER],
        expose_headers=["retry-after", "x-trace-id", PROTOCOL_HEADER],
        allow_private_network=True,
    )
    app.add_middleware(ResponseHeaders)
    app.add_middleware(AccessLog)
    app.add_middleware(TraceId)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    app.add_middleware(StartupGate, wait_s=settings.index_wait_s)


def methods_of(app: FastAPI) -> set[str]:
    routes = [one for one in app.routes if isinstance(one, Route)]
    return {method for route in routes for method in route.methods or ()}
