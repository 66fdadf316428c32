"""Cleans search results: no markup, bounded lengths, web addresses only."""

import html
import unicodedata
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from app.domain.background import WebResult
from app.text import patterns

LONGEST_TEXT = 1_500  # characters; five of them fit in a prompt
LONGEST_TITLE = 200  # characters
LONGEST_URL = 2_000  # characters; the common limit of browsers and proxies
LONGEST_MARKUP = (
    20_000  # characters of a field to process, so that a page-sized field is not parsed
)
# HTML parsers are quadratic on `<a <a <a`; these expressions look at each character once.
_HIDDEN = patterns.compile(r"<!--|<(script|style|template|noscript)\b[^<>]*>", patterns.IGNORECASE)
_TAG = patterns.compile(r"<[/!?a-z][^<>]*>?", patterns.IGNORECASE)
UNSEEN = frozenset({"Cc", "Cs", "Cn"})  # control characters, lone surrogates, unassigned


def parse_results(body: object, *, domains: tuple[str, ...], limit: int) -> tuple[WebResult, ...]:
    """Parse the results in a response, best first, each URL once.

    Invalid results are dropped, and so are those outside the requested domains. Raises `ValueError` for
    a response of another shape.
    """
    listed = body.get("results") if isinstance(body, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no list of results")
    found: dict[str, WebResult] = {}
    for result in (_result(item) for item in listed if isinstance(item, dict)):
        if result is not None and is_on_domain(result.url, domains):
            found.setdefault(result.url, result)
    return tuple(found.values())[:limit]


def is_on_domain(url: str, domains: Iterable[str]) -> bool:
    """Whether the URL is on one of the domains or their subdomains; True if no domains are given."""
    wanted = tuple(domains)
    host = (urlsplit(url).hostname or "").rstrip(".")
    return not wanted or any(host == d or host.endswith(f".{d}") for d in wanted)


def plain_text(text: str, longest: int) -> str:
    """Remove markup and invisible characters, collapse white space, and truncate."""
    text = text[:LONGEST_MARKUP]
    if "<" in text:
        text = _TAG.sub(" ", _shown(text))
    text = html.unescape(text)
    seen = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in UNSEEN)
    return " ".join(seen.split())[:longest].rstrip()


def _shown(text: str) -> str:
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
    if not isinstance(url, str) or not isinstance(text, str) or not _is_address(url):
        return None
    seen = plain_text(text, LONGEST_TEXT)
    named = plain_text(title, LONGEST_TITLE) if isinstance(title, str) else ""
    return WebResult(title=named or url, url=url, text=seen) if seen else None


def _is_address(url: str) -> bool:
    """Whether this is a web URL that can be shown and cited as is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    printable = url.isprintable() and not any(c.isspace() for c in url)
    return (
        printable
        and len(url) <= LONGEST_URL
        and parts.scheme in {"http", "https"}
        and bool(parts.hostname)
        and parts.username is None
    )
