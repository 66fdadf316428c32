"""Finding what a step is about, where a plain look for its label does not settle it."""

from app.domain.directive import Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.refinement.case import Case
from app.engines.refinement.exploring import turned
from app.engines.refinement.listing import listed
from app.engines.refinement.recognising import in_record, is_of_record
from app.engines.risk import is_risky
from app.engines.risk.controls import dismisses
from app.text import patterns

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
NAMED_ALONE = frozenset({"link", "btn", "el", "tab", "menu", "tree", "opt", "rad"})
LOOSE = 0.8  # confidence in a label that is said with a noun that is not on it
COUNTED = 0.85  # confidence in a record reached by counting


def locate(case: Case, target: Target | None) -> Grounding:
    """As `case.find`; ordinals go on over the pages turned, kinds count records, "x" closes."""
    if target is None:
        return case.find(target)
    if target.ordinal is not None and target.ordinal > 0:
        target = target.model_copy(update={"ordinal": target.ordinal - passed(case, target)})
        if (target.ordinal or 0) < 1:
            return Grounding(outcome="absent", reason="it was on a page before this one")
    found = _plainly(case, target)
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
    found = _of_each_record(case, target) or _named_thing(case, target, found)
    return found if found.outcome != "absent" else _loosely(case, target) or found


def _plainly(case: Case, target: Target) -> Grounding:
    """By the words alone."""
    return _as_said(case, target) or case.find(target)


def _loosely(case: Case, target: Target) -> Grounding | None:
    """What is left when a common noun is taken for what it is: "the author", "the Sent folder"."""
    if target.quoted or target.all or target.ordinal is not None or not target.phrase:
        return None
    within = target.within or ""
    if within and within.islower() and within.isalpha():
        alone = case.find(target.model_copy(update={"within": None}))
        node = case.tree.get(alone.chosen[0]) if alone.outcome == "found" else None
        if node is None or (is_risky(node.name) and not _harmless(node, target)):
            return None
        return alone
    rest, _, noun = target.phrase.rpartition(" ")
    if within or not rest or not noun.islower() or is_risky(rest):
        return None
    same = [
        n
        for n in case.tree
        if n.enabled and n.role in NAMED_ALONE and _bare(n.name) == rest.lower()
    ]
    return _chosen(same[0], LOOSE) if len(same) == 1 else None


def _of_each_record(case: Case, target: Target) -> Grounding | None:
    """The control of each line, where "all posts" names the sort of line and none is called so."""
    kind = target.within or ""
    if not (
        target.all and target.phrase and kind.islower() and kind.isalpha() and kind.endswith("s")
    ):
        return None
    every = case.find(target.model_copy(update={"within": None}))
    nodes = [node for one in every.chosen if (node := case.tree.get(one)) and is_of_record(node)]
    if (
        every.outcome != "found"
        or len(nodes) < (1 if case.work else 2)
        or len({n.name for n in nodes}) != 1
    ):
        return None
    return every.model_copy(
        update={"chosen": tuple(n.id for n in nodes), "confidence": min(every.confidence, COUNTED)}
    )


def _harmless(node: Node, target: Target) -> bool:
    """Whether it only closes something, or is the very label that was said."""
    return dismisses(node) or label(node.name).folded == label(target.phrase).folded


def _bare(name: str) -> str:
    """A label without a count behind it: "Inbox (6)"."""
    return patterns.sub(r"\s*\(?\d+\)?$", "", name.strip()).lower()


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


def was_opened(case: Case, record: str) -> bool:
    """Whether the record was opened for this step: the page is about it now."""
    wanted = label(record).meaning_set
    last = case.deeds[-1] if case.deeds else None
    opened = last is not None and last.purpose == "explore" and last.action.name == "click"
    named = last.signature[1] if last is not None and last.signature else ""
    around = last.signature[2] if last is not None and last.signature else ""
    return opened and (wanted <= label(named).meaning_set or in_record(record, around))


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


def counted(case: Case, target: Target | None) -> int:
    """How many things on this page the target could be, its ordinal left aside."""
    if target is None:
        return 0
    every = target.model_copy(update={"ordinal": None, "all": True})
    return len(case.find(every).chosen) or len(listed(case.tree, target.phrase))


def passed(case: Case, target: Target) -> int:
    """How many things that fit were on the pages of the list turned over for this step."""
    pages = turned(case)
    here = counted(case, target) if any(not page.passed for page in pages) else 0
    return sum(page.passed or here for page in pages)


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
    counted_out = target.all or target.ordinal is not None or target.position or target.near
    if node is None or counted_out or not is_of_record(node) or case.did("click"):
        return None
    same = [n for n in case.tree if n.signature == node.signature and n.enabled]
    if len(same) < 2:
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=found.confidence)
        for n in same
    )
    reason = f"{len(same)} things here look the same"
    about = target.within or target.phrase
    return Grounding(outcome="ambiguous", candidates=shown, reason=reason, about=about)


def _chosen(node: Node, confidence: float) -> Grounding:
    seen = Candidate(id=node.id, role=node.role, name=node.name, group=node.group, score=confidence)
    return Grounding(outcome="found", chosen=(node.id,), confidence=confidence, candidates=(seen,))
