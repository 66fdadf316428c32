"""How alike two pages are: Jaccard on element signatures, as DESIGN's "Re-planning" has it."""

from collections import Counter
from collections.abc import Iterable

from app.domain.page import Observation
from app.page.snapshot import steady

INTERACTIVE_WEIGHT = 0.4  # DESIGN, "Re-planning"
STRUCTURE_WEIGHT = 0.6
REPLAN_BELOW = 0.70

Pairs = Iterable[tuple[str, str]]


def similarity(one: Observation, other: Observation) -> float:
    """In 0..1, symmetric, 1 for pages of the same controls.

    Interactive: the controls by role and name. Structure: how many of each role stand in each
    container. Ids, values, states, positions and their order do not count, nor does what a name
    holds of clocks and counters. At most 1 ms for pages of 500 nodes.
    """
    interactive, structure = map(_jaccard, _held(one), _held(other))
    return INTERACTIVE_WEIGHT * interactive + STRUCTURE_WEIGHT * structure


def _held(page: Observation) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """The controls by role and name, and all by role and container."""
    nodes = page.tree.nodes
    controls = ((node.role, node.name) for node in nodes if node.role != "txt")
    return _steadied(controls), _steadied((node.role, node.group) for node in nodes)


def _steadied(pairs: Pairs) -> Counter[tuple[str, str]]:
    """How many there are of each, with what changes by itself taken out of the texts."""
    found: Counter[tuple[str, str]] = Counter()
    for (role, text), count in Counter(pairs).items():
        found[role, steady(text)] += count
    return found


def _jaccard(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    """Of multisets; two empty ones are alike."""
    whole = (one | other).total()
    return (one & other).total() / whole if whole else 1.0
