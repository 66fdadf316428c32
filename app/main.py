"""Composition root: the one place that names concrete adapters."""

import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from app.agent.graph import build_graph
from app.agent.service import InteractService
from app.api import (
    health,
    hitl,
    interact,
    metrics,
    openapi,
    pairing,
    pausing,
    policy,
    problems,
    recipes,
    sessions,
    skills,
    tasks,
    watching,
)
from app.api.lifetime import Lifetime
from app.api.limits import Limiter, Tries
from app.api.trace import Traced
from app.domain.task import Principal
from app.engines.grounding import Grounder
from app.engines.grounding.port import Embedder
from app.engines.reasoner import Reasoner
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.llm.choice import open_model
from app.logs import configure_logging
from app.reasoners.embedding import WordLlamaEmbedder
from app.reasoners.model.reasoner import ModelReasoner
from app.reasoners.router import Router
from app.reasoners.rules.reasoner import RuleReasoner
from app.search.choice import open_search
from app.search.port import Search
from app.settings import EXTENSION_ORIGIN, Settings
from app.store.open import Opened, open_all
from app.usage.meter import record

BOOTSTRAP = Principal(tenant="default", user="local", role="admin")

GC_THRESHOLD = (20_000, 20, 100)  # a request makes some 10,000 objects, nearly all short-lived


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What the app runs on; `modelled` says whether the reasoner may ask a model."""

    opened: Opened
    reasoner: Reasoner
    search: Search
    modelled: bool
    embedder: Embedder | None = None  # of goals, for what was done before


Opener = Callable[[Settings], AbstractAsyncContextManager[Adapters]]


@asynccontextmanager
async def open_production(settings: Settings) -> AsyncIterator[Adapters]:
    """The real store and the rules; a model and a search of the web where the settings name them."""
    embedder = WordLlamaEmbedder()
    rules = RuleReasoner(Grounder(embedder))
    async with (
        open_all(settings) as opened,
        open_model(settings, record) as model,
        open_search(settings) as search,
    ):
        reasoner: Reasoner = rules if model is None else Router(rules, ModelReasoner(model))
        yield Adapters(
            opened=opened,
            reasoner=reasoner,
            search=search,
            modelled=model is not None,
            embedder=embedder,
        )


def create_app(
    settings: Settings, opener: Opener = open_production, *, lasting: bool = False
) -> FastAPI:
    """Build the app; `opener` opens the adapters when it starts. `lasting`: it has the process to
    itself, for as long as that lives.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[Lifetime]:
        async with opener(settings) as made:
            opened = made.opened
            if settings.api_key is not None:
                await opened.store.keys.ensure(BOOTSTRAP, settings.api_key.get_secret_value())
            bells = Bells()
            service = InteractService(
                graph=build_graph(opened.checkpointer),
                together=opened.together,
                reasoner=made.reasoner,
                search=made.search,
                modelled=made.modelled,
                embedder=made.embedder,
                bells=bells,
                max_steps=settings.max_steps,
                problem=problems.problem_of,
            )
            if lasting:
                _settle_memory()
            try:
                yield Lifetime(
                    store=opened.store,
                    interact=service,
                    limiter=Limiter(settings.rate_limit),
                    pairing_tries=Tries(),
                    inbox=Inbox(opened.together),
                    bells=bells,
                    together=opened.together,
                    ping=opened.ping,
                )
            finally:
                await service.close()

    app = FastAPI(
        title="Tabwright",
        version="0.1.0",
        description="Does in a person's own signed-in browser what the person says in words.",
        lifespan=lifespan,
    )
    people = (hitl, policy, pausing, watching)
    for room in (interact, tasks, sessions, *people, recipes, skills, metrics, pairing, health):
        app.include_router(room.router)
    problems.install(app)
    openapi.install(app)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[EXTENSION_ORIGIN, *settings.allowed_origins],
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["authorization", "content-type", "accept"],
        expose_headers=["retry-after", "x-trace-id"],
    )
    app.add_middleware(Traced)
    return app


def serve_app() -> FastAPI:
    """What `tabwright serve` runs; reads the settings of the process."""
    settings = Settings()
    configure_logging()
    return create_app(settings, lasting=True)


def _settle_memory() -> None:
    """What start-up made lives as long as the process: collections need not walk it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
