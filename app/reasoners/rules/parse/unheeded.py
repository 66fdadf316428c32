"""What a clause asks that no reading of the rules heeds: arithmetic, "unless", "not from", "over 500".

A clause that is read without such words does something else than was asked, and says "Done".
"""

from app.domain.directive import Directive
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.ordinals import ordinal_word
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.verb_table import Frame
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.wordlist import words
from app.text import patterns

# Frames that act on things which the person describes; the words of others may be text to enter.
_ON_THINGS: frozenset[Frame] = frozenset({"point", "press", "named", "toggle", "select", "record"})
_ASSIGNS: frozenset[Frame] = frozenset({"set", "record"})
_CHANGES_BY = frozenset({"increase", "decrease", "raise", "lower", "reduce"})
_HINGES = Phrases(
    words("unless|until|whenever|as long as|provided|depending on|otherwise|or else|only when")
)
_DENIES = Phrases(
    words(
        "not|neither|nor|no longer|isn't|aren't|doesn't|don't|hasn't|haven't|wasn't|weren't|never"
    )
)
_SHARES = Phrases(
    words(
        "half of|half the|most of|some of|several of|a few of|a third of|a quarter of|every other|"
        "the rest|the others|the remaining|the other ones|any other"
    )
)
_COMPARES = Phrases(
    words(
        "older than|newer than|larger than|smaller than|bigger than|longer than|shorter than|"
        "cheaper than|more expensive than|higher than|lower than|less than|more than|fewer than|"
        "greater than|earlier than|later than|at least|at most|that start|that starts|that begin|"
        "that begins|that end|that ends|that contain|that contains|that cost|that costs|that have|"
        "that has|whose|who have|who has"
    )
)
_EXCEPTIONS = Phrases(lexicon.EXCEPTIONS)
_SURE_EXCEPTIONS = Phrases(phrase for phrase in lexicon.EXCEPTIONS if phrase != ("but",))
_EVERYONE = lexicon.QUANTIFIERS | {
    "everything",
    "everyone",
    "everybody",
    "any",
    "anything",
    "anyone",
}
_PERIODS = Phrases(
    f"{joint} {which} {unit}"
    for joint in ("from", "of", "since", "during")
    for which in ("this", "last", "the last", "the past", "next")
    for unit in ("week", "month", "year", "quarter", "days", "weeks", "months")
)
_BOUNDS = frozenset({"over", "under", "above", "below", "between", "before", "after", "exceeding"})
_CURRENCIES = frozenset("$€£¥")
_AMOUNT = patterns.compile(r"[$€£¥]?\d")
_COMPUTED = patterns.compile(
    r"\b(?:twice|double|triple|half(?: of)?) (?:the|its|that|what|of|as)\b"
    r"|\b\d+(?:\.\d+)?\s?(?:%|percent)? (?:less|more|higher|lower|fewer)\b"
    r"|\b(?:sum|total|average|difference|product|maximum|minimum) of\b"
    r"|\b(?:plus|minus|times) \d"
    r"|^the same\b|^(?:her|his|their|its) \w+",
    patterns.IGNORECASE,
)


def unheeded(found: Found, args: Span, made: list[Directive]) -> str | None:
    """The words, as the person wrote them, that the reading leaves out and nothing here obeys."""
    frame = found.entry.frame
    if frame in _ASSIGNS | {"set"} and (said := _computed(found, args, made)) is not None:
        return said
    if frame not in _ON_THINGS:
        return _from(args, _HINGES) if frame == "set" else None
    for phrases in (_HINGES, _DENIES, _SHARES, _COMPARES, _PERIODS):
        if (said := _from(args, phrases)) is not None:
            return said
    return _bound(args) or _every_nth(args) or _left_out(made) or _unspared(args, made)


def _from(args: Span, phrases: Phrases) -> str | None:
    """From such a phrase on; one with a capital is a label: "Not now"."""
    start = 0
    while (at := phrases.find(args, start)) is not None:
        index, length = at
        if args[index].text.islower():
            return args[index:].text
        start = index + length
    return None


def _computed(found: Found, args: Span, made: list[Directive]) -> str | None:
    """A value that is to be worked out from others: "twice the current value", "by 10%"."""
    if found.word in _CHANGES_BY:
        by = args.first(lambda token: token.low == "by", 1)
        if by is not None:
            return args[by:].text
    values = [d.value for d in made if d.value and d.verb in {"fill", "select"}]
    values += [field.value for d in made for field in d.fields if not field.quoted]
    if args.first(lambda token: token.quoted) is not None:
        return None
    return next((value for value in values if _COMPUTED.search(value)), None)


def _bound(args: Span) -> str | None:
    """As in "under $40": lower-case, and a number after it; "Under $25" is what an option says."""
    for index in range(1, len(args) - 1):
        if args[index].text not in _BOUNDS:
            continue
        last = index + 1 + (args[index + 1].text in _CURRENCIES)
        if last < len(args) and not args[last].quoted and _AMOUNT.match(args[last].text):
            return args[index : last + 1].text
    return None


def _every_nth(args: Span) -> str | None:
    """As in "every second box": not one, and not all."""
    first, nth = args.low(0), ordinal_word(args.low(1))
    return args.text if first in {"every", "each"} and nth not in {None, 1, -1} else None


def _left_out(made: list[Directive]) -> str | None:
    """An exception told by number or place: "all but two boxes", "but the last one"."""
    for directive in made:
        for left in directive.target.excluding if directive.target is not None else ():
            first = left.lower().split()[:1]
            number = bool(first) and (first[0] in lexicon.CARDINALS or first[0].isdecimal())
            counted = number and (first != ["one"] or left.lower() == "one")
            if counted or (first and ordinal_word(first[0]) is not None):
                return f"except {left}"
    return None


def _unspared(args: Span, made: list[Directive]) -> str | None:
    """An exception that no reading holds: what is to be spared would be taken for what is meant."""
    if any(d.target is not None and d.target.excluding for d in made):
        return None
    every = args.first(lambda token: token.low in _EVERYONE)
    return _from(args, _EXCEPTIONS if every is not None else _SURE_EXCEPTIONS)
