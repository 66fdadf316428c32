"""What a search service says, made plain: no markup, bounded, and only addresses of the web."""

import html
import unicodedata
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from app.domain.background import WebResult
from app.text import patterns

LONGEST_TEXT = 1_500  # characters; five of them are what one prompt can bear
LONGEST_TITLE = 200  # characters
LONGEST_URL = 2_000  # characters; what browsers and proxies agree to carry
LONGEST_MARKUP = 20_000  # characters looked at for one text, so that no page-sized field is parsed
# A parser of HTML is quadratic on `<a <a <a`; each of these looks at a character once.
_HIDDEN = patterns.compile(r"<!--|<(script|style|template|noscript)\b[^<>]*>", patterns.IGNORECASE)
_TAG = patterns.compile(r"<[/!?a-z][^<>]*>?", patterns.IGNORECASE)
UNSEEN = frozenset({"Cc", "Cs", "Cn"})  # control characters, lone surrogates, unassigned


def parse_results(body: object, *, domains: tuple[str, ...], limit: int) -> tuple[WebResult, ...]:
    """The results in a reply of the service, best first, each address once.

    What is no result is left out, and so is what lies on another domain than those asked for.
    Raises `ValueError` where the reply is of another shape.
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
    """Whether the address is on one of the domains or below it; on any where none is given."""
    wanted = tuple(domains)
    host = (urlsplit(url).hostname or "").rstrip(".")
    return not wanted or any(host == d or host.endswith(f".{d}") for d in wanted)


def plain_text(text: str, longest: int) -> str:
    """The text without markup and unseen characters, its white space collapsed, cut to length."""
    text = text[:LONGEST_MARKUP]
    if "<" in text:
        text = _TAG.sub(" ", _shown(text))
    text = html.unescape(text)
    seen = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in UNSEEN)
    return " ".join(seen.split())[:longest].rstrip()


def _shown(text: str) -> str:
    """The text without comments, and without what a browser shows nothing of."""
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
    """Whether it is an address of the web that can be shown and cited as it stands."""
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
