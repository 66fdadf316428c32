"""Controls as a lesson names them: by role, name and place, never by id."""

from functools import lru_cache

from app.domain.page import Node, Tree
from app.domain.skill import ElementRef
from app.engines.grounding.label import label
from app.engines.grounding.similarity import similarity
from app.engines.verification.snapshot import steady

ALIKE = 0.8  # of `likeness`: the same role, and a name that is the same thing said otherwise
_SAME_NAME = 0.9  # of the grounder's scale: above it two labels say the same
_ELSEWHERE = 0.85  # what a control of that name is worth in another place
_RECORDS = frozenset({"row", "item"})  # their labels are a record's own


def place(group: str) -> str:
    """The containers without the labels of records: "row: Jas Patel" is a row."""
    parts = (part.partition(":") for part in group.split(" > ") if part)
    return " > ".join(
        kind.strip() if kind.strip() in _RECORDS else f"{kind}:{text}" if text else kind
        for kind, _, text in parts
    )


def ref_of(signature: tuple[str, str, str]) -> ElementRef:
    """The control of this (role, name, group)."""
    role, name, group = signature
    return ElementRef(role=role, name=steady(name), group=place(group))


def likeness(ref: ElementRef, node: Node) -> float:
    """How surely the node is what the lesson names, in 0..1; 0 for another role."""
    if ref.role != node.role:
        return 0.0
    here = place(node.group)
    if not ref.name or not node.name:
        return 1.0 if ref.name == node.name and ref.group == here else 0.0
    name = _names(ref.name, steady(node.name))
    if name < _SAME_NAME:
        return 0.0
    return name if ref.group == here else name * _ELSEWHERE


@lru_cache(maxsize=4_096)
def _names(one: str, other: str) -> float:
    return 1.0 if one == other else similarity(label(one), label(other))[0]


def same_name(one: str, other: str) -> bool:
    """Whether two names say the same."""
    return _names(one, other) >= _SAME_NAME


def found(ref: ElementRef | None, tree: Tree) -> Node | None:
    """The one enabled control that the lesson names; None where none is, or several are."""
    if ref is None:
        return None
    scored = [(likeness(ref, node), node) for node in tree if node.role == ref.role]
    best = max((score for score, _ in scored), default=0.0)
    if best < ALIKE:
        return None
    first = [node for score, node in scored if score == best]
    return first[0] if len(first) == 1 and first[0].enabled else None
