"""What an answer to "which one?" names: options by their numbers or their words, all of them, or none.

Exact ids come first, so that a number in a label is never taken for that of an option.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.domain.question import Option, Question
from app.engines.risk.lexicon import words
from app.text import patterns
from app.text.languages import entries, numbers

NUMBERS = numbers("choices.numbers")
LAST, FILLERS, WEAK, AND, TO, BOTH, ALL, NONE = (
    frozenset(entries(f"choices.{table}"))
    for table in ("last", "fillers", "weak", "and", "to", "both", "all", "none")
)
EVERY = "all"  # the reserved id
_LIST = patterns.compile(r"[\s,;&+#.]+")
_DASHED = patterns.compile(r"(\d+)\s*[-\u2013\u2014]\s*(\d+)")
_NUMBER_OF_OPTION = 2  # digits: a longer number is part of a label, such as a year
_LEAST_BEGUN = 3  # letters of a word that was not said to its end
_WITH_AND = "ו"  # noqa: RUF001 - "and", written onto the Hebrew word it stands before


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """`chosen`: `options` are meant. `fewer`: the words fit these, of more. `none`: none is meant.
    `unfit`: it cannot be taken, `reason` says why.
    """

    outcome: Literal["chosen", "fewer", "none", "unfit"]
    options: tuple[Option, ...] = ()
    reason: str = ""


def selection(question: Question, text: str, parts: Sequence[str] = ()) -> Selection:
    """What was said, as text or as a list of `parts`, each an id or words of its own."""
    if not parts:
        found = _one(question, text)
    else:
        each = [_one(question, part) for part in parts]
        odd = next((one for one in each if one.outcome != "chosen"), None)
        named = {option.id: option for one in each for option in one.options}
        found = odd or Selection(outcome="chosen", options=_in_order(question, named.values()))
    if found.outcome == "chosen" and len(found.options) > 1 and not question.multiple:
        return _unfit("this question takes one choice, and several were named", question)
    return found


def listing(question: Question) -> str:
    """The options in one line, each with its number."""
    return "; ".join(f"{one.id}: {one.label}" for one in question.options)


def _one(question: Question, text: str) -> Selection:
    said = text.strip()
    reserved = said.casefold() == EVERY and question.multiple
    exact = next((one for one in question.options if said == one.id), None)
    if exact is None and said and not reserved:
        exact = _called(question, said)
    if exact is not None:
        return Selection(outcome="chosen", options=(exact,))
    return _whole(question, words(said)) or _numbered(question, said) or _worded(question, said)


def _called(question: Question, said: str) -> Option | None:
    """The one option with that very label; of two that differ in signs alone, neither."""
    known = _known(question)
    same = [one for one in known if said == one.label]
    same = same or [one for one in known if words(said) and words(said) == words(one.label)]
    return same[0] if len(same) == 1 else None


def _whole(question: Question, said: str) -> Selection | None:
    """All of them, or none."""
    if said in NONE:
        return Selection(outcome="none")
    shown = question.options
    if said in ALL or (said in BOTH and len(shown) == len(("one", "other"))):
        return Selection(outcome="chosen", options=shown)
    if said in BOTH:
        return _unfit(f"there are {len(shown)} to choose from", question)
    return None


def _numbered(question: Question, said: str) -> Selection | None:
    """Options by number; None where something else was said."""
    if said.startswith("-"):
        return None
    spread = _DASHED.sub(lambda m: f"{m[1]} to {m[2]}", said)
    tokens = [token for part in _LIST.split(spread) for token in words(part).split()]
    meant = _numbers(tokens, len(question.options))
    if meant is None:
        return None
    by_number = {int(one.id): one for one in question.options if one.id.isdecimal()}
    if all(number in by_number for number in meant):
        options = _in_order(question, [by_number[number] for number in meant])
        return Selection(outcome="chosen", options=options)
    if any(len(str(number)) > _NUMBER_OF_OPTION for number in meant):
        return None
    return _unfit("there is no such number", question)


def _numbers(tokens: Sequence[str], last: int) -> list[int] | None:
    """The numbers that were said, ranges drawn out; None where anything else was said."""
    firm = any(_number(t, last) is not None and t not in WEAK for t in tokens)
    meant: list[int] = []
    before = ""  # "number" after one, "to" between two
    for token in tokens:
        number = None if firm and token in WEAK else _number(token, last)
        if number is None and (before == "to" or token not in FILLERS | AND | TO):
            return None
        if number is None:
            before = "to" if before == "number" and token in TO else ""
            continue
        if before == "to":
            meant.extend(range(meant[-1] + 1, min(number, last + 1)))
        meant.append(number)
        before = "number"
    return meant or None


def _number(token: str, last: int) -> int | None:
    bare = token.removeprefix(_WITH_AND) if token not in NUMBERS else token
    if bare in LAST:
        return last
    return int(bare) if bare.isdecimal() and len(bare) < 10 else NUMBERS.get(bare)


def _worded(question: Question, said: str) -> Selection:
    """Options by words of their labels: one, or those left to choose from."""
    tokens = [token for token in words(said).split() if token not in FILLERS - WEAK]
    firm = [token for token in tokens if token not in WEAK] or tokens
    known = _known(question)
    fitting = _fitting(known, firm, lambda token, word: token == word) or _fitting(
        known, firm, lambda token, word: len(token) >= _LEAST_BEGUN and word.startswith(token)
    )
    if len(fitting) == 1:
        return Selection(outcome="chosen", options=tuple(fitting))
    if not fitting:
        return _unfit("that is none of them", question)
    if len(fitting) == len(known):
        return _unfit("that fits all of them", question)
    return Selection(outcome="fewer", options=tuple(fitting))


def _fitting(
    known: Sequence[Option], said: Sequence[str], alike: Callable[[str, str], bool]
) -> list[Option]:
    """The options whose labels hold every word."""
    held = [(one, words(one.label).split()) for one in known]
    return [
        one
        for one, label in held
        if said and all(any(alike(token, word) for word in label) for token in said)
    ]


def _known(question: Question) -> tuple[Option, ...]:
    return (*question.options, *question.further)


def _in_order(question: Question, options: Iterable[Option]) -> tuple[Option, ...]:
    ids = {one.id for one in options}
    return tuple(one for one in _known(question) if one.id in ids)


def _unfit(why: str, question: Question) -> Selection:
    return Selection(outcome="unfit", reason=f"{why}; choose one of {listing(question)}")
