"""A recorded element on the page as it is now: by what it is, never by its id, and never a guess."""

from app.domain.base import Value
from app.domain.directive import Target
from app.domain.page import ElementRef, Node, Observation, Tree
from app.grounding import Grounder
from app.page.snapshot import steady
from app.skills.recipes.values import RECORDS, containers
from app.text.lexicon import words

FOUND_SURE = 0.8  # least confidence of a control that goes by another name now


class Found(Value):
    """Where an element is. `healed` says by what it was known again, "" where it is as it was."""

    id: str
    healed: str = ""


def find(element: ElementRef, page: Observation, grounder: Grounder) -> Found | None:
    """The element by role, name and place; by role and name where only one has them; else the one
    that surely goes by another label now. What belongs to a record is looked for in it alone.
    None where nothing here is it, or more than one could be.
    """
    alike = same_control(element, page)
    if len(alike) == 1:
        moved = _place(alike[0].group) != _place(element.group)
        return Found(id=alike[0].id, healed="in another place" if moved else "")
    return _healed(element, page, grounder) if element.name and not alike else None


def same_control(element: ElementRef, page: Observation) -> list[Node]:
    """What goes by that role and name: of several those in its place, and of those the enabled ones."""
    alike = [n for n in _of_role(element, page) if _name(n.name) == _name(element.name)]
    placed = [node for node in alike if _place(node.group) == _place(element.group)]
    able = [node for node in placed if node.enabled]
    return next((few for few in (placed, able) if len(few) == 1), alike)


def _of_role(element: ElementRef, page: Observation) -> list[Node]:
    """The controls of its kind, in the record that it stood in if that was in one."""
    wanted = [label for kind, label in containers(element.group) if kind in RECORDS and label]
    return [
        node
        for node in page.tree
        if node.role == element.role and (not wanted or _in_record(node, wanted))
    ]


def _in_record(node: Node, wanted: list[str]) -> bool:
    there = f" {words(' '.join(label for kind, label in node.groups if kind in RECORDS))} "
    return all(f" {words(label)} " in there for label in wanted)


def _name(name: str) -> str:
    return words(steady(name)) or name.strip()


def _place(group: str) -> list[tuple[str, str]]:
    """The containers; those of records by their kind, since a label tells more than was kept."""
    return [
        (kind, "" if kind in RECORDS else words(steady(label))) for kind, label in containers(group)
    ]


def _healed(element: ElementRef, page: Observation, grounder: Grounder) -> Found | None:
    """The one control of the same kind whose label surely means the same."""
    tree = Tree.of([node for node in _of_role(element, page) if node.enabled])
    if element.role in ("inp", "sel"):
        grounding = grounder.field(element.name, tree)
    else:
        grounding = grounder.ground(Target(phrase=element.name), tree)
    if (
        grounding.outcome != "found"
        or len(grounding.chosen) != 1
        or grounding.confidence < FOUND_SURE
    ):
        return None
    node = tree.get(grounding.chosen[0])
    assert node is not None
    return Found(id=node.id, healed=f"now called '{node.name or node.hint}'")
