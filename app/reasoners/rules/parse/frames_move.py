"""Scroll, navigate, wait, verify, read."""

from app.domain.directive import Directive, Target, Verb
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.frames_point import is_address, take_times
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.verbs import Found

_WAYS = {"up": "up", "upward": "up", "upwards": "up", "down": "down", "downward": "down",
         "downwards": "down", "left": "left", "right": "right", "top": "top", "start": "top",
         "beginning": "top", "bottom": "bottom", "end": "bottom"}  # fmt: skip
_FILLER = lexicon.ARTICLES | {"to", "of", "all", "way", "in", "page", "very", "a", "bit", "little",
                              "on", "until", "towards", "inside", "into", "more", "view",
                              "you", "see", "find", "within", "screen", "website", "text"}  # fmt: skip
_MILLISECONDS = {"ms": 1, "millisecond": 1, "milliseconds": 1, "s": 1000, "sec": 1000, "secs": 1000,
                 "second": 1000, "seconds": 1000, "minute": 60_000, "minutes": 60_000, "min": 60_000,
                 "mins": 60_000, "moment": 1000}  # fmt: skip
_WAIT_LIMIT_MS = 600_000


def scroll(found: Found, args: Span) -> list[Directive]:
    """A direction, and what is scrolled; "scroll to X" and "scroll until you see X" find X."""
    args, times = take_times(args)
    way = next((_WAYS[token.low] for token in args if token.low in _WAYS), None)
    rest = [i for i, token in enumerate(args) if token.low not in _FILLER | _WAYS.keys()]
    if not rest:
        return [Directive(verb="scroll", value=way or "down", times=times)]
    seek = {"to", "until", "see", "find", "view"}
    named = args[rest[0] : rest[-1] + 1]
    if way in {None, "up", "down"} and any(token.low in seek for token in args[: rest[0]]):
        return [Directive(verb="find", target=target_of(named))]
    return [Directive(verb="scroll", value=way or "down", target=target_of(named), times=times)]


def navigate(found: Found, args: Span) -> list[Directive]:
    """To an address, else to a place on the page."""
    if args.low(0) == "more":
        return [Directive(verb="click", target=Target(phrase=f"{found.word} {args.text}"))]
    address = args.first(is_address)
    if address is not None:
        return [Directive(verb="navigate", value=args[address].text)]
    return [Directive(verb="open", target=target_of(args))] if len(args) else []


def wait(found: Found, args: Span) -> list[Directive]:
    """Milliseconds, or the thing to wait for."""
    for index, token in enumerate(args):
        unit = args.low(index + 1)
        number = _amount(token.low)
        if number is None:
            continue
        digits = token.low.rstrip("abcdefghijklmnopqrstuvwxyz")
        unit = token.low[len(digits) :] if len(digits) < len(token.low) and digits else unit
        value = min(int(number * _MILLISECONDS.get(unit, 1000)), _WAIT_LIMIT_MS)
        return [Directive(verb="wait", value=str(value))]
    if args.low(len(args) - 1) in _MILLISECONDS or not len(args):
        return [Directive(verb="wait", value="1000")]
    return [Directive(verb="wait", target=_awaited(args))]


def _amount(word: str) -> float | None:
    if word in lexicon.CARDINALS:
        return lexicon.CARDINALS[word]
    digits = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    try:
        return float(digits) if digits and digits[0].isdecimal() and len(digits) < 8 else None
    except ValueError:
        return None


def _awaited(args: Span) -> Target:
    ends = {
        "to",
        "is",
        "appears",
        "loads",
        "has",
        "opens",
        "shows",
        "finishes",
        "are",
        "disappears",
    }
    cut = args.first(lambda token: token.low in ends, 1)
    return target_of(args if cut is None else args[:cut])


def verify(found: Found, args: Span) -> list[Directive]:
    """What must be seen on the page: the quoted text if there is one, else the words."""
    quoted = [token for token in args if token.quoted]
    value = quoted[0].text if len(quoted) == 1 else args.text
    return [Directive(verb="verify", value=value)] if value else []


def sort(found: Found, args: Span) -> list[Directive]:
    """As in "sort the users by email": what they are sorted by, its direction left in the clause."""
    cut = args.first(lambda token: token.low == "by", 0)
    if cut is None and found.length == 2:  # "order by", "arrange by"
        cut = -1
    if cut is None or cut + 1 >= len(args):
        return []
    key = args[cut + 1 :].trimmed()
    end = key.first(lambda token: token.low in _DIRECTIONS or token.text in {",", "("}, 1)
    name = (key if end is None else key[:end]).trimmed()
    while len(name) > 1 and name.low(0) in lexicon.ARTICLES:
        name = name[1:]
    return [Directive(verb="do", value=key.text, target=Target(phrase=name.text))]


_DIRECTIONS = frozenset({"ascending", "descending", "from", "asc", "desc", "in", "high",
                         "low", "newest", "oldest", "a-z", "z-a", "reversed", "reverse"})  # fmt: skip


def read(found: Found, args: Span) -> list[Directive]:
    """A request for an answer; `value` is completed with the whole question by the caller."""
    verb: Verb = "read"
    if len(args) == 1 and args.low(0) in {"more", "less"}:  # what many such links are called
        return [Directive(verb="click", target=Target(phrase=f"{found.word} {args.text}"))]
    asked = {"me", "us", "what", "is", "are", "out", "the", "which", "whether", "if", "how", "many"}
    start = 0
    while start < len(args) and args.low(start) in asked:
        start += 1
    end = len(args)
    while end > start and args.low(end - 1) in {"is", "are", "has", "have"}:
        end -= 1
    target = target_of(args[start:end]) if start < end else None
    return [Directive(verb=verb, value=args.text, target=target)]
