"""Production adapters for the composition root."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from app.documents import open_document_service
from app.domain.reasoner import Reasoner
from app.llm.embedder import AccountedEmbedder, WordLlama, open_embedder
from app.llm.port import Model
from app.llm.providers.choice import open_model
from app.observability.observers import open_observers
from app.observability.port import Observer, Observers
from app.observability.prometheus import PrometheusMetrics
from app.reasoners import ModelReasoner, Router, RuleReasoner, run_in_threads
from app.search import Search, open_search
from app.settings import Settings
from app.skills import Embedder
from app.store.open import Opened, open_all
from app.usage import Spendings, UsageService, check_allowance, open_prices, open_usage
from knowledge import Knowledge


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
        open_document_service(
            settings, opened.store, reading, model=model, ended=signals.count_ingestion
        ) as documents,
    ):
        signals.watch_queue("usage", usage)
        embedder = AccountedEmbedder(WordLlama(), usage.record)
        rules = run_in_threads(RuleReasoner())
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
