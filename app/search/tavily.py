"""Searching the web with Tavily."""

import asyncio

import httpx
import structlog
from tavily import AsyncTavilyClient, errors
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random

from app.domain.background import WebResult
from app.errors import SearchUnavailable
from app.search.reading import results_of

DEADLINE_S = 10.0  # for a search with its second try; a person waits for it
TRY_S = 6.0  # for one try, so that a second one fits into the deadline
TRIES = 2
MOST_RESULTS = 5
LONGEST_QUERY = 400  # characters; Tavily refuses longer ones

SLOW = f"Tavily did not answer within {DEADLINE_S:.0f} seconds."
NONSENSE = "Tavily's answer made no sense."
REFUSED: dict[type[Exception], str] = {
    errors.InvalidAPIKeyError: "Tavily refused the key in TAVILY_API_KEY.",
    errors.ForbiddenError: "Tavily refused the search: the plan of this TAVILY_API_KEY is used up "
    "or does not allow it.",
    errors.UsageLimitExceededError: "Tavily's limit on searches is reached for now.",
    errors.BadRequestError: "Tavily did not accept the search.",
}

log = structlog.get_logger(__name__)


class _Passing(Exception):
    """What may be gone at a second try; its text is for a person."""


class TavilySearch:
    """The `Search` port over `tavily-python`.

    What the service or the SDK says of a failure may quote the key, so neither its words nor its
    errors go further: each kind of failure has a sentence of ours.
    """

    def __init__(self, client: AsyncTavilyClient, *, deadline_s: float = DEADLINE_S) -> None:
        self._client = client
        self._deadline_s = deadline_s

    @property
    def available(self) -> str | None:
        """None: it can be asked."""
        return None

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = MOST_RESULTS
    ) -> tuple[WebResult, ...]:
        """The best results, at most five; one more try where the failure may pass.

        Raises `SearchUnavailable`.
        """
        limit = max(1, min(limit, MOST_RESULTS))
        trying = AsyncRetrying(
            stop=stop_after_attempt(TRIES),
            wait=wait_random(0.1, 0.5),
            retry=retry_if_exception_type(_Passing),
            reraise=True,
        )
        try:
            async with asyncio.timeout(self._deadline_s):
                body: object = await trying(self._ask, query[:LONGEST_QUERY], domains, limit)
                return results_of(body, domains=domains, limit=limit)
        except TimeoutError:
            reason = SLOW
        except _Passing as error:
            reason = str(error)
        except ValueError:
            reason = NONSENSE
        log.warning("search.unavailable", reason=reason)
        raise SearchUnavailable(reason)

    async def _ask(self, query: str, domains: tuple[str, ...], limit: int) -> object:
        """One call over the wire. Raises `_Passing`, `ValueError` or `SearchUnavailable`."""
        try:
            return await self._client.search(
                query,
                search_depth="basic",
                max_results=limit,
                include_domains=list(domains) or None,
                timeout=min(TRY_S, self._deadline_s),
            )
        except (errors.TimeoutError, httpx.TransportError) as error:
            reason = SLOW if isinstance(error, errors.TimeoutError) else "Tavily cannot be reached."
            raise _Passing(reason) from None
        except httpx.HTTPStatusError as error:
            reason = f"Tavily answered with HTTP {error.response.status_code}."
            if error.response.is_server_error:
                raise _Passing(reason) from None
            raise SearchUnavailable(reason) from None
        except tuple(REFUSED) as error:
            raise SearchUnavailable(_refusal(error)) from None
        except (ValueError, TypeError, AttributeError, httpx.HTTPError):
            # The SDK takes any 200 for a JSON object, and raises a response of another 2xx.
            raise ValueError(NONSENSE) from None


def _refusal(error: Exception) -> str:
    return next(text for kind, text in REFUSED.items() if isinstance(error, kind))
