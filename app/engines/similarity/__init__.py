"""How alike two pages are: Jaccard on element signatures, as DESIGN's "Re-planning" has it."""

from collections import Counter
from collections.abc import Hashable

from app.domain.page import Observation
from app.engines.verification.snapshot import steady

INTERACTIVE_WEIGHT = 0.4  # DESIGN, "Re-planning"
STRUCTURE_WEIGHT = 0.6
REPLAN_BELOW = 0.70

__all__ = ["INTERACTIVE_WEIGHT", "REPLAN_BELOW", "STRUCTURE_WEIGHT", "similarity"]


def similarity(one: Observation, other: Observation) -> float:
    """In 0..1, symmetric, 1 for pages of the same controls.

    Interactive: the controls by role and name. Structure: how many of each role stand in each
    container. Ids, values, states, positions and their order do not count, nor does what a name
    holds of clocks and counters. At most 1 ms for pages of 500 nodes.
    """
    interactive = _jaccard(_controls(one), _controls(other))
    structure = _jaccard(_places(one), _places(other))
    return INTERACTIVE_WEIGHT * interactive + STRUCTURE_WEIGHT * structure


def _controls(page: Observation) -> Counter[Hashable]:
    return Counter([(n.role, steady(n.name)) for n in page.tree.nodes if n.role != "txt"])


def _places(page: Observation) -> Counter[Hashable]:
    held = Counter([(n.role, n.group) for n in page.tree.nodes])
    places: Counter[Hashable] = Counter()
    for (role, group), count in held.items():
        places[role, steady(group)] += count
    return places


def _jaccard(one: Counter[Hashable], other: Counter[Hashable]) -> float:
    """Of multisets; two empty ones are alike."""
    shared = sum(min(count, other[key]) for key, count in one.items() if key in other)
    whole = sum(one.values()) + sum(other.values()) - shared
    return shared / whole if whole else 1.0
