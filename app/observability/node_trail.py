"""The nodes visited by the current run, for error reports."""

from contextvars import ContextVar

MOST = 50

_trail: ContextVar[list[str] | None] = ContextVar("trail", default=None)


def start_trail() -> None:
    """Start the trail of a run, in this task and those it starts."""
    _trail.set([])


def add_visit(node: str) -> None:
    """Add a node to the trail."""
    trail = _trail.get()
    if trail is not None:
        trail.append(node)
        del trail[:-MOST]


def visited_nodes() -> tuple[str, ...]:
    """The visited nodes in order; empty outside of a run."""
    return tuple(_trail.get() or ())
