"""What stands around the app, from the outside in."""

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.api.middleware.body_limits import Bounded
from app.api.middleware.host_check import Doors
from app.api.middleware.key_revocation import KeyHold
from app.api.middleware.security_headers import SafeHeaders
from app.api.routes.knowledge import ingest
from app.settings import EXTENSION_ORIGIN, Settings


def install(app: FastAPI, settings: Settings) -> None:
    """Put it around the app, once it has all its routes; what is added last is outermost.

    CORS stands around all that refuses, so that the extension can read why it was refused.
    """
    origins = [EXTENSION_ORIGIN, *settings.allowed_origins]
    rooms = ingest.rooms(settings.upload_bytes)
    app.add_middleware(KeyHold)
    app.add_middleware(Bounded, within_s=settings.request_timeout_s, rooms=rooms)
    app.add_middleware(
        Doors,
        hosts=[host.lower() for host in settings.allowed_hosts],
        origins=[origin.lower().rstrip("/") for origin in origins],
    )
    app.add_middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=sorted(methods_of(app)),
        allow_headers=["authorization", "content-type", "accept"],
        expose_headers=["retry-after", "x-trace-id"],
        allow_private_network=True,
    )
    app.add_middleware(SafeHeaders)


def methods_of(app: FastAPI) -> set[str]:
    """Every method that a route of the app has."""
    routes = [one for one in app.routes if isinstance(one, Route)]
    return {method for route in routes for method in route.methods or ()}


def believe_proxies(app: FastAPI, settings: Settings) -> None:
    """Take the peer and scheme from the headers of the configured proxies; outside of all that asks."""
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
