"""Whether something that is claimed of a page can be read on it, by its words alone."""

from app.domain.page import MASK, Observation
from app.page.messages import DENIALS, is_message, kind_of
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import vocabulary

_QUOTED = patterns.compile(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|“([^”]+)”|«([^»]+)»")
_NO = DENIALS | {"nothing", "doesn", "don", "false", "nein", "non"}
# What is claimed not to be there is not shown by finding its words.
_DENIED = _NO | vocabulary("claims.gone")
# Words of a claim that say where or how it shows, and not what.
_FRAME = vocabulary("claims.frame")
_FIELDS = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
_CONTROLS = frozenset({"btn", "link", "menu", "tab", "opt"})  # they name what could be, not what is


def holds(what: str, page: Observation) -> bool | None:
    """Whether the page shows what is claimed; None where its words do not tell.

    True: a line holds the claim's quoted texts, or all words of it that mean something; a field
    goes by some of these words and holds the others; or it claims success, and the page tells of
    one. False: the page shows an error, and nothing of the claim. Claims that something is not
    there are never decided here, nor is what stands beside an error.
    """
    plain = words(what)
    if not plain or _DENIED & set(plain.split()):
        return None
    shown = _said(what, plain, page) or _is_text_shown(plain, page)
    if any(kind_of(text) == "error" for text in _messages(page)):
        return None if shown else False
    return True if shown else None


def affirms(read: str) -> bool:
    """Whether what was read from a page about a claim says that it holds: it denies nothing."""
    plain = words(read)
    return bool(plain) and not _NO & set(plain.split())


def _said(what: str, plain: str, page: Observation) -> bool:
    lines = _lines(page)
    named = [words(next(filter(None, found.groups()))) for found in _QUOTED.finditer(what)]
    if named:
        return all(any(f" {name} " in line for line in lines) for name in named)
    meant = [word for word in plain.split() if word not in _FRAME]
    told = any(kind_of(text) == "success" for text in _messages(page))
    return any(all(f" {word} " in line for word in meant) for line in lines) if meant else told


def _lines(page: Observation) -> list[str]:
    """What the page says, a line each, between blanks; not what stands in fields, which is typed."""
    said = [page.title, *page.summary.splitlines(), *page.successes]
    for node in page.tree:
        if node.role not in _CONTROLS | _FIELDS:
            said.append(f"{node.name} {node.value or ''}")
    return [f" {words(text)} " for text in said if text]


def _is_text_shown(plain: str, page: Observation) -> bool:
    """Whether a field goes by words of the claim, and holds all others that mean something."""
    meant = set(plain.split()) - _FRAME
    for node in page.tree:
        named, held = set(words(node.name).split()), set(words(node.value or "").split())
        is_field = node.role in _FIELDS and node.value != MASK and meant & named
        if is_field and meant - named and meant - named <= held:
            return True
    return False


def _messages(page: Observation) -> list[str]:
    nodes = (node.name for node in page.tree if is_message(node))
    return [*page.errors, *page.successes, *nodes]
