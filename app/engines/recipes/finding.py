"""A recorded element on the page as it is now: by what it is, never by its id, and never a guess."""

from typing import Literal

from app.domain.base import Value
from app.domain.directive import Target
from app.domain.page import Node, Observation, Tree
from app.domain.skill import ElementRef
from app.engines.grounding import Grounder
from app.engines.risk.controls import is_opener
from app.engines.risk.lexicon import words
from app.engines.verification.snapshot import steady

SURE = 0.85  # least confidence of a control that goes by another name now
_OF_RECORD = frozenset({"row", "item"})
_FAMILIES = (
    frozenset({"btn", "link", "menu", "tab", "img", "el"}),
    frozenset({"inp"}),
    frozenset({"sel", "inp"}),
    frozenset({"chk", "rad"}),
    frozenset({"chk", "btn"}),
)


class Found(Value):
    """Where an element is. `healed` says by what it was known again, "" where it is as it was.
    `absent`: nothing here is it; `unsure`: more than one could be.
    """

    outcome: Literal["found", "absent", "unsure"]
    id: str = ""
    healed: str = ""


def find(element: ElementRef, page: Observation, grounder: Grounder) -> Found:
    """The element by role, name and place; by role and name where only one has them; else the one
    that surely goes by another label now. What belongs to a record is looked for in it alone.
    """
    nodes = [node for node in page.tree if _in_record(element, node)]
    alike = [n for n in nodes if n.role == element.role and _name(n.name) == _name(element.name)]
    for placed in (_same_place(element, alike), alike):
        if len(placed) == 1:
            moved = "" if _place(placed[0].group) == _place(element.group) else "in another place"
            return Found(outcome="found", id=placed[0].id, healed=moved)
    if alike:
        return Found(outcome="unsure")
    return _healed(element, nodes, grounder) if element.name else Found(outcome="absent")


def _same_place(element: ElementRef, alike: list[Node]) -> list[Node]:
    """Those that stand where it stood, of two the one that can be acted on."""
    placed = [node for node in alike if _place(node.group) == _place(element.group)]
    able = [node for node in placed if node.enabled]
    return able if len(placed) > 1 else placed


def _name(name: str) -> str:
    return words(steady(name)) or name.strip()


def _place(group: str) -> tuple[tuple[str, str], ...]:
    """The containers; those of records by their kind, since a label tells more than was kept."""
    return tuple(
        (kind, "" if kind in _OF_RECORD else words(steady(label))) for kind, label in _parts(group)
    )


def _parts(group: str) -> list[tuple[str, str]]:
    parts = (part.partition(":") for part in group.split(" > ") if part)
    return [(kind.strip(), label.strip()) for kind, _, label in parts]


def _in_record(element: ElementRef, node: Node) -> bool:
    """Whether the node stands in the record that the element stood in, if that was in one."""
    wanted = [label for kind, label in _parts(element.group) if kind in _OF_RECORD and label]
    if not wanted:
        return True
    there = f" {words(' '.join(label for kind, label in node.groups if kind in _OF_RECORD))} "
    return all(f" {words(label)} " in there for label in wanted)


def _healed(element: ElementRef, nodes: list[Node], grounder: Grounder) -> Found:
    """The one control of the same kind whose label surely means the same."""
    family = [node for node in nodes if _same_family(element.role, node) and node.enabled]
    tree = Tree.of(family)
    if element.role in ("inp", "sel"):
        grounding = grounder.field(element.name, tree)
    else:
        grounding = grounder.ground(Target(phrase=element.name), tree)
    if grounding.outcome == "ambiguous":
        return Found(outcome="unsure")
    if grounding.outcome != "found" or len(grounding.chosen) != 1 or grounding.confidence < SURE:
        return Found(outcome="absent")
    node = tree.get(grounding.chosen[0])
    assert node is not None
    return Found(outcome="found", id=node.id, healed=f"now called '{node.name or node.hint}'")


def _same_family(role: str, node: Node) -> bool:
    if node.role == role:
        return True
    if role == "sel" and node.role == "inp":
        return is_opener(node)
    return any({role, node.role} <= family for family in _FAMILIES)
