"""What a message says: that something worked, that it failed, or that it is still going on."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.domain.page import Node, Observation
from app.engines.risk.lexicon import pattern, words
from app.engines.verification import phrases

Kind = Literal["error", "success", "info"]
GOING_ON = "Still going on"  # how a reason begins where all there is to see is that the page works

_ERROR = pattern(phrases.ERROR)
_SUCCESS = pattern(phrases.SUCCESS)
_BUSY = pattern(phrases.BUSY)
_ERROR_PAGE = pattern(phrases.ERROR_PAGE)
_DENIED = tuple([word] for word in phrases.DENIAL.split())


@dataclass(frozen=True, slots=True)
class Message:
    """A message that is new. `again`: the same words stood there before, in another element."""

    text: str
    kind: Kind
    again: bool = False


@lru_cache(maxsize=4096)
def kind_of(text: str) -> Kind:
    """What a message says. "No errors" is no error; "not saved" is one."""
    plain = words(text)
    failed = _claims(_ERROR, plain)
    worked = _claims(_SUCCESS, plain)
    if failed is not None:
        return "error"
    if worked is not None:
        return "success"
    return "error" if _SUCCESS.search(plain) else "info"


def _claims(pattern: re.Pattern[str], plain: str) -> int | None:
    """Where the pattern stands in the text without a negation before it."""
    for found in pattern.finditer(plain):
        if plain[: found.start()].split()[-1:] not in _DENIED:
            return found.start()
    return None


@lru_cache(maxsize=4096)
def is_busy(text: str) -> bool:
    """Whether the text says that something is still going on."""
    return _BUSY.search(words(text)) is not None


def is_error_page(page: Observation) -> bool:
    """Whether the page is a server's or the browser's error page: by address, title or heading."""
    if page.url.startswith(("chrome-error:", "about:neterror")):
        return True
    heading = page.summary.lstrip("# \n").split("\n", 1)[0][:80]
    return bool(_ERROR_PAGE.match(words(page.title)) or _ERROR_PAGE.match(words(heading)))


def is_message(node: Node) -> bool:
    """Whether the node is there to tell something."""
    return node.role == "txt" and bool(node.states & {"alert", "status"})


def new_messages(before: Observation, after: Observation) -> tuple[Message, ...]:
    """The messages the page shows now and did not show before, errors first.

    A message whose words stood there before is new only when there are more of them now, and
    `again` when it stands in another element: a page that draws itself anew shows old messages too.
    """
    old_ids = {n.id for n in before.tree if is_message(n)}
    old, new = _texts(before), _texts(after)
    fresh = {n.name.strip() for n in after.tree if is_message(n) and n.id not in old_ids}
    found = []
    for text, (kind, count) in new.items():
        was = old.get(text)
        if was is None or count > was[1]:
            found.append(Message(text, kind))
        elif text in fresh:
            found.append(Message(text, kind, again=True))
    return tuple(sorted(found, key=lambda m: ("error", "success", "info").index(m.kind)))


def _texts(page: Observation) -> dict[str, tuple[Kind, int]]:
    """Each message with its kind and how often it stands there."""
    nodes = Counter(n.name.strip() for n in page.tree if is_message(n) and n.name.strip())
    told: dict[str, tuple[Kind, int]] = {}
    for text in nodes:
        told[text] = (_kind(text, page), nodes[text])
    for text in (*page.errors, *page.successes):
        key = text.strip()
        if key and key not in told:
            told[key] = (_kind(key, page), 1)
    return told


def _kind(text: str, page: Observation) -> Kind:
    """What the page's script says it is; by its words where the script says both or nothing."""
    error, success = _named(text, page.errors), _named(text, page.successes)
    if error != success:
        return "error" if error else "success"
    return kind_of(text)


def _named(text: str, listed: tuple[str, ...]) -> bool:
    return any(text == item.strip() for item in listed)
