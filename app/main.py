"""Composition root: the only module that names concrete adapters."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import cast

import structlog
from fastapi import FastAPI

from app.agent.graph import build_graph
from app.agent.service import InteractService
from app.api import problems
from app.api.application import Lifespan, create_application
from app.api.deps import AppState
from app.api.lifecycle import Shutdown
from app.api.rate_limits import (
    WRONG_CODE_RATE,
    WRONG_KEY_RATE,
    AttemptLimiter,
    Limiter,
    RateWindows,
    configured_rates,
)
from app.bounds import set_bounds
from app.chat.graph import build_chat
from app.chat.service import ChatService
from app.documents import open_documents
from app.domain.access import Principal
from app.domain.embedder import Embedder
from app.domain.reasoner import Reasoner
from app.grounding import Grounder
from app.hitl.delegations import DelegationService
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.llm.embedding.embedder import AccountedEmbedder, WordLlama, open_embedder
from app.llm.port import Model
from app.llm.providers.choice import describe_provider, open_model
from app.logs import configure_logging
from app.mcp.http import open_mcp_http
from app.mcp.services import Services
from app.observability.observers import open_observers
from app.observability.port import Observer, Observers
from app.observability.prometheus import PrometheusMetrics
from app.observability.reviews import CountedReviews
from app.observability.sampler import Sampler, run_sampler
from app.reasoners.model.reasoner import ModelReasoner
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner, run_in_threads
from app.review.effects import DecisionEffects
from app.review.follower import run_follower
from app.review.outbox import run_delivery
from app.review.service import ReviewService
from app.review.submission import RecordFiling
from app.search.choice import open_search
from app.search.port import Search
from app.settings import Settings
from app.skills import watch_crowding
from app.store.open import Opened, open_all
from app.store.people.key_watch import KeyWatch
from app.usage.allowance import check_allowance
from app.usage.prices import open_prices
from app.usage.service import UsageService, open_usage
from app.usage.spendings import Spendings
from knowledge import Knowledge

log = structlog.get_logger(__name__)

# The key in the settings belongs to whoever runs the server, and also drives their own browser.
BOOTSTRAP = Principal(tenant="default", user="local", scopes=("admin", "browser"))

GC_THRESHOLD = (20_000, 20, 100)  # a request creates about 10,000 objects, nearly all short-lived
# A store thread releases the interpreter lock about thirty times per request, and may wait this long to
# get it back while the event loop computes. Python's default of 5 ms makes a hop of 12 calls up to
# twice as long.
SWITCH_S = 0.0005


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """The app's adapters; `modelled` says whether the reasoner may call a model."""

    opened: Opened
    reasoner: Reasoner
    search: Search
    modelled: bool
    usage: UsageService
    knowledge: Knowledge
    observer: Observer = field(default_factory=Observers)
    signals: PrometheusMetrics = field(default_factory=PrometheusMetrics)
    embedder: Embedder | None = None  # of goals, to find earlier ones
    spendings: Spendings | None = None  # for limits, if there are any
    model: Model | None = None  # for conversations


Opener = Callable[[Settings], AbstractAsyncContextManager[Adapters]]


@asynccontextmanager
async def open_production(settings: Settings) -> AsyncIterator[Adapters]:
    """Open the real store and the rules, and the model and web search if configured."""
    signals = PrometheusMetrics()
    async with (
        open_observers(settings, signals) as observer,
        open_all(settings) as opened,
        open_usage(opened.together, observer, open_prices(settings.prices)) as usage,
        open_model(settings, usage.record, check_allowance, signals.count_leak) as model,
        open_search(settings, usage.record, check_allowance) as search,
        open_embedder(settings, usage.record, check_allowance) as reading,
        open_documents(
            settings, opened.store, reading, model=model, ended=signals.count_ingestion
        ) as documents,
    ):
        signals.watch_queue("usage", usage)
        embedder = AccountedEmbedder(WordLlama(), usage.record)
        rules = run_in_threads(RuleReasoner(Grounder()))
        reasoner: Reasoner = rules if model is None else Router(rules, ModelReasoner(model))
        spendings = Spendings(opened.store.usage, usage.prices, usage.flush)
        usage.add_observer(spendings)
        yield Adapters(
            opened=opened,
            reasoner=reasoner,
            search=search,
            modelled=model is not None,
            usage=usage,
            knowledge=documents,
            observer=observer,
            signals=signals,
            embedder=embedder,
            spendings=spendings,
            model=model,
        )


def create_app(
    settings: Settings, opener: Opener = open_production, *, lasting: bool = False
) -> FastAPI:
    """Build the app. `opener` opens the adapters on startup; `lasting` tunes the process for the app,
    which must be all that it runs.
    """
    set_bounds(settings.bounds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[AppState]:
        async with opener(settings) as made:
            opened = replace(made.opened, reviews=CountedReviews(made.opened.reviews, made.signals))
            if settings.api_key is not None:
                await opened.store.keys.ensure(BOOTSTRAP, settings.api_key.get_secret_value())
            bells, keys = TaskEvents(), KeyWatch(opened.together)
            effects = DecisionEffects(opened.together, bells.publish)
            reviews = ReviewService(opened.reviews, effects)
            filing = RecordFiling(reviews)
            windows = RateWindows(opened.limits)
            service = InteractService(
                graph=build_graph(opened.checkpointer),
                together=opened.together,
                reasoner=made.reasoner,
                search=made.search,
                modelled=made.modelled,
                embedder=made.embedder,
                bells=bells,
                observer=made.observer,
                max_steps=settings.max_steps,
                running_tasks=settings.running_tasks,
                spendings=made.spendings,
                documents=made.knowledge,
                problem=problems.problem_document,
                filing=filing,
                reviews=opened.reviews,
                keys=keys,
            )
            chat_service = ChatService(
                graph=build_chat(opened.checkpointer),
                together=opened.together,
                documents=made.knowledge,
                problem=problems.problem_document,
                model=made.model,
                search=made.search,
                spendings=made.spendings,
                running=settings.running_tasks,
                whole_tokens=settings.chat_whole_tokens,
                filing=filing,
                observer=made.observer,
                reviews=opened.reviews,
                keys=keys,
            )
            if lasting:
                _settle_in()
            services = Services(
                store=opened.store,
                together=opened.together,
                reviews=reviews,
                interact=service,
                chat=chat_service,
                knowledge=made.knowledge,
                inbox=Inbox(opened.together),
                bells=bells,
                delegating=DelegationService(opened.together),
                usage=made.usage,
                key_watch=keys,
                state_secret=await opened.store.secrets.get("mcp.request_state"),
            )
            sampler = Sampler(
                made.signals,
                lambda: service.running,
                opened.prove_write,
                opened.reviews,
                opened.store.space,
            )
            try:
                crowds = watch_crowding(opened.store, made.signals.set_crowded_tenants)
                rooms = open_mcp_http(services, stateless=settings.workers > 1)
                late = run_delivery(opened.store.outbox, reviews)
                follows = run_follower(opened.reviews, effects)
                async with (
                    keys.watching(),
                    run_sampler(sampler),
                    crowds,
                    late,
                    follows,
                    rooms as served,
                ):
                    yield AppState(
                        store=opened.store,
                        key_watch=keys,
                        interact=service,
                        chat=chat_service,
                        search=made.search,
                        limiter=Limiter(configured_rates(settings), windows),
                        pairing_tries=AttemptLimiter(WRONG_CODE_RATE, "codes", windows),
                        wrong_keys=AttemptLimiter(WRONG_KEY_RATE, "keys", windows),
                        local_networks=settings.local_networks,
                        model=describe_provider(settings),
                        inbox=services.inbox,
                        reviews=reviews,
                        bells=bells,
                        delegating=services.delegating,
                        together=opened.together,
                        usage=made.usage,
                        signals=made.signals,
                        sampler=sampler,
                        knowledge=made.knowledge,
                        mcp=served,
                        upload_bytes=settings.upload_bytes,
                        shutdown=Shutdown(service, chat_service),
                        prove_write=opened.prove_write,
                        indexes=opened.indexes,
                    )
            finally:
                await asyncio.gather(service.close(), chat_service.close())

    return create_application(settings, _aloud(lifespan))


def serve_app() -> FastAPI:
    """The app of `tabwright serve`, with the settings of the process."""
    settings = Settings()
    configure_logging(settings.log_level, settings.log_format)
    return create_app(settings, lasting=True)


async def serve_mcp(server: str, settings: Settings, secret: str) -> None:
    """Run one MCP server over standard input and output until that ends, for `tabwright mcp`. Raises
    `Unauthenticated` or `Forbidden` for an invalid key, not wrapped in an exception group.
    """
    app = create_app(settings)
    # Imports the protocol's SDK, which only this command needs.
    stdio = import_module("app.mcp.stdio")
    async with app.router.lifespan_context(app) as made:
        refused = await stdio.serve(server, cast("AppState", made)["mcp"].services, secret)
    if refused is not None:
        raise refused


def _aloud(lifespan: Lifespan) -> Lifespan:
    """Wrap the lifespan so that startup and shutdown errors are logged in our format."""

    @asynccontextmanager
    async def told(app: FastAPI) -> AsyncIterator[AppState]:
        try:
            async with lifespan(app) as made:
                yield made
        except Exception:
            log.exception("the server could not start, or not end in order")
            raise

    return told


def _settle_in() -> None:
    """Tune a long-lived process: exclude what startup created from garbage collection, and switch
    threads often.
    """
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
