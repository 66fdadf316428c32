"""Pages that are no answer: those of a failed server or browser, and those with nothing to do on them."""

from app.domain.page import Observation
from app.page.messages import compiled, kind_of
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import entries

_BEGINS = compiled("messages.error_page")
_WHOLE = frozenset(words(word) for word in entries("messages.error_title"))
_PARTS = patterns.compile(r"\s+[-–—|·:]\s+")  # noqa: RUF001
_SPARSE = 10  # nodes; more are a page of the application
_PLAIN = 400  # characters of a server's bare answer


def is_error_page(page: Observation) -> bool:
    """Whether the page is a server's or the browser's error page: by address, title or heading.

    A bare answer of the server in words of a failure is one as well.
    """
    if page.url.startswith(("chrome-error:", "about:neterror")):
        return True
    sparse = len(page.tree) <= _SPARSE
    told = [page.title, *_headings(page, 2 if sparse else 1)]
    if any(_BEGINS.match(words(text)) for text in told):
        return True
    if sparse and any(words(_PARTS.split(text)[0]) in _WHOLE for text in told if text):
        return True
    bare = len(page.tree) == 0 and 0 < len(page.summary) <= _PLAIN
    return bare and kind_of(page.summary) == "error"


def told_by(page: Observation) -> str:
    """What an error page says: the wordiest of title and headings."""
    said = (page.title, *_headings(page, 2))
    return max(said, key=lambda text: len(words(text).split())) or page.url


def is_dead_end(page: Observation) -> bool:
    """Whether there is nothing to be done on the page but to go elsewhere, or nothing on it at all."""
    ways = all(node.role in ("link", "txt", "img") for node in page.tree)
    return len(page.tree) <= _SPARSE and ways


def _headings(page: Observation, most: int) -> list[str]:
    lines = [line.strip() for line in page.summary.splitlines() if line.strip()]
    marked = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return [*lines[:1], *marked[:most]]
