"""Builds the question which of several elements is meant, with options from the page."""

from collections import Counter
from collections.abc import Iterable, Sequence

from app.domain.directive import Candidate, Verb
from app.domain.directive_text import ROLE_WORDS
from app.domain.hitl import Option, Question
from app.domain.page import ElementRef, Node, Observation
from app.domain.plan import Decision, PlanStep
from app.grounding import RECORDS
from app.text.lexicon import words

Signature = tuple[str, str, str]

MOST_OPTIONS = 9  # options selectable with one number key
LONGEST = 80  # characters: two lines of the 360 px panel
_PLACE = 48  # of these, characters for the place
_LONGEST_SAID = 60  # characters quoted from the person's words
_DONE_TO_EACH: frozenset[Verb] = frozenset({"delete", "check", "uncheck"})


def choice_question(
    refinement: Decision, page: Observation, step: PlanStep | None = None
) -> Question | None:
    """Build the question; None if there is nothing to choose from.

    Options beyond the number keys are chosen by words. A step that already had a choice is asked
    about again because the page has changed.
    """
    nodes = _on(page, refinement.candidates)
    options = list_options(refinement.candidates, page)
    if len(options) < 2:
        return None
    before = "The page has changed since you chose. " if step and step.chosen else ""
    asked = Question(
        text="",
        kind="disambiguation",
        source="grounding",
        return_to="grounding/apply_selection",
        options=options[:MOST_OPTIONS],
        further=options[MOST_OPTIONS:],
        multiple=step is not None and _may_be_several(step, nodes),
        about=refinement.about,
    )
    return asked.model_copy(update={"text": before + _text(asked)})


def list_options(candidates: Iterable[Candidate], page: Observation) -> tuple[Option, ...]:
    """Return the candidates on the page, numbered in page order, with distinct labels."""
    made, nodes = [], _on(page, candidates)
    for number, (node, text) in enumerate(zip(nodes, _labels(nodes), strict=True), start=1):
        alike = [n.id for n in page.tree if n.signature == node.signature]
        made.append(
            Option(
                id=str(number),
                label=text,
                element_id=node.id,
                element=ElementRef.of(node.signature),
                nth=alike.index(node.id),
                alike=len(alike),
            )
        )
    return tuple(made)


def _on(page: Observation, candidates: Iterable[Candidate]) -> list[Node]:
    ids = {one.id for one in candidates}
    return [node for node in page.tree if node.id in ids]


def _may_be_several(step: PlanStep, nodes: Sequence[Node]) -> bool:
    """Whether the step can be repeated for each node."""
    directive = step.directive
    if directive is None or (directive.target is not None and directive.target.ordinal is not None):
        return False
    boxes = directive.verb == "select" and all(node.role == "chk" for node in nodes)
    return boxes or directive.verb in _DONE_TO_EACH


def _text(question: Question) -> str:
    shown, count = len(question.options), len(question.options) + len(question.further)
    about = question.about[:_LONGEST_SAID]
    quoted = about if about[:1] in ("'", "“") else f"'{about}'"
    text = f"{count} things here could be meant{f' by {quoted}' if about else ''}"
    text += f"; these are the first {shown}. " if count > shown else ". "
    text += "Which of them?" if question.multiple else "Which one?"
    if count > shown:
        text += " You can also say more words, such as a name or a date."
    if question.multiple:
        every = f"the {shown} shown" if count > shown else "each of them"
        text += f" Several can be named; “all” means {every}."
    return text


def _labels(nodes: Sequence[Node]) -> list[str]:
    """Return distinct plain-text labels of at most `LONGEST` characters.

    Equal names are told apart by record, then by outermost container, then by page order.
    """
    made = [_placed(node) for node in nodes]
    twins = Counter(made)
    made = [
        _placed(node, outer=True) if twins[text] > 1 else text
        for node, text in zip(nodes, made, strict=True)
    ]
    twins, seen, told = Counter(made), Counter[str](), []
    for text in made:
        seen[text] += 1
        order = f", {_nth(seen[text])} from the top" if twins[text] > 1 else ""
        told.append(_cut(text, LONGEST - len(order)) + order)
    return told


def _placed(node: Node, *, outer: bool = False) -> str:
    """Format 'Delete (row: Jas Patel, 1990)' without repeating words of the place."""
    name = _plain(node.name or node.hint or ROLE_WORDS.get(node.role, "control"))
    name = _cut(name, LONGEST - _PLACE)
    named = [(kind, _plain(text)) for kind, text in node.groups if text.strip()]
    records = [one for one in named if one[0] in RECORDS]
    inner = (records or named or [("", "")])[-1]
    places = [inner, *(one for one in named[:1] if outer and one != inner)]
    if inner[1] and len(places) == 1 and words(inner[1]).startswith(words(name)):
        return _cut(inner[1], LONGEST)
    own = f" {words(name)} "
    said = [f"{kind}: {text}" for kind, text in places if text and f" {words(text)} " not in own]
    return _cut(f"{name} ({'; '.join(said)})", LONGEST) if said else name


def _nth(number: int) -> str:
    """Format an ordinal: 1st, 2nd, 3rd, 11th."""
    teen = 10 <= number % 100 <= 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _plain(text: str) -> str:
    """Reduce the text to one line without invisible or direction-changing characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
