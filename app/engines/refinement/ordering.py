"""The order a thing lies in: the others of its list, row or grid, as they stand on the page."""

from dataclasses import dataclass

from app.domain.page import Node, Tree
from app.engines.grounding.label import label

ALIGNED_PX = 4  # how far apart edges of one column or row may be drawn


@dataclass(frozen=True)
class Order:
    """Things of one list in reading order; each takes the place of what it is dragged onto."""

    nodes: tuple[Node, ...]

    def __len__(self) -> int:
        return len(self.nodes)

    def at(self, ordinal: int | None, position: str | None) -> Node | None:
        """What has that place: by its number (from the end with -1), or by where it lies."""
        if ordinal is not None:
            index = ordinal - 1 if ordinal > 0 else len(self.nodes) + ordinal
            return self.nodes[index] if 0 <= index < len(self.nodes) else None
        words = set((position or "").split())
        if words & {"start", "end"}:
            return self.nodes[0 if "start" in words else -1]
        column = self._line(words, "left", "right", 0)
        row = self._line(words, "top", "bottom", 1)
        fitting = [n for n in self.nodes if _near(n, 0, column) and _near(n, 1, row)]
        return fitting[0] if len(fitting) == 1 else None

    def _line(self, words: set[str], low: str, high: str, axis: int) -> float | None:
        """The centre of the column (axis 0) or row (axis 1) meant, in px; None where any will do."""
        lines = sorted({_center(node)[axis] for node in self.nodes})
        kept = [at for n, at in enumerate(lines) if not n or at - lines[n - 1] > ALIGNED_PX]
        if low in words or high in words:
            return kept[0 if low in words else -1]
        return kept[len(kept) // 2] if "middle" in words and len(kept) % 2 else None

    def beside(self, source: Node, other: Node, *, before: bool) -> Node | None:
        """Whose place the source takes to stand right before or after the other."""
        ids = [node.id for node in self.nodes]
        if source.id not in ids or other.id not in ids:
            return other
        here, there = ids.index(source.id), ids.index(other.id)
        index = there - (here < there) if before else there + (here > there)
        return self.nodes[index]

    def stepped(self, source: Node, way: str, times: int) -> Node | None:
        """What lies that many places further up, down, left or right."""
        axis, sign = (1 if way in {"up", "down"} else 0), (1 if way in {"down", "right"} else -1)
        own, across = _center(source), 1 - axis
        beyond = [
            node
            for node in self.nodes
            if (_center(node)[axis] - own[axis]) * sign > ALIGNED_PX
            and abs(_center(node)[across] - own[across]) <= _half(source, across)
        ]
        beyond.sort(key=lambda node: (_center(node)[axis] - own[axis]) * sign)
        return beyond[times - 1] if times <= len(beyond) else None


def order_of(tree: Tree, source: Node) -> Order:
    """What lies in one list with the source: of its role, in its container, drawn in line with it."""
    alike = [
        node
        for node in tree
        if node.role == source.role
        and node.frame == source.frame
        and _holder(node) == _holder(source)
        and _in_line(node, source)
    ]
    return Order(tuple(sorted(alike, key=_reading)))


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


def _half(node: Node, axis: int) -> float:
    return (node.box[2 + axis] if node.box else 0.0) / 2


def _near(node: Node, axis: int, line: float | None) -> bool:
    return line is None or abs(_center(node)[axis] - line) <= ALIGNED_PX
