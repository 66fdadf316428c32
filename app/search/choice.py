"""Chooses and opens the web search."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.domain.metrics.usage import UsageGate, UsageHook, allow_all_calls
from app.domain.reasoner import WebResult
from app.errors import SearchUnavailable
from app.net.urls import is_http_url
from app.search.query import Search
from app.settings import Settings

NO_KEY = "No TAVILY_API_KEY is set, so the web cannot be searched."
BAD_KEY = "TAVILY_API_KEY contains characters that no key has, so the web cannot be searched."
BAD_ADDRESS = "TABWRIGHT_TAVILY_BASE_URL is not an HTTP address, so the web cannot be searched."


def search_key(settings: Settings) -> str:
    return settings.tavily_api_key.get_secret_value().strip() if settings.tavily_api_key else ""


def find_problem(settings: Settings) -> str | None:
    """Why the settings allow no search; None if they do."""
    key = search_key(settings)
    if not key:
        return NO_KEY
    if not (key.isascii() and key.isprintable()) or " " in key:
        return BAD_KEY
    usable = settings.tavily_base_url is None or is_http_url(settings.tavily_base_url)
    return None if usable else BAD_ADDRESS


@dataclass(frozen=True, slots=True)
class NoSearch:
    """The `Search` port without a provider; `available` says why."""

    available: str

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        """Raise `SearchUnavailable`."""
        raise SearchUnavailable(self.available)


@asynccontextmanager
async def open_search(
    settings: Settings, hook: UsageHook, gate: UsageGate = allow_all_calls
) -> AsyncIterator[Search]:
    """Open the configured search. `gate` is checked before each search, `hook` receives its cost."""
    reason = find_problem(settings)
    if reason is not None:
        yield NoSearch(reason)
        return
    # The vendor's package is slow to import, so import it only when needed.
    from tavily import AsyncTavilyClient  # noqa: PLC0415

    from app.search.tavily import TavilySearch  # noqa: PLC0415

    async with AsyncTavilyClient(
        api_key=search_key(settings), api_base_url=settings.tavily_base_url
    ) as client:
        yield TavilySearch(client, hook, gate=gate)
