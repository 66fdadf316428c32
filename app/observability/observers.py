"""Opens the configured observers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.observability.langfuse import open_langfuse
from app.observability.port import Observer, Observers
from app.observability.prometheus import PrometheusMetrics
from app.observability.sentry import open_sentry
from app.settings import Settings


@asynccontextmanager
async def open_observers(
    settings: Settings, signals: PrometheusMetrics
) -> AsyncIterator[Observers]:
    """Open the external observers; `signals` reports the size of their queues."""
    async with open_sentry(settings) as sentry, open_langfuse(settings) as langfuse:
        if langfuse is not None:
            signals.watch_queue("langfuse", langfuse)
        found: list[Observer | None] = [signals, sentry, langfuse]
        yield Observers([observer for observer in found if observer is not None])
