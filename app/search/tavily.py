"""Web search with Tavily."""

import asyncio
import html
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import structlog
from tavily import AsyncTavilyClient, errors
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_random

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import (
    CallIntent,
    CallOutcome,
    CallUsage,
    UsageGate,
    UsageHook,
    allow_all_calls,
)
from app.domain.reasoner import WebResult
from app.errors import SearchUnavailable
from app.net.urls import is_http_url
from app.text import patterns

DEADLINE_S = 10.0  # for a search with its retry; a user is waiting
TRY_S = 6.0  # per try, so that a retry fits into the deadline
TRIES = 2
MOST_RESULTS = 5
LONGEST_QUERY = 400  # characters; Tavily rejects longer ones
CREDITS = 1.0  # of a basic search (docs.tavily.com, "Credits & Pricing"), if not reported
MOST_CREDITS = 250.0  # upper bound for any call
PROVIDER, MODEL = "tavily", "search"
INTENT = CallIntent(
    kind="search", provider=PROVIDER, model=MODEL, purpose="searching", credits=CREDITS
)

SLOW = f"Tavily did not answer within {DEADLINE_S:.0f} seconds."
INVALID = "Tavily's response is invalid."
UNREACHABLE = "Tavily cannot be reached."
REFUSED: dict[type[Exception], str] = {
    errors.InvalidAPIKeyError: "Tavily refused the key in TAVILY_API_KEY.",
    errors.ForbiddenError: "Tavily refused the search: the plan of this TAVILY_API_KEY is used up "
    "or does not allow it.",
    errors.UsageLimitExceededError: "Tavily's limit on searches is reached for now.",
    errors.BadRequestError: "Tavily did not accept the search.",
}

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class _Failed(Exception):
    """A failed call. Its text is shown to users; `transient` means that a retry may succeed. `credits` is the
    cost, None if unknown.
    """

    text: str
    outcome: CallOutcome
    transient: bool = False
    credits: float | None = 0.0


@dataclass(frozen=True, slots=True)
class _Call:
    """A search; `until` is its deadline in event-loop time."""

    query: str
    domains: tuple[str, ...]
    limit: int
    until: float


@dataclass(frozen=True, slots=True)
class TavilySearch:
    """The `Search` port over `tavily-python`. Error messages of the service or the SDK may quote the key, so
    each kind of failure has a message of ours.
    """

    client: AsyncTavilyClient
    hook: UsageHook
    deadline_s: float = DEADLINE_S
    gate: UsageGate = allow_all_calls

    @property
    def available(self) -> str | None:
        return None

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = MOST_RESULTS
    ) -> tuple[WebResult, ...]:
        """At most five results, best first; transient failures get one retry. Raises `SearchUnavailable`."""
        until = asyncio.get_running_loop().time() + self.deadline_s
        limit = max(1, min(limit, MOST_RESULTS))
        trying = AsyncRetrying(
            stop=stop_after_attempt(TRIES),
            wait=wait_random(0.1, 0.5),
            retry=retry_if_exception(lambda error: isinstance(error, _Failed) and error.transient),
            reraise=True,
        )
        call = _Call(query[:LONGEST_QUERY], domains, limit, until)
        try:
            async with asyncio.timeout_at(until):
                found: tuple[WebResult, ...] = await trying(self._send, call)
                return found
        except TimeoutError:
            reason = SLOW
        except _Failed as failure:
            reason = failure.text
        log.warning("search.unavailable", reason=reason)
        raise SearchUnavailable(reason)

    async def _send(self, call: _Call) -> tuple[WebResult, ...]:
        """Make one call and report it to the hook. Raises `_Failed`, or `BudgetReached` if it is refused."""
        self.gate(INTENT)
        started = time.perf_counter()
        try:
            body = await self._body(call)
            cost = _credits_of(body)
            try:
                found = parse_results(body, domains=call.domains, limit=call.limit)
            except ValueError:
                raise _Failed(INVALID, "unusable", credits=cost) from None
        except _Failed as failure:
            self._note(call, started, failure.outcome, failure.credits)
            raise
        except BaseException as error:
            late = asyncio.get_running_loop().time() >= call.until
            outcome: CallOutcome = "failed"
            if isinstance(error, asyncio.CancelledError):  # at the deadline it is a timeout
                outcome = "timeout" if late else "cancelled"
            self._note(call, started, outcome, None)
            raise
        self._note(call, started, "ok", cost, found)
        return found

    def _note(
        self,
        call: _Call,
        started: float,
        outcome: CallOutcome,
        cost: float | None,
        found: Sequence[WebResult] = (),
    ) -> None:
        usage = CallUsage(
            kind="search",
            provider=PROVIDER,
            model=MODEL,
            purpose="searching",
            credits=cost or 0.0,
            counted=cost is not None,
            duration_ms=(time.perf_counter() - started) * 1000,
            outcome=outcome,
        )
        reply = "\n".join(result.url for result in found)
        self.hook(usage, ModelExchange(prompt=call.query, reply=reply))

    async def _body(self, call: _Call) -> object:
        """Raises `_Failed`."""
        try:
            return await self.client.search(
                call.query,
                search_depth="basic",
                max_results=call.limit,
                include_domains=list(call.domains) or None,
                include_usage=True,
                timeout=min(TRY_S, self.deadline_s),
            )
        except errors.TimeoutError:
            raise _Failed(SLOW, "timeout", transient=True, credits=None) from None
        except httpx.TransportError as error:
            never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            cost = 0.0 if never_sent else None
            raise _Failed(UNREACHABLE, "failed", transient=True, credits=cost) from None
        except httpx.HTTPStatusError as error:
            away = error.response.is_server_error
            text = f"Tavily answered with HTTP {error.response.status_code}."
            raise _Failed(text, "busy" if away else "rejected", transient=away) from None
        except tuple(REFUSED) as error:
            text = next(text for kind, text in REFUSED.items() if isinstance(error, kind))
            busy = isinstance(error, errors.UsageLimitExceededError)
            raise _Failed(text, "busy" if busy else "rejected") from None
        except (ValueError, TypeError, AttributeError, httpx.HTTPError):
            # The SDK takes any 200 for a JSON object, and raises the response itself for another 2xx.
            raise _Failed(INVALID, "unusable", credits=None) from None


def _credits_of(body: object) -> float | None:
    """The reported cost of the search, or the list price; None for an invalid count."""
    usage = body.get("usage") if isinstance(body, dict) else None
    count = usage.get("credits") if isinstance(usage, dict) else None
    if count is None:
        return CREDITS
    is_number = isinstance(count, int | float) and not isinstance(count, bool)
    return float(count) if is_number and 0 <= count <= MOST_CREDITS else None


LONGEST_TEXT = 1_500  # characters; five of them fit in a prompt
LONGEST_TITLE = 200  # characters
LONGEST_URL = 2_000  # characters; the common limit of browsers and proxies
LONGEST_MARKUP = 20_000  # characters of a field that are parsed; it may be as long as a page
# HTML parsers are quadratic on `<a <a <a`; these expressions look at each character once.
_HIDDEN = patterns.compile(r"<!--|<(script|style|template|noscript)\b[^<>]*>", patterns.IGNORECASE)
_TAG = patterns.compile(r"<[/!?a-z][^<>]*>?", patterns.IGNORECASE)
INVISIBLE = frozenset({"Cc", "Cs", "Cn"})  # control characters, lone surrogates, unassigned


def parse_results(body: object, *, domains: tuple[str, ...], limit: int) -> tuple[WebResult, ...]:
    """The results of a response, best first, each URL once, without invalid ones and those outside the
    domains. Raises `ValueError` for a response of another shape.
    """
    listed = body.get("results") if isinstance(body, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no list of results")
    found: dict[str, WebResult] = {}
    for result in (_result(item) for item in listed if isinstance(item, dict)):
        if result is not None:
            host = (urlsplit(result.url).hostname or "").rstrip(".")
            if not domains or any(host == one or host.endswith(f".{one}") for one in domains):
                found.setdefault(result.url, result)
    return tuple(found.values())[:limit]


def strip_markup(text: str, longest: int) -> str:
    """Remove markup and invisible characters, collapse white space, and truncate."""
    text = text[:LONGEST_MARKUP]
    if "<" in text:
        text = _TAG.sub(" ", _strip_hidden(text))
    text = html.unescape(text)
    visible = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in INVISIBLE)
    return " ".join(visible.split())[:longest].rstrip()


def _strip_hidden(text: str) -> str:
    """Remove comments and elements that a browser does not display."""
    kept: list[str] = []
    lowered, at = text.lower(), 0
    while (hidden := _HIDDEN.search(text, at)) is not None:
        kept.append(text[at : hidden.start()])
        end = f"</{hidden[1].lower()}" if hidden[1] else "-->"
        closed = lowered.find(end, hidden.end())
        at = len(text) if closed < 0 else closed + (0 if hidden[1] else len(end))
    return " ".join((*kept, text[at:]))


def _result(item: dict[str, Any]) -> WebResult | None:
    url, title, text = (item.get(key) for key in ("url", "title", "content"))
    if not isinstance(url, str) or not isinstance(text, str) or not _is_citable(url):
        return None
    plain = strip_markup(text, LONGEST_TEXT)
    heading = strip_markup(title, LONGEST_TITLE) if isinstance(title, str) else ""
    return WebResult(title=heading or url, url=url, text=plain) if plain else None


def _is_citable(url: str) -> bool:
    """Whether this is a web URL that can be shown and cited as is."""
    fits = url.isprintable() and not any(c.isspace() for c in url) and len(url) <= LONGEST_URL
    return fits and is_http_url(url) and urlsplit(url).username is None
