"""The names of the nodes that the run in hand has been through, for who tells of its failure."""

from contextvars import ContextVar

MOST = 50

_trail: ContextVar[list[str] | None] = ContextVar("trail", default=None)


def start_trail() -> None:
    """A run begins, in this task and those it starts."""
    _trail.set([])


def add_visit(node: str) -> None:
    """It has been through this node."""
    trail = _trail.get()
    if trail is not None:
        trail.append(node)
        del trail[:-MOST]


def visited_nodes() -> tuple[str, ...]:
    """The nodes, in order; none outside of a run."""
    return tuple(_trail.get() or ())
