"""How often the person asked for the same thing."""

from dataclasses import dataclass

from app.domain.directive import Directive, Instruction
from app.domain.plan import Plan
from app.text import patterns

MOST_ALIKE = 20  # things of one name that "all" may mean; a list that goes on has pages
MOST_TIMES = 50  # DESIGN, "Loops": as many steps as a task may take; a larger number is a value
_NUMBER = patterns.compile(r"(?<![\w.,:/-])(\d{1,3})(?:st|nd|rd|th)?(?![\w:/-]|[.,]\d)")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMED = {word: number for number, word in enumerate(_WORDS, start=2)}
_ALL = patterns.compile(
    r"\b(all|every|each|until|last|any|whole|entire|empty|clear|through)\b", patterns.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`times`: how often one action may be done over; `pages`: how many may be turned, None for the
    bound there is. `own`: the steps are the person's own, each of them meant.
    """

    times: int = 1
    pages: int | None = None
    own: bool = True


def asked_for(plan: Plan, instruction: Instruction | None, said: str) -> Asked:
    """What the current step, as the person said it, is to do over and over.

    A step that rules read says so itself. Of one that a model worded, the numbers in it tell, and
    the person's words: whoever wants seven of something may press "+" seven times.
    """
    step = plan.step
    own = plan.maker != "model"
    read = tuple(instruction.directives) if instruction is not None else ()
    directive = step.directive if step is not None else None
    times = _times(directive) if directive is not None else 1
    if read and instruction is not None and instruction.text != said:  # of a part of the goal
        said = f"{said} {instruction.text}"
    if not own:
        counted = max(_numbers(step.description), default=1) if step is not None else 1
        times = max(times, counted, _said(said), *map(_times, read))
    ordered = (directive,) if own and directive is not None else read
    return Asked(times=times, pages=_pages(said, ordered, times), own=own)


def _times(directive: Directive) -> int:
    each = directive.target is not None and directive.target.all
    return MOST_ALIKE if each else directive.times


def _said(words: str) -> int:
    """The largest number in the words that may be a count; all of something is many."""
    return max([*_numbers(words), MOST_ALIKE if _ALL.search(words) else 1])


def _numbers(words: str) -> list[int]:
    numbers = [int(found) for found in _NUMBER.findall(words)]
    numbers += [
        number
        for word, number in _NAMED.items()
        if patterns.search(rf"\b{word}\b", words, patterns.IGNORECASE)
    ]
    return [number for number in numbers if 0 < number <= MOST_TIMES]


def _pages(words: str, read: tuple[Directive, ...], times: int) -> int | None:
    """How many pages may be turned: to the end, to the one that was named, or as is bounded."""
    targets = [one.target for one in read if one.target is not None]
    if _ALL.search(words) or any(target.all or target.ordinal for target in targets):
        return MOST_TIMES
    named = max(times, _said(words))
    return named if named > 1 else None
