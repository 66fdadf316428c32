"""How many of several things are meant: "7 posts", "three of the boxes", "all 5", "on the last two"."""

from collections.abc import Callable

from app.domain.directive import Directive, Several, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.verb_table import Frame
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.wordlist import words

_FRAMES: frozenset[Frame] = frozenset({"point", "press", "named", "toggle", "select", "record"})
_VERBS = frozenset({"click", "open", "close", "check", "uncheck", "select", "delete"})
_MOST = 99  # things; a greater number is part of a name
# What a number may follow and still say how many; after a noun it is part of a name: "row 3".
_BEFORE = frozenset(
    words("on|for|in|of|from|to|any|all|these|those|the|my|exactly|only|just|both|other|at least")
)
_PLACES = {"first": 1, "top": 1, "last": -1, "bottom": -1}
_KINDS = frozenset({"more", "other", "different", "random"})
_MEASURES = frozenset(
    words(
        "times|days|weeks|months|years|hours|minutes|seconds|nights|stars|points|pixels|percents|"
        "degrees|cents|euros|dollars|pounds|characters|letters|pages|copies"
    )
)
_PLURALS = frozenset({"people", "children", "men", "women"})
_ENDS = Phrases(lexicon.WITHIN)
_LONGEST = 4  # words of the kind of thing

Read = Callable[[Found, Span], list[Directive]]


def counted(found: Found, args: Span, read: Read) -> Several | None:
    """The number of things that `args` ask for, and the things as they are read without it."""
    if found.entry.frame not in _FRAMES or found.entry.verb not in _VERBS:
        return None
    for index in range(len(args)):
        if number := _number(args, index):
            noun, end = _kind(args, index + 1)
            if not noun or not _may_count(args, index):
                continue
            place = _PLACES.get(args.low(index - 1), 1)
            start = index - (args.low(index - 1) in _PLACES)
            rest = Span(args.source, args.tokens[:start] + args.tokens[noun:])
            thing = _thing(read(found, rest))
            if thing is None:
                return None
            said = args[index:end].text
            exact = args.low(index - 1) in lexicon.QUANTIFIERS
            return Several(target=thing, count=number * place, words=said, exact=exact)
    return None


def _number(args: Span, index: int) -> int:
    token = args[index]
    if token.quoted:
        return 0
    number = lexicon.CARDINALS.get(token.low) or (int(token.low) if token.low.isdecimal() else 0)
    return number if 1 < number <= _MOST else 0


def _may_count(args: Span, index: int) -> bool:
    before = args.low(index - 1)
    if before in _PLACES:  # in front, each is told by its place already (`counted_off`)
        return index > 2
    return index == 0 or before in _BEFORE


def _kind(args: Span, index: int) -> tuple[int, int]:
    """Where the kind of thing begins and ends; (0, 0) where no plural follows."""
    if args.low(index) == "of":
        index += 1
    start = index
    while args.low(index) in lexicon.ARTICLES | _KINDS:
        index += 1
        start = index
    for end in range(start, min(start + _LONGEST, len(args))):
        if args[end].quoted or _ENDS.at(args, end) or args[end].kind != "word":
            break
        if _plural(args.low(end)) and not _plural(args.low(end + 1)):
            return (0, 0) if args.low(end) in _MEASURES else (start, end + 1)
    return 0, 0


def _plural(word: str) -> bool:
    return word in _PLURALS or (len(word) > 3 and word[-1] == "s" and word[-2] not in "su")


def _thing(made: list[Directive]) -> Target | None:
    if len(made) != 1:
        return None
    directive = made[0]
    target = directive.target or (Target(phrase=directive.value) if directive.value else None)
    if target is None or target.ordinal is not None:
        return None
    return target.model_copy(update={"all": True})
