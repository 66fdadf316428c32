"""Which choices are kept for a site: those that last, and do no harm."""

from collections.abc import Iterable
from dataclasses import replace

from app.domain.page import Observation, Tree
from app.domain.plan import Refinement
from app.domain.question import Option, Question
from app.domain.skill import ElementRef, SiteChoice
from app.engines.disambiguation.labels import LONGEST
from app.engines.risk import is_risky
from app.engines.risk.lexicon import words

RECORDS = frozenset({"row", "item", "list", "tree"})


def choice_of(question: Question, option: Option, site: str) -> SiteChoice | None:
    """What was chosen, as it may be kept; None for an option that is no control."""
    if option.element is None:
        return None
    return SiteChoice(
        choice_id="", tenant="", domain=site, phrase=phrase(question.about), element=option.element
    )


def phrase(about: str) -> str:
    """What was said, as it is remembered."""
    return words(about)


def lasting(choice: SiteChoice) -> bool:
    """Whether the choice may be remembered for later steps and runs: not in one record among many,
    whose names change, and never for what is hard to undo.
    """
    kinds = {part.partition(":")[0].strip() for part in choice.element.group.split(" > ")}
    in_record = bool(kinds & RECORDS) or choice.element.role in ("row", "tree", "opt")
    return bool(choice.phrase) and not in_record and not is_risky(choice.element.name)


def narrowed(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> Observation | None:
    """The page without the candidates that were not meant, where a lasting choice for the same words
    tells which was; else None. The newest choice counts.
    """
    found = _meant(refinement, page, choices)
    if found is None:
        return None
    others = {one.id for one in refinement.candidates} - {found[1]}
    return replace(page, tree=Tree(tuple(node for node in page.tree if node.id not in others)))


def recalled(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> str | None:
    """The choice that counts, for the thought of who follows it; None where none does."""
    found = _meant(refinement, page, choices)
    if found is None:
        return None
    element = found[0].element
    place = element.group.rpartition(" > ")[2].partition(":")[2].strip()
    named = f"{element.name or element.role}{f' ({place})' if place else ''}"
    when = "last time" if found[0].choice_id else "before"
    return f"You chose {named[:LONGEST]} {when}."


def _meant(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> tuple[SiteChoice, str] | None:
    ids = {one.id for one in refinement.candidates}
    nodes = [node for node in page.tree if node.id in ids]
    for choice in reversed(tuple(choices)):
        if choice.phrase != phrase(refinement.about) or not lasting(choice):
            continue
        meant = [node for node in nodes if ElementRef.of(node.signature) == choice.element]
        if len(meant) == 1:
            return choice, meant[0].id
    return None
