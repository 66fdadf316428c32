"""Whether a control belongs to a record that was named, and which of its controls a word is for."""

from app.domain.directive import Target
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.grounding.surroundings import RECORDS, names_said
from app.engines.refinement.case import Case

ALL_BOX = frozenset({"select all", "check all", "all", "select everything", "toggle all"})
ENTRY = frozenset({"inp", "sel", "chk", "rad", "range", "file"})


def in_record(named: str, group: str) -> bool:
    """Whether a group says all words of the record's name, its sort left out: "ticket #103"."""
    around = label(group).meaning_set
    variants = (label(text).meaning_set for text in names_said(named))
    return any(words and words <= around for words in variants)


def is_of_record(node: Node) -> bool:
    """Whether it stands in a row or an item."""
    return any(kind in RECORDS for kind, _ in node.groups)


def record_box(case: Case, named: str) -> Node | None:
    """The one checkbox of the record of that name; None where there are none or several."""
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled and is_of_record(n)]
    own = [n for n in boxes if in_record(named, n.group)]
    return own[0] if len(own) == 1 else None


def record_boxes(case: Case, target: Target) -> list[Node]:
    """The checkboxes of every record but those excluded; the one that ticks them all where it does.

    Only for "all" of a sort of thing: what is named by its label is found by its label.
    """
    if not target.all or not target.phrase:
        return []
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled]
    whole = [n for n in boxes if label(n.name).folded in ALL_BOX]
    if whole and not target.excluding:
        return whole[:1]
    own = [n for n in boxes if is_of_record(n) and n not in whole]
    left = [n for n in own if not any(_excluded(name, n) for name in target.excluding)]
    return left if not target.excluding or len(left) < len(own) else []


def _excluded(name: str, node: Node) -> bool:
    said = name.lower().removeprefix("one ").removeprefix("from ").strip()
    return in_record(said, f"{node.group} {node.name}")


def edited_record(case: Case) -> str:
    """The record the step before opened for changing; empty when it did not."""
    plan = case.situation.plan
    earlier = plan.steps[plan.current - 1].directive if plan.current else None
    if earlier is None or earlier.verb != "edit" or earlier.target is None:
        return ""
    return earlier.target.within or earlier.target.phrase


def created_kind(case: Case) -> str:
    """The sort of thing the step before was to make; empty when it was not."""
    plan = case.situation.plan
    earlier = plan.steps[plan.current - 1].directive if plan.current else None
    made = earlier is not None and earlier.verb == "create" and earlier.target is not None
    return earlier.target.phrase if made and earlier and earlier.target else ""
