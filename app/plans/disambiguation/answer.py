"""Reads an answer to "which one?": numbers, words, all, or none.

Exact ids come first, so that a number in a label is never taken for an option's number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.domain.hitl import Option, Question
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import entries, numbers

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
    each = [_one(question, part) for part in parts or (text,)]
    odd = next((one for one in each if one.outcome != "chosen"), None)
    found = odd or _chosen(question, [option for one in each for option in one.options])
    if found.outcome == "chosen" and len(found.options) > 1 and not question.multiple:
        return _unfit("this question takes one choice, and several were named", question)
    return found


def _one(question: Question, text: str) -> Selection:
    said = text.strip()
    if said in {one.id for one in question.options}:
        return _chosen(question, [one for one in question.options if one.id == said])
    reserved = said.casefold() == EVERY and question.multiple
    if not reserved and (exact := _called(question, said)):
        return _chosen(question, exact)
    return _whole(question, words(said)) or _numbered(question, said) or _worded(question, said)


def _called(question: Question, said: str) -> list[Option]:
    """Return the only option with exactly that label; none if two differ in punctuation alone."""
    known = _known(question)
    same = [one for one in known if said == one.label]
    same = same or [one for one in known if words(said) and words(said) == words(one.label)]
    return same if len(same) == 1 else []


def _whole(question: Question, said: str) -> Selection | None:
    count = len(question.options)
    if said in NONE:
        return Selection(outcome="none")
    if said in BOTH and count != 2:
        return _unfit(f"there are {count} to choose from", question)
    return _chosen(question, question.options) if said in ALL | BOTH else None


def _numbered(question: Question, said: str) -> Selection | None:
    """Select options by number; None if the answer is not a list of numbers."""
    spread = _DASHED.sub(lambda m: f"{m[1]} to {m[2]}", said)
    tokens = [token for part in _LIST.split(spread) for token in words(part).split()]
    meant = [] if said.startswith("-") else _numbers(tokens, len(question.options))
    known = {int(one.id): one for one in question.options if one.id.isdecimal()}
    if meant and all(number in known for number in meant):
        return _chosen(question, [known[number] for number in meant])
    if not meant or any(len(str(number)) > _NUMBER_OF_OPTION for number in meant):
        return None
    return _unfit("there is no such number", question)


def _numbers(tokens: Sequence[str], last: int) -> list[int]:
    """Return the numbers in the answer with ranges expanded; empty if it has anything else."""
    firm = any(_number(token, last) is not None and token not in WEAK for token in tokens)
    meant: list[int] = []
    before = ""  # "number" after a number, "to" within a range
    for token in tokens:
        number = None if firm and token in WEAK else _number(token, last)
        if number is not None:
            meant += range(meant[-1] + 1, min(number, last + 1)) if before == "to" else ()
            meant.append(number)
            before = "number"
        elif before == "to" or token not in FILLERS | AND | TO:
            return []
        else:
            before = "to" if before == "number" and token in TO else ""
    return meant


def _number(token: str, last: int) -> int | None:
    bare = token.removeprefix(_WITH_AND) if token not in NUMBERS else token
    if bare in LAST:
        return last
    return int(bare) if bare.isdecimal() and len(bare) < 10 else NUMBERS.get(bare)


def _worded(question: Question, said: str) -> Selection:
    """Select the only option whose label has the words."""
    tokens = [token for token in words(said).split() if token not in FILLERS - WEAK]
    firm = [token for token in tokens if token not in WEAK] or tokens
    fitting = [
        one for one in _known(question) if firm and set(firm) <= set(words(one.label).split())
    ]
    if len(fitting) == 1:
        return _chosen(question, fitting)
    return _unfit("that fits several" if fitting else "that is none of them", question, fitting)


def _known(question: Question) -> tuple[Option, ...]:
    return (*question.options, *question.further)


def _chosen(question: Question, options: Iterable[Option]) -> Selection:
    """Select the options, without duplicates, in the question's order."""
    ids = {one.id for one in options}
    meant = tuple(one for one in _known(question) if one.id in ids)
    return Selection(outcome="chosen", options=meant)


def _unfit(why: str, question: Question, fitting: Sequence[Option] = ()) -> Selection:
    listed = "; ".join(f"{one.id}: {one.label}" for one in fitting or question.options)
    return Selection(outcome="unfit", reason=f"{why}; choose one of {listed}")
