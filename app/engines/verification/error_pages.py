"""Pages that are no answer: those of a failed server or browser, and those with nothing on them."""

from app.domain.page import Observation
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import words
from app.engines.verification import phrases
from app.engines.verification.messages import kind_of
from app.engines.verification.wording import compiled
from app.text import patterns

_BEGINS = compiled(phrases.ERROR_PAGE)
_WHOLE = frozenset(words(word) for word in phrases.ERROR_TITLE)
_PARTS = patterns.compile(r"\s+[-–—|·:]\s+")  # noqa: RUF001
_HEADING = 120  # characters; what is longer is a text
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
    if not sparse:
        return False
    if any(words(_PARTS.split(text)[0]) in _WHOLE for text in told if text):
        return True
    return (
        len(page.tree) == 0 and 0 < len(page.summary) <= _PLAIN and kind_of(page.summary) == "error"
    )


def told_by(page: Observation) -> str:
    """What an error page says: the wordiest of title and headings."""
    said = (page.title or page.url, *_headings(page, 2))
    return max(said, key=lambda text: len(words(text).split()) if text != page.url else 0)


def is_blank(page: Observation) -> bool:
    """Whether there is nothing on the page: a script that broke leaves it so."""
    said = [
        line for line in page.summary.splitlines() if line.strip() not in ("", page.title.strip())
    ]
    return len(page.tree) == 0 and not said


def is_dead_end(page: Observation) -> bool:
    """Whether there is nothing to be done on the page but to go elsewhere."""
    return (
        len(page.tree) <= _SPARSE
        and all(node.role in ("link", "txt", "img") or not node.name for node in page.tree)
        and not any(node.role in ENTRIES for node in page.tree)
    )


def _headings(page: Observation, most: int) -> list[str]:
    lines = [line.strip() for line in page.summary.splitlines() if line.strip()]
    marked = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return [text[:_HEADING] for text in (*lines[:1], *marked[:most])]
