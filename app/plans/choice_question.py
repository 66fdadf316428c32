"""Asks which of several elements is meant, with options from the page, and reads the answer.

Options never come from a model. In an answer exact ids come first, so that a number in a label is
never taken for an option's number.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.domain.directive import ROLE_WORDS, Candidate, Verb
from app.domain.hitl import Option, Question
from app.domain.page import ElementRef, Node, Observation
from app.domain.plan import Decision, PlanStep
from app.page import RECORDS
from app.plans.user_messages import one_line
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import entries, numbers

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
    preface = "The page has changed since you chose. " if step and step.chosen else ""
    question = Question(
        text="",
        kind="disambiguation",
        source="grounding",
        return_to="grounding/apply_selection",
        options=options[:MOST_OPTIONS],
        further=options[MOST_OPTIONS:],
        multiple=step is not None and _may_be_several(step, nodes),
        about=refinement.about,
    )
    return question.model_copy(update={"text": preface + _text(question)})


def list_options(candidates: Iterable[Candidate], page: Observation) -> tuple[Option, ...]:
    """Return the candidates on the page, numbered in page order, with distinct labels."""
    options, nodes = [], _on(page, candidates)
    for number, (node, text) in enumerate(zip(nodes, _labels(nodes), strict=True), start=1):
        alike = [n.id for n in page.tree if n.signature == node.signature]
        options.append(
            Option(
                id=str(number),
                label=text,
                element_id=node.id,
                element=ElementRef.of(node.signature),
                nth=alike.index(node.id),
                alike=len(alike),
            )
        )
    return tuple(options)


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
    shown_count, count = len(question.options), len(question.options) + len(question.further)
    about = question.about[:_LONGEST_SAID]
    quoted = about if about[:1] in ("'", "“") else f"'{about}'"
    text = f"{count} things here could be meant{f' by {quoted}' if about else ''}"
    text += f"; these are the first {shown_count}. " if count > shown_count else ". "
    text += "Which of them?" if question.multiple else "Which one?"
    if count > shown_count:
        text += " You can also say more words, such as a name or a date."
    if question.multiple:
        every = f"the {shown_count} shown" if count > shown_count else "each of them"
        text += f" Several can be named; “all” means {every}."
    return text


def _labels(nodes: Sequence[Node]) -> list[str]:
    """Return distinct plain-text labels of at most `LONGEST` characters.

    Equal names are told apart by record, then by outermost container, then by page order.
    """
    texts = [_label_with_place(node) for node in nodes]
    twins = Counter(texts)
    texts = [
        _label_with_place(node, outer=True) if twins[text] > 1 else text
        for node, text in zip(nodes, texts, strict=True)
    ]
    twins, occurrences, labels = Counter(texts), Counter[str](), []
    for text in texts:
        occurrences[text] += 1
        order = f", {_nth(occurrences[text])} from the top" if twins[text] > 1 else ""
        labels.append(one_line(text, LONGEST - len(order)) + order)
    return labels


def _label_with_place(node: Node, *, outer: bool = False) -> str:
    """Format 'Delete (row: Jas Patel, 1990)' without repeating words of the place."""
    name = node.name or node.hint or ROLE_WORDS.get(node.role, "control")
    name = one_line(name, LONGEST - _PLACE)
    containers = [(kind, one_line(text)) for kind, text in node.groups if text.strip()]
    records = [one for one in containers if one[0] in RECORDS]
    inner = (records or containers or [("", "")])[-1]
    places = [inner, *(one for one in containers[:1] if outer and one != inner)]
    if inner[1] and len(places) == 1 and words(inner[1]).startswith(words(name)):
        return one_line(inner[1], LONGEST)
    own = f" {words(name)} "
    place_texts = [
        f"{kind}: {text}" for kind, text in places if text and f" {words(text)} " not in own
    ]
    return one_line(f"{name} ({'; '.join(place_texts)})", LONGEST) if place_texts else name


def _nth(number: int) -> str:
    """Format an ordinal: 1st, 2nd, 3rd, 11th."""
    teen = 10 <= number % 100 <= 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


NUMBERS = numbers("choices.numbers")
LAST, FILLERS, WEAK, AND, TO, BOTH, ALL, NONE = (
    frozenset(entries(f"choices.{table}"))
    for table in ("last", "fillers", "weak", "and", "to", "both", "all", "none")
)
EVERY = "all"  # the reserved id
_LIST = patterns.compile(r"[\s,;&+#.]+")
_DASHED = patterns.compile(r"(\d+)\s*[-\u2013\u2014]\s*(\d+)")
_NUMBER_OF_OPTION = 2  # digits; a longer number is part of a label, such as a year
_WITH_AND = "ו"  # noqa: RUF001 - "and", prefixed to the next word in Hebrew


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The parsed answer: `chosen` (with `options`), `none`, or `unfit` (with a `reason`)."""

    outcome: Literal["chosen", "none", "unfit"]
    options: tuple[Option, ...] = ()
    reason: str = ""


def select_options(question: Question, text: str, parts: Sequence[str] = ()) -> Selection:
    """Parse the answer: a text, or a list of `parts` that are ids or words."""
    selections = [_parse_part(question, part) for part in parts or (text,)]
    unusable = next((one for one in selections if one.outcome != "chosen"), None)
    selection = unusable or _selection(
        question, [option for one in selections for option in one.options]
    )
    if selection.outcome == "chosen" and len(selection.options) > 1 and not question.multiple:
        return _unfit_selection("this question takes one choice, and several were named", question)
    return selection


def _parse_part(question: Question, text: str) -> Selection:
    answer = text.strip()
    if answer in {one.id for one in question.options}:
        return _selection(question, [one for one in question.options if one.id == answer])
    reserved = answer.casefold() == EVERY and question.multiple
    if not reserved and (exact := _match_label(question, answer)):
        return _selection(question, exact)
    return (
        _parse_quantifier(question, words(answer))
        or _parse_numbers(question, answer)
        or _parse_words(question, answer)
    )


def _match_label(question: Question, answer: str) -> list[Option]:
    """Return the only option with exactly that label; none if two differ in punctuation alone."""
    options = _all_options(question)
    matches = [option for option in options if answer == option.label]
    matches = matches or [
        option for option in options if words(answer) and words(answer) == words(option.label)
    ]
    return matches if len(matches) == 1 else []


def _parse_quantifier(question: Question, answer: str) -> Selection | None:
    count = len(question.options)
    if answer in NONE:
        return Selection(outcome="none")
    if answer in BOTH and count != 2:
        return _unfit_selection(f"there are {count} to choose from", question)
    return _selection(question, question.options) if answer in ALL | BOTH else None


def _parse_numbers(question: Question, answer: str) -> Selection | None:
    spread = _DASHED.sub(lambda m: f"{m[1]} to {m[2]}", answer)
    tokens = [token for part in _LIST.split(spread) for token in words(part).split()]
    chosen_numbers = [] if answer.startswith("-") else _numbers(tokens, len(question.options))
    options_by_number = {
        int(option.id): option for option in question.options if option.id.isdecimal()
    }
    if chosen_numbers and all(number in options_by_number for number in chosen_numbers):
        return _selection(question, [options_by_number[number] for number in chosen_numbers])
    if not chosen_numbers or any(len(str(number)) > _NUMBER_OF_OPTION for number in chosen_numbers):
        return None
    return _unfit_selection("there is no such number", question)


def _numbers(tokens: Sequence[str], last: int) -> list[int]:
    """Return the numbers in the answer with ranges expanded; empty if it has anything else."""
    firm = any(_number(token, last) is not None and token not in WEAK for token in tokens)
    chosen_numbers: list[int] = []
    last_kind = ""  # "number" after a number, "to" within a range
    for token in tokens:
        number = None if firm and token in WEAK else _number(token, last)
        if number is not None:
            chosen_numbers += (
                range(chosen_numbers[-1] + 1, min(number, last + 1)) if last_kind == "to" else ()
            )
            chosen_numbers.append(number)
            last_kind = "number"
        elif last_kind == "to" or token not in FILLERS | AND | TO:
            return []
        else:
            last_kind = "to" if last_kind == "number" and token in TO else ""
    return chosen_numbers


def _number(token: str, last: int) -> int | None:
    bare = token.removeprefix(_WITH_AND) if token not in NUMBERS else token
    if bare in LAST:
        return last
    return int(bare) if bare.isdecimal() and len(bare) < 10 else NUMBERS.get(bare)


def _parse_words(question: Question, answer: str) -> Selection:
    tokens = [token for token in words(answer).split() if token not in FILLERS - WEAK]
    firm = [token for token in tokens if token not in WEAK] or tokens
    fitting = [
        one for one in _all_options(question) if firm and set(firm) <= set(words(one.label).split())
    ]
    if len(fitting) == 1:
        return _selection(question, fitting)
    return _unfit_selection(
        "that fits several" if fitting else "that is none of them", question, fitting
    )


def _all_options(question: Question) -> tuple[Option, ...]:
    return (*question.options, *question.further)


def _selection(question: Question, candidates: Iterable[Option]) -> Selection:
    ids = {option.id for option in candidates}
    chosen_options = tuple(option for option in _all_options(question) if option.id in ids)
    return Selection(outcome="chosen", options=chosen_options)


def _unfit_selection(why: str, question: Question, fitting: Sequence[Option] = ()) -> Selection:
    listed = "; ".join(f"{one.id}: {one.label}" for one in fitting or question.options)
    return Selection(outcome="unfit", reason=f"{why}; choose one of {listed}")
