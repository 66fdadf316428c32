"""What the place of a control says about what it does."""

from functools import lru_cache

from app.domain.page import Node, Observation
from app.engines.risk.commands import said
from app.engines.risk.controls import ENTRIES, container, entries, inside
from app.engines.risk.tagging import read
from app.text import patterns

_WAYS = frozenset({"nav", "tablist", "tree"})
_RECORDS = frozenset({"row", "item"})
_PRESSED = frozenset({"btn", "inp", "el", "img"})
_SHORT = 5  # words of a label that names a place; a longer one tells of a thing
_CONTENT = 4  # words of a link in a record that is its title
_TITLE = 6  # and elsewhere
_CURRENCY = r"(?:[€$£₪¥]|r\$|eur|usd|gbp|chf|brl|ils|nis|euros?|dollars?|reais|ש[\"״]ח)"
_MONEY = patterns.compile(rf"(?<!\w){_CURRENCY}\s?\d|\d\s?{_CURRENCY}(?!\w)", patterns.IGNORECASE)


@lru_cache(maxsize=8_192)
def tagged(text: str, *kinds: str) -> bool:
    """Whether something of these kinds is named."""
    return read(text).after(0, *kinds) is not None


def innermost(node: Node) -> str:
    """The kind of the container it stands in directly."""
    groups = node.groups
    return groups[-1][0] if groups else ""


def is_way(node: Node) -> bool:
    """Whether it leads somewhere: a link of the navigation, a tab."""
    if node.role in ("tab", "tree"):
        return True
    return node.role in ("link", "menu", "btn") and any(kind in _WAYS for kind, _ in node.groups)


@lru_cache(maxsize=8_192)
def is_record(group: str) -> bool:
    """Whether the containers of that text are in a row or an item of a list."""
    return any(part.partition(":")[0] in _RECORDS for part in group.split(" > "))


def is_content(node: Node) -> bool:
    """Whether it is the title of a record, whatever that says."""
    length, place = len(read(node.name).words), innermost(node)
    long = length > _CONTENT if place in (*_RECORDS, "list") else length > _TITLE
    return node.role == "link" and bool(place) and long


def is_column(node: Node) -> bool:
    """Whether it heads a column: a row is called by what stands in it, and a head by its columns."""
    kind, label = node.groups[-1] if node.groups else ("", "")
    if tagged(f"{node.hint}", "sieves", "looks") and "sort" in node.hint.casefold():
        return True
    return kind == "list" or (kind == "row" and (not label or node.name in label.split(", ")))


def is_gathered(node: Node, page: Observation) -> bool:
    """Whether it stands among what was only being gathered: in a basket, on a list of wishes."""
    labels = any(
        len(read(label).words) <= _SHORT and tagged(label, "gathered") for _, label in node.groups
    )
    told = node.input_type is None and any(
        tagged(text, "gathered") for text in (node.name, node.hint)
    )
    return (
        labels or told or tagged(page.url.partition("://")[2].partition("/")[2][:200], "gathered")
    )


def is_sieve(node: Node) -> bool:
    """Whether it stands among filters or in a search."""
    return any(len(read(label).words) <= 3 and tagged(label, "sieves") for _, label in node.groups)


def is_consent(node: Node) -> bool:
    """Whether it is about cookies."""
    return tagged(node.name, "consent") or any(tagged(label, "consent") for _, label in node.groups)


def is_unsaved(node: Node, page: Observation) -> bool:
    """Whether it stands in a part of a form that is still being filled in."""
    box = container(node)
    if box is None or innermost(node) not in (*_RECORDS, "fieldset") or box == node.group:
        return False
    return any(inside(field, node.group) for field in page.tree.of_roles(ENTRIES))


def is_begun(node: Node) -> bool:
    """Whether its form or dialog makes something new."""
    return any(
        kind in ("form", "dialog") and said(label).manner == "looks" for kind, label in node.groups
    )


def is_priced(text: str) -> bool:
    """Whether an amount of money is named."""
    return _MONEY.search(text) is not None


def is_at_once(name: str) -> bool:
    """Whether it says that it is done now: "Share now" opens nothing."""
    return len(read(name).words) > 1 and tagged(name, "at_once")


def can_compose(node: Node, page: Observation) -> bool:
    """Whether what it tells could have been written or chosen there."""
    if container(node) is not None:
        return True
    return any(not tagged(field.name or field.hint, "sieves") and field.input_type != "search"
               for field in entries(page, None))  # fmt: skip


def is_of_record(node: Node, page: Observation) -> bool:
    """Whether it acts on a stored record that stands there to be read, not to be edited."""
    if container(node) is not None or innermost(node) not in _RECORDS:
        return False
    beside = (n for n in page.tree if n is not node and n.group == node.group)
    return not any(n.role in ENTRIES or said(n.name).manner == "affirms" for n in beside)


def is_saved_later(node: Node, page: Observation) -> bool:
    """Whether what is entered there waits for its form to be handed in."""
    box = container(node)
    for other in page.tree.of_roles(_PRESSED):
        away = is_record(other.group) or container(other) is not None
        if away if box is None else not inside(other, box):
            continue
        if other.input_type in ("submit", "image") or said(other.name).manner == "affirms":
            return True
        if box is not None and said(other.name).manner in ("changes", "deed") and other is not node:
            return True
    return False
