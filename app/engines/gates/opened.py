"""Whose menu stands open: what an entry acts on that the page draws away from its record."""

from collections.abc import Iterable, Sequence

from app.domain.page import Node, Observation
from app.domain.plan import Deed

RECORDS = frozenset({"row", "item", "tree"})
_MENU = "menu"  # the kind of a place, and the role of an entry


def opened_for(page: Observation) -> tuple[str, ...]:
    """The records, by their labels, in which something stands open, each once and in order."""
    found = (_record(node.groups) for node in page.tree if "expanded" in node.states)
    return tuple(sorted({label for label in found if label}))


def whose(node: Node | None, page: Observation, deeds: Sequence[Deed]) -> str:
    """The label of the record that an entry of a menu acts on; "" for what stands in one, or in no menu.

    It is the one in which something stands open; where the page does not say, that of what was
    pressed last.
    """
    if node is None or _record(node.groups):
        return ""
    if node.role != _MENU and all(kind != _MENU for kind, _ in node.groups):
        return ""
    if opened := opened_for(page):
        return opened[0] if len(opened) == 1 else ""
    last = deeds[-1] if deeds else None
    if last is None or last.action.name != "click" or last.signature is None:
        return ""
    return _record(Node(id="", role="", name="", group=last.signature[2]).groups)


def _record(groups: Iterable[tuple[str, str]]) -> str:
    """The label of the innermost record with one; "" for none."""
    labels = [label for kind, label in groups if kind in RECORDS and label]
    return labels[-1] if labels else ""
