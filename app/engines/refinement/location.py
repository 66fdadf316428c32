"""Finding what a step is about, where a plain look for its label does not settle it."""

from app.domain.directive import FieldValue, Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node, Tree
from app.domain.plan import Deed
from app.engines.grounding import Grounder
from app.engines.grounding.label import label
from app.engines.grounding.surroundings import RECORDS, record
from app.engines.reasoner import Situation
from app.engines.refinement.case import Case, same
from app.engines.refinement.match import in_record, is_of_record
from app.engines.risk import is_risky
from app.text import patterns

HEADS = frozenset({"link", "row", "btn", "el", "img", "tree", "opt"})
NOUNS = frozenset(
    {
        "result", "search result", "item", "entry", "row", "record", "link", "post", "article", "card",
        "product", "hit", "match", "line",
    }
)  # fmt: skip


def listed(tree: Tree, kind: str) -> tuple[Node, ...]:
    """The head of each record in order: the first control of each row or item.

    Empty when the page lists nothing that could be of that kind.
    """
    heads: dict[str, Node] = {}
    for node in tree:
        line = record(node.group)
        if line and node.role in HEADS and not is_risky(node.name):
            heads.setdefault(line, node)
    if heads and (generic(kind) or any(_lists(node.group, kind) for node in heads.values())):
        return tuple(heads.values())
    return ()


def _lists(group: str, kind: str) -> bool:
    """Whether a container says that it holds things of that kind: "section: Orders"."""
    wanted = label(kind).stems
    holders = (part for part in group.split(" > ") if part.partition(":")[0] not in RECORDS)
    return bool(wanted) and any(wanted <= label(holder).stems for holder in holders)


def generic(kind: str) -> bool:
    """Whether the word is for entries of any list."""
    return " ".join(sorted(label(kind).stems)) in {
        " ".join(sorted(label(noun).stems)) for noun in NOUNS
    }


CLOSERS = frozenset({"x", "X", "×", "✕", "✖"})  # noqa: RUF001 - as pages print it
ACTIONS = frozenset(
    meaning
    for word in (
        "activate", "add", "approve", "archive", "assign", "block", "bookmark", "cancel", "deactivate",
        "disable", "duplicate", "enable", "export", "invite", "publish", "reject", "rename", "reopen",
        "reset", "resolve", "restore", "suspend", "check out", "close", "copy", "delete", "details",
        "download", "edit", "expand", "flag", "follow", "forward", "like", "mark", "menu", "more",
        "move", "mute", "open", "pin", "print", "reply", "save", "select", "settings",
        "share", "show", "star", "view",
    )
    for meaning in label(word).meanings
)  # fmt: skip
NUMBERS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"})
CLOSING = frozenset({"close", "dismiss"})
COUNTED = 0.85  # confidence in a record reached by counting


def locate(case: Case, target: Target | None) -> Grounding:
    """As `case.find`; kinds count records, "x" closes."""
    if target is None:
        return case.find(target)
    found = _as_said(case, target) or case.find(target)
    if found.outcome == "ambiguous":
        return _in_the_very_record(target, found)
    if found.outcome != "absent":
        return found
    if target.phrase in CLOSERS and (closer := closing_control(case)):
        return _chosen(closer, 0.9)
    if target.ordinal is not None and _spelled(target):
        return case.find(target.model_copy(update={"ordinal": None}))
    if target.ordinal is not None:
        records = listed(case.tree, target.phrase)
        at = target.ordinal - 1 if target.ordinal > 0 else len(records) + target.ordinal
        return _chosen(records[at], COUNTED) if 0 <= at < len(records) else found
    if target.within and was_opened(case, target.within):
        return case.find(target.model_copy(update={"within": None}))
    return _named_thing(case, target, found)


def was_opened(case: Case, record: str) -> bool:
    """Whether the record's own menu was opened last: its items may stand at the end of the page."""
    last = case.deeds[-1] if case.deeds else None
    is_look = last is not None and last.purpose == "explore" and last.action.name == "click"
    return is_look and in_record(record, last.signature[2] if last and last.signature else "")


def _as_said(case: Case, target: Target) -> Grounding | None:
    """A control called "New order", where "new" could be a word of its label and not of the sentence."""
    whole = patterns.search(
        rf"\bnew {patterns.escape(target.phrase)}\b", case.directive.source, patterns.IGNORECASE
    )
    if not target.phrase or whole is None:
        return None
    found = case.find(target.model_copy(update={"phrase": whole[0]}))
    return found if found.outcome == "found" else None


def _in_the_very_record(target: Target, found: Grounding) -> Grounding:
    """Of several that fit, the only one whose record is spelled as the person did: "@ann"."""
    spelled = (target.within or "").casefold()
    very = [one for one in found.candidates if spelled and spelled in one.group.casefold()]
    if len(very) != 1:
        return found
    return found.model_copy(
        update={"outcome": "found", "chosen": (very[0].id,), "confidence": COUNTED}
    )


def _spelled(target: Target) -> bool:
    """Whether the ordinal is only the label itself: "TWO" of "button TWO"."""
    words = label(target.phrase).words
    return len(words) == 1 and (words[0].isdigit() or words[0] in NUMBERS)


def _named_thing(case: Case, target: Target, found: Grounding) -> Grounding:
    """Of "the customer Jas", "customer" is the kind and the thing goes by "Jas"."""
    if not target.within or target.phrase[:1].isupper() or not is_kind(case, target.phrase):
        return found  # a sort of thing is no proper name: "Login" of "Login in the Pages menu"
    named = case.find(target.model_copy(update={"phrase": target.within, "within": None}))
    node = case.tree.get(named.chosen[0]) if named.outcome == "found" else None
    if (
        node is not None
        and node.role in {"chk", "rad"}
        and case.directive.verb in {"click", "open"}
    ):
        return found  # ticking it opens nothing
    return named if named.outcome != "absent" else found


def is_kind(case: Case, phrase: str) -> bool:
    """Whether a phrase is for a sort of thing rather than for a control: none goes by it here."""
    if is_risky(phrase) or set(label(phrase).meanings) & ACTIONS:
        return False
    return bool(phrase) and case.find(Target(phrase=phrase)).outcome == "absent"


def closing_control(case: Case) -> Node | None:
    """The control that closes the innermost dialog (or anything, when there is none)."""
    inside = [node for node in case.tree if any(kind == "dialog" for kind, _ in node.groups)]
    for node in inside or [node for node in case.tree if not is_of_record(node)]:
        words = node.name.strip().lower().split()
        closes = node.name.strip() in CLOSERS or bool(words and words[0] in CLOSING)
        if closes and node.enabled and node.role in {"btn", "link", "img", "el"}:
            return node
    return None


def twins(case: Case, found: Grounding, target: Target) -> Grounding | None:
    """All that look like what was found, in records that go by the same words: the first of them is no
    more meant than the others. None where it is alone, counted, or was pressed before.
    """
    node = case.tree.get(found.chosen[0]) if len(found.chosen) == 1 else None
    counted_out = target.all or target.ordinal is not None or target.near
    if node is None or counted_out or not is_of_record(node) or case.did("click"):
        return None
    alike = [n for n in case.tree if n.signature == node.signature and n.enabled]
    if len(alike) < 2:
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=found.confidence)
        for n in alike
    )
    reason = f"{len(alike)} things here look the same"
    about = target.within or target.phrase
    return Grounding(outcome="ambiguous", candidates=shown, reason=reason, about=about)


def _chosen(node: Node, confidence: float) -> Grounding:
    seen = Candidate(id=node.id, role=node.role, name=node.name, group=node.group, score=confidence)
    return Grounding(outcome="found", chosen=(node.id,), confidence=confidence, candidates=(seen,))


LIKE_THE_FIRST = 0.75  # an alternative's share of the best score; below it is another thing


def alternatives_to(deed: Deed, situation: Situation, grounder: Grounder) -> tuple[Candidate, ...]:
    """The other candidates for what the deed acted on, best first."""
    step = situation.plan.step
    if step is None or step.directive is None:
        return ()
    case = Case(situation, step.directive, grounder)
    found = _field_candidates(case, deed) if deed.action.name == "setValue" else ()
    if not found and step.directive.target is not None:
        found = case.find(step.directive.target).candidates
    best = max((candidate.score for candidate in found), default=0.0)
    near = [c for c in found if c.score >= best * LIKE_THE_FIRST]
    return tuple(c for c in near if not _was(deed, situation.page.tree.get(c.id)))


def _field_candidates(case: Case, deed: Deed) -> tuple[Candidate, ...]:
    value = str(deed.action.args["text"])
    for field in case.directive.fields:
        if field.value == value:
            return case.fields([FieldValue(field=field.field, value=value)])[0].candidates
    return ()


def _was(deed: Deed, node: Node | None) -> bool:
    return node is None or same(deed, node)
