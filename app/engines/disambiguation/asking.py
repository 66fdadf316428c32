"""The question which of several is meant, with its options: made from the page, never by a model."""

from collections.abc import Iterable, Sequence

from app.domain.directive import Verb
from app.domain.grounding import Candidate
from app.domain.page import Node, Observation
from app.domain.plan import PlanStep, Refinement
from app.domain.question import Option, Question
from app.domain.skill import ElementRef
from app.engines.disambiguation.labels import Seen, labels
from app.engines.grounding.label import label
from app.engines.grounding.surroundings import record

MOST_OPTIONS = 9  # a person picks by number, with one key
_LONGEST = 60  # characters of the person's own words, said again
_DONE_TO_EACH: frozenset[Verb] = frozenset({"delete", "check", "uncheck"})
_PRESSED: frozenset[Verb] = frozenset({"click"})
_OF_EACH = frozenset(
    meaning
    for word in (
        "activate", "approve", "archive", "block", "bookmark", "cancel", "complete", "deactivate",
        "delete", "disable", "download", "enable", "export", "flag", "follow", "like", "mark", "mute",
        "pin", "publish", "reject", "remove", "resolve", "restore", "select", "star", "suspend",
        "unsubscribe",
    )
    for meaning in label(word).meanings
)  # fmt: skip
"""What is done to a record where it stands, and leaves the others to be done as well."""


def question_of(
    refinement: Refinement, page: Observation, step: PlanStep | None = None
) -> Question | None:
    """The question that lets a person choose; None where there is nothing to choose from.

    More than fit the keys are there to be named by words. A step for which something was chosen
    already is asked for because the page is another since.
    """
    found = _found(refinement.candidates, page)
    options = options_of(refinement.candidates, page)
    if len(options) < 2:
        return None
    several = step is not None and may_be_several(step, [one.node for one in found])
    before = "The page has changed since you chose. " if step and step.chosen else ""
    asked = Question(
        text="",
        kind="disambiguation",
        source="grounding",
        return_to="grounding/apply_selection",
        options=options[:MOST_OPTIONS],
        further=options[MOST_OPTIONS:],
        multiple=several,
        about=refinement.about,
    )
    return asked.model_copy(update={"text": before + _text(asked)})


def narrower(question: Question, fitting: Sequence[Option]) -> Question:
    """The same question with fewer options: those that the person's words left."""
    kept = {one.id for one in fitting}
    rest = [one for one in (*question.options, *question.further) if one.id not in kept]
    numbered = [
        one.model_copy(update={"id": str(at)})
        for at, one in enumerate((*fitting, *rest, *question.apart), start=1)
    ]
    shown, left = numbered[: len(fitting)], numbered[len(fitting) :]
    fewer = question.model_copy(
        update={
            "options": tuple(shown[:MOST_OPTIONS]),
            "further": tuple(shown[MOST_OPTIONS:]),
            "apart": tuple(left),
        }
    )
    return fewer.model_copy(update={"text": _text(fewer)})


def options_of(candidates: Iterable[Candidate], page: Observation) -> tuple[Option, ...]:
    """The candidates that are on the page, numbered in its order, each by a label of its own."""
    found = _found(candidates, page)
    alike: dict[tuple[str, str, str], list[str]] = {one.node.signature: [] for one in found}
    for node in page.tree:
        if node.signature in alike:
            alike[node.signature].append(node.id)
    told = zip(found, labels(found, page), strict=True)
    return tuple(
        _option(number, one.node, text, alike[one.node.signature])
        for number, (one, text) in enumerate(told, start=1)
    )


def may_be_several(step: PlanStep, nodes: Sequence[Node]) -> bool:
    """Whether what the step does can be done to each of them, one after the other."""
    directive = step.directive
    if directive is None or (directive.target is not None and directive.target.ordinal is not None):
        return False
    if directive.verb in _DONE_TO_EACH:
        return True
    if directive.verb == "select":
        return all(node.role == "chk" for node in nodes)
    if directive.verb not in _PRESSED or directive.fields:
        return False
    apart = {record(node.group) for node in nodes}
    own = len(apart) == len(nodes) and "" not in apart
    return own and all(set(label(node.name).meanings) & _OF_EACH for node in nodes)


def quoted(text: str) -> str:
    """In the quotes of the product's own words."""
    return text if text[:1] in "'“" else f"'{text}'"


def _found(candidates: Iterable[Candidate], page: Observation) -> list[Seen]:
    named = {one.id: one for one in candidates}
    return [Seen(named[node.id], node) for node in page.tree if node.id in named]


def _option(number: int, node: Node, text: str, alike: Sequence[str]) -> Option:
    return Option(
        id=str(number),
        label=text,
        element_id=node.id,
        element=ElementRef.of(node.signature),
        nth=alike.index(node.id),
        alike=len(alike),
    )


def _text(question: Question) -> str:
    shown, all_ = len(question.options), len(question.options) + len(question.further)
    about = question.about[:_LONGEST]
    meant = f" by {quoted(about)}" if about else ""
    lines = [f"{all_} things here could be meant{meant}."]
    if all_ > shown:
        lines = [f"{all_} things here could be meant{meant}; these are the first {shown}."]
    lines.append("Which of them?" if question.multiple else "Which one?")
    if all_ > shown:
        lines.append("You can also say more words, such as a name or a date.")
    if question.multiple:
        every = f"the {shown} shown" if all_ > shown else "each of them"
        lines.append(f"Several can be named; “all” means {every}.")
    return " ".join(lines)
