"""Which search of the web there is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.domain.background import WebResult
from app.domain.usage import UsageGate, UsageHook, unlimited
from app.errors import SearchUnavailable
from app.search.configured import NO_KEY, key_of, unusable
from app.search.port import Search
from app.settings import Settings


class NoSearch:
    """The `Search` port where there is nothing to search with; says why."""

    def __init__(self, reason: str = NO_KEY) -> None:
        self._reason = reason

    @property
    def available(self) -> str | None:
        """Why nothing can be searched."""
        return self._reason

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        """Raises `SearchUnavailable`."""
        raise SearchUnavailable(self._reason)


@asynccontextmanager
async def open_search(
    settings: Settings, hook: UsageHook, gate: UsageGate = unlimited
) -> AsyncIterator[Search]:
    """The search that the settings name, its connections closed at the end; `gate` is asked before
    each, and `hook` is told what it cost.
    """
    reason = unusable(settings)
    if reason is not None:
        yield NoSearch(reason)
        return
    # The vendor's package takes a while to load: not before it is known to be used.
    from tavily import AsyncTavilyClient  # noqa: PLC0415

    from app.search.tavily import TavilySearch  # noqa: PLC0415

    async with AsyncTavilyClient(
        api_key=key_of(settings), api_base_url=settings.tavily_base_url
    ) as client:
        yield TavilySearch(client, hook, gate=gate)
