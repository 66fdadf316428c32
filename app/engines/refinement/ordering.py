"""The order a thing lies in: the others of its list, row or grid, as they stand on the page."""

from collections.abc import Sequence

from app.domain.page import Node, Tree
from app.engines.grounding.label import label

ALIGNED_PX = 4  # how far apart edges of one column or row may be drawn


def place_at(order: Sequence[Node], ordinal: int) -> Node | None:
    """What has that place by its number, counted from the end with -1."""
    index = ordinal - 1 if ordinal > 0 else len(order) + ordinal
    return order[index] if 0 <= index < len(order) else None


def order_of(tree: Tree, source: Node) -> tuple[Node, ...]:
    """What lies in one list with the source: of its role, in its container, drawn in line with it."""
    alike = [
        node
        for node in tree
        if node.role == source.role
        and node.frame == source.frame
        and _holder(node) == _holder(source)
        and _in_line(node, source)
    ]
    return tuple(sorted(alike, key=_reading))


def _holder(node: Node) -> str:
    """The container, without what is only the thing itself: its own row or item."""
    outer, _, last = node.group.rpartition(" > ")
    kind, _, name = last.partition(":")
    own = kind.strip() in {"row", "item"} and label(name).folded == label(node.name).folded
    return outer if own else node.group


def _in_line(node: Node, source: Node) -> bool:
    """Whether it is as wide, or as high, as things of one list are."""
    if node.box is None or source.box is None:
        return False
    wide, high = (abs(node.box[at] - source.box[at]) <= ALIGNED_PX for at in (2, 3))
    return wide or high


def _reading(node: Node) -> tuple[float, float]:
    x, y = _center(node)
    return (round(y / ALIGNED_PX), x)


def _center(node: Node) -> tuple[float, float]:
    if node.center is not None:
        return node.center
    x, y, width, height = node.box or (0.0, 0.0, 0.0, 0.0)
    return (x + width / 2, y + height / 2)
