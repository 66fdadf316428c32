"""Which control a target means, where a plain look for its label does not settle it."""

from collections.abc import Callable

from app.domain.directive import Candidate, Grounding, Target
from app.domain.page import Node
from app.grounding.label import label, stem
from app.grounding.lexicon import RECORD_NOUNS, STOP_WORDS
from app.grounding.surroundings import names_said, record
from app.reasoners.commands.actions.case import Case
from app.verification.deletions import is_proper

ALIKE = 0.6  # reported of things that fit alike; what tells them apart is for the person to say
COUNTED = 0.85  # confidence in the one of several that fits


def locate(case: Case, target: Target | None) -> Grounding:
    """The one control (or all, or the n-th) that the target means, by its label or by its record."""
    found = case.find(target)
    if target is None or found.outcome == "found":
        return found
    if found.outcome == "ambiguous":  # of "@ann" and "Ann" the one spelled as it was said
        said = (target.within or "").casefold()
        very = narrowed(case, found, lambda node: bool(said) and said in node.group.casefold())
        return very if very.outcome == "found" else found
    if target.ordinal is not None and is_kind(case, target.phrase):
        return case.find(target.model_copy(update={"phrase": "", "role": "row"}))
    if target.within and was_opened(case, target.within):
        return case.find(target.model_copy(update={"within": None}))
    if target.within and is_kind(case, target.phrase):  # "the customer Jas" goes by "Jas"
        return case.find(target.model_copy(update={"phrase": target.within, "within": None}))
    return found


def narrowed(case: Case, found: Grounding, fits: Callable[[Node], bool]) -> Grounding:
    """What was found, of it only what fits; of several the one that does."""
    chosen = tuple(one for one in found.chosen if fits(case.tree.by_id[one]))
    left = tuple(one for one in found.candidates if fits(case.tree.by_id[one.id]))
    if found.outcome == "found" and chosen:
        return found.model_copy(update={"chosen": chosen})
    if found.outcome != "ambiguous" or not left:
        return Grounding(outcome="absent", candidates=found.candidates, reason=found.reason)
    if len(left) > 1:
        return found.model_copy(update={"candidates": left})
    only = {"outcome": "found", "chosen": (left[0].id,), "confidence": COUNTED}
    return found.model_copy(update=only)


def is_kind(case: Case, phrase: str) -> bool:
    """Whether it is a word for a sort of record, by the lexicon or by what the page says it lists."""
    words = [stem(word) for word in label(phrase).words]
    said = page_words(case) | STOP_WORDS
    return bool(words) and words[-1] in said | RECORD_NOUNS and said.issuperset(words[:-1])


def page_words(case: Case) -> frozenset[str]:
    """The words of the page's title, address, headings, and of what holds its records."""
    page = case.page
    texts = {page.title, page.url, *(n.group.rpartition(" > ")[0] for n in page.tree)}
    texts.update(line for line in page.summary.splitlines() if line.startswith("#"))
    return frozenset[str]().union(*(label(text).stems for text in texts))


def name_and_place(case: Case, target: Target) -> tuple[str, str]:
    """What the record is called, and where it stands: of "the patient Jas" the name is Jas, and of
    "Jas from the list" too.
    """
    if not target.within or not target.phrase:
        return target.phrase or target.within or "", ""
    named = is_proper(target.within) and not is_proper(target.phrase)
    if named or is_kind(case, target.phrase):
        return target.within, ""
    return target.phrase, target.within


def in_record(named: str, group: str) -> bool:
    """Whether a group says all words of the record's name."""
    around = label(group).meaning_set
    variants = (label(text).meaning_set for text in names_said(named))
    return any(words and words <= around for words in variants)


def is_of_record(node: Node) -> bool:
    """Whether it stands in a row or an item."""
    return bool(record(node.group))


def belongs_to(case: Case, node: Node, name: str) -> bool:
    """Whether it is that record's own control, and not one of a record inside it."""
    line = record(node.group)
    if not line:
        return in_record(name, f"{node.group} {node.name}")
    own = [n.name for n in case.tree if record(n.group) == line]
    return in_record(name, " ".join([line.rpartition(" > ")[2], *own]))


def was_opened(case: Case, record: str) -> bool:
    """Whether the record's own menu was opened last: its items may stand at the end of the page."""
    last = case.deeds[-1] if case.deeds else None
    is_look = last is not None and last.purpose == "explore" and last.action.name == "click"
    return is_look and in_record(record, last.signature[2] if last and last.signature else "")


def several(nodes: list[Node], what: str, about: str) -> Grounding:
    """Controls that fit alike, as they are put to a person."""
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=ALIKE)
        for n in nodes
    )
    said = f"{len(nodes)} {what}"
    return Grounding(outcome="ambiguous", candidates=shown, reason=said, about=about)


def apart(case: Case, found: Grounding, target: Target) -> Grounding:
    """What was found; all that look like it, in records that go by the same words, where it was not
    counted or pressed before: the first of them is no more meant than the others.
    """
    node = case.chosen(found)
    counted = target.all or target.ordinal is not None or target.near
    if node is None or counted or not is_of_record(node) or case.did("click"):
        return found
    alike = [n for n in case.tree if n.signature == node.signature and n.enabled]
    about = target.within or target.phrase
    return several(alike, "things here look the same", about) if len(alike) > 1 else found
