"""Whether a control belongs to a record that was named, and which of its controls a word is for."""

from app.domain.directive import Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import RECORD_NOUNS, STOP_WORDS
from app.engines.grounding.surroundings import RECORDS, names_said, record
from app.engines.refinement.case import Case

ALL_BOX = frozenset({"select all", "check all", "all", "select everything", "toggle all"})
PRESSED = frozenset({"btn", "link", "el", "menu"})
CROSSES = frozenset({"x", "X", "\u00d7", "\u2715", "\u2716", "\u2a2f", "\U0001f5d1"})


def in_record(named: str, group: str) -> bool:
    """Whether a group says all words of the record's name, its sort left out: "ticket #103"."""
    around = label(group).meaning_set
    first, _, rest = named.partition(" ")
    several = (rest,) if rest and first.lower().removesuffix("s") in RECORD_NOUNS else ()
    variants = (label(text).meaning_set for text in (*names_said(named), *several))
    return any(words and words <= around for words in variants)


def is_of_record(node: Node) -> bool:
    """Whether it stands in a row or an item."""
    return any(kind in RECORDS for kind, _ in node.groups)


def record_box(case: Case, named: str) -> Node | None:
    """The one checkbox of the record of that name; None where there are none or several."""
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled and is_of_record(n)]
    own = [n for n in boxes if in_record(named, n.group)]
    return own[0] if len(own) == 1 else None


def boxes_of_several(case: Case, named: str) -> Grounding | None:
    """The boxes of several records of that name, one in each; None where it is not so."""
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled and is_of_record(n)]
    own = [n for n in boxes if in_record(named, n.group)]
    if len(own) < 2 or len({record(n.group) for n in own}) < len(own):
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=0.6) for n in own
    )
    reason = f"{len(own)} things here could be '{named}'"
    return Grounding(outcome="ambiguous", candidates=shown, reason=reason, about=named)


def record_boxes(case: Case, target: Target) -> list[Node]:
    """The checkboxes of every record but those excluded; the one that ticks them all where it does.

    Only for "all" of a sort of thing: what is named by its label is found by its label.
    """
    if not target.all or not target.phrase:
        return []
    boxes = [n for n in case.tree if n.role == "chk" and n.enabled]
    whole = [n for n in boxes if label(n.name).folded in ALL_BOX]
    own = [n for n in boxes if is_of_record(n) and n not in whole]
    if (qualified := _qualified(case, target.phrase)) is not None:
        return [n for n in own if qualified <= label(n.group.rpartition(" > ")[2]).meaning_set]
    if whole and not target.excluding:
        return whole[:1]
    left = [n for n in own if not any(_excluded(name, n) for name in target.excluding)]
    return left if not target.excluding or len(left) < len(own) else []


def _qualified(case: Case, phrase: str) -> frozenset[str] | None:
    """What is said of the sort of thing: "unread" of "unread emails"; None where nothing is.

    Words that the page's title or headings bear as well are part of what its things are called.
    """
    said = label(phrase).words[:-1]
    page = case.page
    heads = [line for line in page.summary.splitlines() if line.startswith("#")]
    heads += [n.group.rpartition(" > ")[0] for n in case.tree if is_of_record(n)]
    called = label(" ".join([page.title, page.url, *heads])).meaning_set
    rest = label(" ".join(said)).meaning_set - STOP_WORDS - called
    return rest or None


def _excluded(name: str, node: Node) -> bool:
    said = name.lower().removeprefix("one ").removeprefix("from ").strip()
    return in_record(said, f"{node.group} {node.name}")


def crosses(case: Case, named: str, within: str) -> list[Node]:
    """The crosses that take the record away: in the line that is its own, in the list that was named."""
    return [
        n
        for n in case.tree
        if n.enabled and n.name.strip() in CROSSES and is_of_record(n)
        and in_record(named, n.group.rpartition(" > ")[2])
        and (not within or in_record(within, n.group))
    ]  # fmt: skip


def answered_prompt(case: Case) -> bool:
    """Whether the last press brought up a prompt of the browser and it was given its text."""
    last = case.last
    pressed = last is not None and last.action.name == "click" and last.status == "success"
    return pressed and any(d.kind == "prompt" and d.accepted for d in case.page.dialogs)


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
