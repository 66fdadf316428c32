"""Web search: removing secrets from the query, merging results, citing sources."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol
from urllib.parse import urlsplit

from app.domain.page import Node
from app.domain.reasoner import Situation, WebResult, WebSearch
from app.domain.redaction import masked, without_secrets
from app.errors import BudgetReached, SearchUnavailable
from app.net.policy import parse_address
from app.text import patterns
from app.text.lexicon import words
from app.text.value_words import COMMON


class Search(Protocol):
    """A provider of web search."""

    @property
    def available(self) -> str | None:
        """None if search works, else the reason, worded for users."""
        ...

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        """The best results, limited to these domains if any are given.

        Raises `SearchUnavailable`.
        """
        ...


LONGEST = 400  # characters; Tavily's limit
# Service keys and signed tokens: long, without spaces, with letters and digits.
_KEY = patterns.compile(r"(?<![\w/.-])[\w.+=-]{24,}(?![\w/])")


def _without_key(found: patterns.Match) -> str:
    letters = any(one.isascii() and one.isalpha() for one in found[0])
    return " " if letters and any(map(str.isdecimal, found[0])) else found[0]


def clean_query(text: str, hidden: Iterable[str] = ()) -> str:
    """Remove hidden values, and anything stated as a secret, from the query."""
    for value in sorted(filter(None, hidden), key=len, reverse=True):
        bounds = ("(?<!\\w)", "(?!\\w)") if len(value) < 4 else ("", "")
        text = patterns.sub(
            f"{bounds[0]}{patterns.escape(value)}{bounds[1]}", " ", text, flags=patterns.IGNORECASE
        )
    text = without_secrets(text)
    text = " ".join(_KEY.sub(_without_key, text).split())
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST + 1].rpartition(" ")[0] or text[:LONGEST]


_URL = patterns.compile(r"https?://[^\s<>()\[\]\"']+")
_NUMBER = patterns.compile(r"\d+(?:[.,:]\d+)*")
_WORD = patterns.compile(r"\w+")


def cite_source(answer: str, results: tuple[WebResult, ...]) -> str | None:
    """The answer with the URL of the result that supports it; None if none does: there are no results, or
    none contains a number or URL of the answer.
    """
    answer = answer.strip()
    known = {result.url for result in results}
    cited = [url.rstrip(".,;:!?") for url in _URL.findall(answer)]
    if not answer or not results or not known.issuperset(cited):
        return None
    found = {number for result in results for number in _numbers(_full_text(result))}
    if not _numbers(_URL.sub(" ", answer)) <= found:
        return None
    return answer if cited else f"{answer} (source: {_nearest(answer, results).url})"


def _full_text(result: WebResult) -> str:
    return f"{result.title} {result.text} {result.url}"


def _numbers(text: str) -> set[str]:
    """The numbers as digits only: "1,200" is "1200"."""
    return {patterns.sub(r"\D", "", found) for found in _NUMBER.findall(text)}


def _nearest(answer: str, results: tuple[WebResult, ...]) -> WebResult:
    """The result with most of the answer's words; the first of equals."""
    words = set(_WORD.findall(answer.casefold()))
    return max(results, key=lambda r: len(words & set(_WORD.findall(_full_text(r).casefold()))))


_TOKEN = patterns.compile(r"[^\s,;()\[\]\"'“”«»]+")
_DIGITS = 5  # digits; a year has four
_LONG = 30  # letters
_RECORDS = frozenset({"row", "item"})
_COMMANDS = frozenset({"btn", "link", "tab", "menu"})


def private_words(text: str, situation: Situation) -> frozenset[str]:
    """The names and numbers that occur only in the page's records and fields. What the user said, the page's
    title and the names of its controls are not private; neither are numbers, addresses and codes that the
    user or a message on the page mentions.
    """
    page = situation.page
    commands = "\n".join(node.name for node in page.tree if node.role in _COMMANDS)
    records = "\n".join(private for node in page.tree for private in _private_texts(node))
    public = set(words(f"{situation.stated_text}\n{page.title}\n{commands}").split())
    private_names = set(words(records).split()) - public - COMMON
    messages, private = _bare("\n".join((page.title, *page.errors))), _bare(records)
    instruction = _bare(situation.stated_text)
    found = set()
    for word in _TOKEN.findall(text):
        bare = _bare(word)
        may_be_name = word[:1].isupper() or any(map(str.isdigit, word)) or "@" in word
        is_name = may_be_name and bool(private_names & set(words(word).split()))
        is_unmentioned = bare not in instruction and (bare not in messages or bare in private)
        if is_name or (_is_code(word) and bare and is_unmentioned):
            found.add(word.rstrip(".!?:"))
    return frozenset(found)


def _is_code(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    cases = patterns.search(r"[a-z][A-Z].*[a-z][A-Z]", word) is not None
    return digits >= _DIGITS or "@" in word or word.endswith("=") or cases or len(word) > _LONG


def _bare(text: str) -> str:
    return patterns.sub(r"[\W_]+", "", text.casefold())


def _private_texts(node: Node) -> list[str]:
    labels = [label for kind, label in node.groups if kind in _RECORDS]
    typed = node.value if node.role == "inp" and node.input_type != "search" else None
    return [*labels, *([node.name] if labels else []), *([typed] if typed else [])]


TRIES = 3  # DESIGN, "Context analysis"
MOST_RESULTS = 5
LONGEST_NEED = 500  # characters
NOTHING_TO_ASK = "Nothing is left to search for without what must stay secret."

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
    """Search the web for `need`, first on the page's own site, with `weigh` refining the query.

    `hidden` are values that must not leave this machine (`app.domain.redaction.secrets`). Pages on an
    intranet or on this machine have no public site to search. An answer from `weigh` is kept only if a
    result contains it. Does not raise `SearchUnavailable`: if nothing was found at all, `unavailable`
    has the reason.
    """
    state = WebSearch(
        need=masked(need, hidden)[:LONGEST_NEED],
        query=clean_query(query, hidden) or clean_query(need, hidden),
        unavailable=search.available,
    )
    if state.unavailable is None and not state.query:
        state = state.model_copy(update={"unavailable": NOTHING_TO_ASK})
    if state.unavailable is not None:
        return state
    sent: set[tuple[str, tuple[str, ...]]] = set()
    for domains in _scopes(page_url):
        if state.tries >= TRIES or (state.query, domains) in sent:
            continue  # the same query would find the same
        sent.add((state.query, domains))
        try:
            found = await search.find(state.query, domains=domains, limit=MOST_RESULTS)
        except BudgetReached:
            if not state.results:
                raise
            return state
        except SearchUnavailable as error:
            failure = {} if state.results else {"unavailable": error.detail}
            return state.model_copy(update=failure)
        results = _merge_results(found, state.results)
        state = state.model_copy(update={"tries": state.tries + 1, "results": results})
        # Do not pay for a judgement of no results on the page's site; search wider instead.
        if not found and (domains or state.tries >= TRIES):
            continue
        state = _apply_judgement(state, await weigh(state), hidden)
        if state.solved:
            return state
    return state


def _scopes(page_url: str) -> tuple[tuple[str, ...], ...]:
    """The domains of each try: the page's site twice, then the whole web for the remaining tries."""
    site = registrable_domain(page_url)
    return ((site,), (site,), (), ()) if site else ((),) * TRIES


def _merge_results(
    found: tuple[WebResult, ...], earlier: tuple[WebResult, ...]
) -> tuple[WebResult, ...]:
    """New results first, then earlier ones, each page once."""
    pages: dict[str, WebResult] = {}
    for result in (*found, *earlier):
        pages.setdefault(result.url, result)
    return tuple(pages.values())[:MOST_RESULTS]


def _apply_judgement(state: WebSearch, judged: WebSearch, hidden: frozenset[str]) -> WebSearch:
    """Take over whether the need is met, the answer, and the next query; nothing else."""
    answer = cite_source(judged.answer, state.results) if judged.solved else None
    if answer is not None:
        return state.model_copy(update={"solved": True, "answer": answer})
    return state.model_copy(update={"query": clean_query(judged.query, hidden) or state.query})


# Names outside the public web: RFC 2606, 6761, 6762, 7686, 8375, 9476 and common intranets.
PRIVATE = frozenset(
    {"local", "localhost", "localdomain", "internal", "intranet", "private", "lan", "home", "corp"}
    | {"test", "example", "invalid", "onion", "alt", "home.arpa"}
)
# Second-level labels that country registries sell names under, as in "co.uk".
SECOND_LEVEL = frozenset(
    {"ac", "co", "com", "edu", "gob", "gouv", "gov", "govt", "gv", "ltd", "me", "mil", "muni", "ne"}
    | {"net", "nhs", "nom", "or", "org", "plc", "police", "sch", "school"}
)
# Domains that give each customer a subdomain.
HOSTING = frozenset(
    {"github.io", "gitlab.io", "vercel.app", "netlify.app", "pages.dev", "workers.dev", "web.app"}
    | {"firebaseapp.com", "herokuapp.com", "onrender.com", "fly.dev", "azurewebsites.net"}
    | {"cloudfront.net", "amazonaws.com", "myshopify.com", "blogspot.com", "wordpress.com"}
    | {"appspot.com", "run.app", "ngrok.io", "ngrok.app", "ngrok-free.app", "trycloudflare.com"}
    | {"zendesk.com", "atlassian.net", "my.salesforce.com", "sharepoint.com"}
)


def registrable_domain(url: str) -> str | None:
    """The page's registrable domain: "example.co.uk" for "https://app.example.co.uk/x". None if public search
    cannot know the site: an IP address, this machine, an intranet name, or no web page.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None
    labels = host.split(".")
    if parts.scheme not in {"http", "https"} or len(labels) < 2 or not all(labels):
        return None
    is_address = parse_address(host) is not None or labels[-1].isdigit()
    if is_address or PRIVATE & {labels[-1], ".".join(labels[-2:])}:
        return None
    suffix = suffix_length(labels)
    return ".".join(labels[-suffix - 1 :]) if len(labels) > suffix else None


def suffix_length(labels: list[str]) -> int:
    """The number of trailing labels that form a public suffix."""
    for length in (3, 2):
        if ".".join(labels[-length:]) in HOSTING:
            return length
    country = len(labels[-1]) == 2
    return 2 if country and len(labels) > 2 and labels[-2] in SECOND_LEVEL else 1
