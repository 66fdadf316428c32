"""What the controls of a page say, folded once: each value of a chain is looked for in all of it."""

import weakref
from collections.abc import Iterator
from typing import NamedTuple

from app.domain.page import Node, Tree
from app.engines.provenance.tokens import fold


class PageText(NamedTuple):
    """A control's text, and folded. `owner` is the id of the field that it does not speak for: its
    own name and what it offers say nothing of its value.
    """

    text: str
    folded: str
    owner: str = ""
    frame: int = 0


_known: dict[int, tuple[weakref.ref[Tree], tuple[PageText, ...]]] = {}


def page_texts(tree: Tree) -> tuple[PageText, ...]:
    """The texts of this very tree, kept as long as it lives."""
    key = id(tree)
    kept = _known.get(key)
    if kept is not None and kept[0]() is tree:
        return kept[1]
    texts = tuple(_texts(tree))
    _known[key] = weakref.ref(tree, lambda _: _known.pop(key, None)), texts
    return texts


def holding(
    tree: Tree, needles: tuple[str, ...], *, field: Node | None = None, whole: str = ""
) -> Iterator[PageText]:
    """The texts with each needle in them; those that hold the `whole` value, folded, come first."""
    own = field.id if field is not None else None
    found = [
        one
        for one in page_texts(tree)
        if one.owner != own and all(needle in one.folded for needle in needles)
    ]
    if whole:
        found.sort(key=lambda one: whole not in one.folded)
    return iter(found)


def _texts(tree: Tree) -> Iterator[PageText]:
    """Hints are left out: placeholders show a format ("john@example.com") and nobody's value."""
    places: set[tuple[str, int]] = set()
    groups: set[tuple[str, int]] = set()
    for node in tree:
        if (node.group, node.frame) not in places:
            places.add((node.group, node.frame))
            for _, label in node.groups:
                if label and (label, node.frame) not in groups:
                    groups.add((label, node.frame))
                    yield PageText(label, fold(label), frame=node.frame)
        if node.value:
            named = f"{node.name}: {node.value}" if node.name else node.value
            yield PageText(named, fold(named), frame=node.frame)
        elif node.name:
            yield PageText(node.name, fold(node.name), node.id, node.frame)
        owner = node.id if node.role == "inp" else ""
        yield from (PageText(option, fold(option), owner, node.frame) for option in node.options)
