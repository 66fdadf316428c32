"""The search itself: at most three tries, each judged before the next."""

from collections.abc import Awaitable, Callable

from app.domain.background import WebResult, WebSearch
from app.engines.redaction import masked
from app.engines.searching.citing import cited
from app.engines.searching.domain import site_of
from app.engines.searching.query import cleaned
from app.errors import BudgetReached, SearchUnavailable
from app.search.port import Search

TRIES = 3  # DESIGN, "Context analysis"
MOST_RESULTS = 5
LONGEST_NEED = 500  # characters
NOTHING_TO_ASK = "Nothing is left to search for once what must stay secret is taken out."

Weigh = Callable[[WebSearch], Awaitable[WebSearch]]


async def search_for(
    need: str,
    *,
    query: str,
    page_url: str,
    search: Search,
    weigh: Weigh,
    hidden: frozenset[str] = frozenset(),
) -> WebSearch:
    """Find out `need` on the web, first on the page's own site, with its query refined by `weigh`.

    `hidden` are values that must not leave this machine (`app.engines.redaction.secrets`). A page
    of an intranet or of this machine has no site that could be searched. What `weigh` calls an
    answer is kept only where a result holds it. Never raises `SearchUnavailable`: that is said in
    `unavailable`, where nothing at all could be found.
    """
    made = WebSearch(
        need=masked(need, hidden)[:LONGEST_NEED],
        query=cleaned(query, hidden) or cleaned(need, hidden),
        unavailable=search.available,
    )
    if made.unavailable is None and not made.query:
        made = made.model_copy(update={"unavailable": NOTHING_TO_ASK})
    if made.unavailable is not None:
        return made
    asked: set[tuple[str, tuple[str, ...]]] = set()
    for domains in _scopes(page_url):
        if made.tries >= TRIES or (made.query, domains) in asked:
            continue  # the same query again would find the same
        asked.add((made.query, domains))
        try:
            found = await search.find(made.query, domains=domains, limit=MOST_RESULTS)
        except BudgetReached:
            if not made.results:
                raise
            return made
        except SearchUnavailable as error:
            return made if made.results else made.model_copy(update={"unavailable": error.detail})
        made = made.model_copy(
            update={"tries": made.tries + 1, "results": _merged(found, made.results)}
        )
        # On the page's site, finding nothing is no reason to pay for a judgement: it goes wider.
        if not found and (domains or made.tries >= TRIES):
            continue
        made = _weighed(made, await weigh(made), hidden)
        if made.solved:
            return made
    return made


def _scopes(page_url: str) -> tuple[tuple[str, ...], ...]:
    """What tries are limited to: the page's site twice, then the whole web with what is left."""
    site = site_of(page_url)
    return ((site,), (site,), (), ()) if site else ((),) * TRIES


def _merged(found: tuple[WebResult, ...], earlier: tuple[WebResult, ...]) -> tuple[WebResult, ...]:
    """The new results, then those of earlier tries, each page once."""
    pages: dict[str, WebResult] = {}
    for result in (*found, *earlier):
        pages.setdefault(result.url, result)
    return tuple(pages.values())[:MOST_RESULTS]


def _weighed(made: WebSearch, judged: WebSearch, hidden: frozenset[str]) -> WebSearch:
    """What the judgement changes: whether it is solved, the answer, the next query; nothing else."""
    answer = cited(judged.answer, made.results) if judged.solved else None
    if answer is not None:
        return made.model_copy(update={"solved": True, "answer": answer})
    return made.model_copy(update={"query": cleaned(judged.query, hidden) or made.query})
