"""Composition root: builds the services on the adapters, and the app on the services."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import cast

import structlog
from fastapi import FastAPI

from app.adapters import Adapters, open_production
from app.agent import InteractService, build_graph
from app.api import (
    WRONG_CODE_RATE,
    WRONG_KEY_RATE,
    AppState,
    AttemptLimiter,
    Limiter,
    RateWindows,
    Shutdown,
    configured_rates,
    create_application,
    problem_document,
)
from app.bounds import set_bounds
from app.chat import ChatService, build_chat
from app.domain.access import Principal
from app.hitl import DelegationService, Inbox, TaskEvents
from app.llm.providers.choice import describe_provider
from app.logs import configure_logging
from app.mcp import McpHttp, Services
from app.observability.sampler import Sampler, count_reviews, run_sampler
from app.review import DecisionEffects, RecordFiling, ReviewService, run_delivery, run_follower
from app.settings import Settings
from app.skills import watch_crowding
from app.store.open import Opened
from app.store.people.keys import KeyWatch

log = structlog.get_logger(__name__)

# The key in the settings belongs to whoever runs the server, and also drives their own browser.
BOOTSTRAP = Principal(tenant="default", user="local", scopes=("admin", "browser"))

GC_THRESHOLD = (20_000, 20, 100)  # a request creates about 10,000 objects, nearly all short-lived
# A store thread releases the interpreter lock about thirty times per request, and may wait this long to
# get it back while the event loop computes. Python's default of 5 ms makes a hop of 12 calls up to
# twice as long.
SWITCH_S = 0.0005


Opener = Callable[[Settings], AbstractAsyncContextManager[Adapters]]


def create_app(
    settings: Settings, opener: Opener = open_production, *, lasting: bool = False
) -> FastAPI:
    """Build the app. `lasting` tunes the process for it, which must be all that the process runs."""
    set_bounds(settings.bounds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[AppState]:
        try:
            async with opener(settings) as adapters, _open_state(settings, adapters) as state:
                if lasting:
                    _tune_process()
                yield state
        except Exception:  # logged in our format
            log.exception("start-up or shutdown failed")
            raise

    return create_application(settings, lifespan)


@asynccontextmanager
async def _open_state(settings: Settings, adapters: Adapters) -> AsyncIterator[AppState]:
    signals, reviews = adapters.signals, count_reviews(adapters.opened.reviews, adapters.signals)
    opened = replace(adapters.opened, reviews=reviews)
    if settings.api_key is not None:
        await opened.store.keys.ensure(BOOTSTRAP, settings.api_key.get_secret_value())
    task_events = TaskEvents()
    effects = DecisionEffects(opened.together, task_events.publish)
    services = await _build_services(settings, adapters, opened, task_events, effects)
    interact, chat = services.interact, services.chat
    sampler = Sampler(
        signals, lambda: interact.running, opened.prove_write, reviews, opened.store.space
    )
    windows = RateWindows(opened.limits)
    try:
        async with (
            services.key_watch.poll(),
            run_sampler(sampler),
            watch_crowding(opened.store, signals.set_crowded_tenants),
            run_delivery(opened.store.outbox, services.reviews),
            run_follower(reviews, effects),
            aclosing(McpHttp(services, stateless=settings.workers > 1)) as mcp,
        ):
            yield AppState(
                store=opened.store,
                key_watch=services.key_watch,
                interact=interact,
                chat=chat,
                search=adapters.search,
                limiter=Limiter(configured_rates(settings), windows),
                pairing_tries=AttemptLimiter(WRONG_CODE_RATE, "codes", windows),
                wrong_keys=AttemptLimiter(WRONG_KEY_RATE, "keys", windows),
                local_networks=settings.local_networks,
                model=describe_provider(settings),
                inbox=services.inbox,
                reviews=services.reviews,
                task_events=task_events,
                delegations=services.delegations,
                batch=opened.together,
                usage=adapters.usage,
                metrics=signals,
                sampler=sampler,
                knowledge=adapters.knowledge,
                mcp=mcp,
                upload_bytes=settings.upload_bytes,
                shutdown=Shutdown(interact, chat),
                check_writable=opened.prove_write,
                indexes=opened.indexes,
            )
    finally:
        await asyncio.gather(interact.close(), chat.close())


async def _build_services(
    settings: Settings,
    adapters: Adapters,
    opened: Opened,
    task_events: TaskEvents,
    effects: DecisionEffects,
) -> Services:
    reviews, keys = ReviewService(opened.reviews, effects), KeyWatch(opened.together)
    filing = RecordFiling(reviews)
    interact = InteractService(
        graph=build_graph(opened.checkpointer),
        together=opened.together,
        reasoner=adapters.reasoner,
        search=adapters.search,
        modelled=adapters.modelled,
        embedder=adapters.embedder,
        task_events=task_events,
        observer=adapters.observer,
        max_steps=settings.max_steps,
        running_tasks=settings.running_tasks,
        spendings=adapters.spendings,
        documents=adapters.knowledge,
        problem=problem_document,
        filing=filing,
        reviews=opened.reviews,
        keys=keys,
    )
    chat = ChatService(
        graph=build_chat(opened.checkpointer),
        together=opened.together,
        documents=adapters.knowledge,
        problem=problem_document,
        model=adapters.model,
        search=adapters.search,
        spendings=adapters.spendings,
        running=settings.running_tasks,
        whole_tokens=settings.chat_whole_tokens,
        filing=filing,
        observer=adapters.observer,
        reviews=opened.reviews,
        keys=keys,
    )
    return Services(
        store=opened.store,
        batch=opened.together,
        reviews=reviews,
        interact=interact,
        chat=chat,
        knowledge=adapters.knowledge,
        inbox=Inbox(opened.together),
        task_events=task_events,
        delegations=DelegationService(opened.together),
        usage=adapters.usage,
        key_watch=keys,
        state_secret=await opened.store.secrets.get("mcp.request_state"),
    )


def serve_app() -> FastAPI:
    settings = Settings()
    configure_logging(settings.log_level, settings.log_format)
    return create_app(settings, lasting=True)


async def serve_mcp(server: str, settings: Settings, secret: str) -> None:
    """Run one MCP server over standard input and output until that ends, for `tabwright mcp`. Raises
    `Unauthenticated` or `Forbidden` for an invalid key, not wrapped in an exception group.
    """
    app = create_app(settings)
    # Imports the protocol's SDK, which only this command needs.
    sessions = import_module("app.mcp.sessions")
    async with app.router.lifespan_context(app) as made:
        services = cast("AppState", made)["mcp"].services
        refused = await sessions.serve_stdio(server, services, secret)
    if refused is not None:
        raise refused


def _tune_process() -> None:
    """Exclude what startup created from garbage collection, and switch threads often."""
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
