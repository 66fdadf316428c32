"""Which of several a person means: the question with its options, and what an answer settles.

Options are made from the page, never by a model. What was chosen holds for the rest of the run; on
later runs only where that is harmless: not in one record among many, whose names change, and never
for what is hard to undo.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from app.domain.grounding import Candidate
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Refinement
from app.domain.question import Option, Question
from app.domain.skill import ElementRef, SiteChoice
from app.engines.risk import is_risky
from app.engines.risk.lexicon import words

MOST_OPTIONS = 9  # a person picks by number, with one key
RECORDS = frozenset({"row", "item", "list", "tree"})


def question_of(refinement: Refinement, page: Observation) -> Question | None:
    """The question that lets a person choose; None where there is nothing to choose from."""
    options = options_of(refinement.candidates, page)
    if len(options) < 2:
        return None
    named = f" {quoted(refinement.about)}" if refinement.about else ""
    return Question(
        text=f"Several things here could be meant{named and ' by' + named}. Which one?",
        kind="disambiguation",
        return_to="grounding/apply_selection",
        options=options,
        about=refinement.about,
    )


def quoted(text: str) -> str:
    """In the quotes of the product's own words."""
    return text if text[:1] in "'“" else f"'{text}'"


def options_of(candidates: Iterable[Candidate], page: Observation) -> tuple[Option, ...]:
    """The candidates that are on the page, numbered in its order, each by a label of its own."""
    named = {one.id: one for one in candidates}
    found = [(named[node.id], node) for node in page.tree if node.id in named][:MOST_OPTIONS]
    labels = [_label(one, node) for one, node in found]
    twins = Counter(labels)
    seen: Counter[str] = Counter()
    options = []
    for number, ((_, node), text) in enumerate(zip(found, labels, strict=True), start=1):
        seen[text] += 1
        shown = f"{text}, {_nth(seen[text])} from the top" if twins[text] > 1 else text
        options.append(
            Option(
                id=str(number),
                label=shown,
                element_id=node.id,
                element=ElementRef.of(node.signature),
            )
        )
    return tuple(options)


def _label(candidate: Candidate, node: Node) -> str:
    """Its name and the innermost thing it stands in: 'Delete (Jas Patel, 1990)'."""
    _, _, place = node.group.split(" > ")[-1].partition(":")
    name = candidate.name or node.name or node.hint or node.role
    return f"{name} ({place.strip()})" if place.strip() and place.strip() != name else name


def _nth(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def picked(question: Question, text: str) -> Option | None:
    """The option that an answer names by its number or its words; None where it names none, or more."""
    said = text.strip()
    for option in question.options:
        if said == option.id or words(said) == words(option.label):
            return option
    named = [
        o for o in question.options if words(said) and f" {words(said)} " in f" {words(o.label)} "
    ]
    return named[0] if len(named) == 1 else None


def choice_of(question: Question, option: Option, site: str) -> SiteChoice | None:
    """What was chosen, for this run; None for an option that is no control."""
    if option.element is None:
        return None
    return SiteChoice(
        choice_id="", tenant="", domain=site, phrase=phrase(question.about), element=option.element
    )


def phrase(about: str) -> str:
    """What was said, as it is remembered."""
    return words(about)


def lasting(choice: SiteChoice) -> bool:
    """Whether the choice may be remembered for later runs."""
    kinds = {part.partition(":")[0].strip() for part in choice.element.group.split(" > ")}
    in_record = bool(kinds & RECORDS) or choice.element.role in ("row", "tree", "opt")
    return bool(choice.phrase) and not in_record and not is_risky(choice.element.name)


def narrowed(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> Observation | None:
    """The page without the candidates that were not meant, where a choice tells which was; else None.

    The newest choice counts; one of an earlier run only for the same words.
    """
    ids = {one.id for one in refinement.candidates}
    nodes = [node for node in page.tree if node.id in ids]
    for choice in reversed(tuple(choices)):
        if choice.choice_id and (choice.phrase != phrase(refinement.about) or not lasting(choice)):
            continue
        meant = [node for node in nodes if ElementRef.of(node.signature) == choice.element]
        if len(meant) == 1:
            others = ids - {meant[0].id}
            left = tuple(node for node in page.tree if node.id not in others)
            return replace(page, tree=Tree(left))
    return None
