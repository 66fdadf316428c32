"""Verbs that give a thing a value: set, change, make, reset, replace."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import pair_of, pairs_of
from app.reasoners.rules.parse.frames_drag import drag
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import record_target, target_of
from app.reasoners.rules.parse.verbs import Found
from app.text import patterns


def set_to(found: Found, args: Span) -> list[Directive]:
    """As in "set T to V", "change T from A to V", "set V as T"; with "of Jas" it is an edit."""
    switched = _switched(args)
    if switched:
        return switched
    if found.word == "replace":
        return _replace(args)
    to = args.first(lambda token: token.low in {"to", "="} or token.text in {"=", ":"}, 1)
    if to is not None and (several := _several(args, to)) is not None:
        return [several]
    if found.word == "move" and (to is None or not _settable(args, to)):
        return drag(found, args)
    if to is not None and (each := _one_each(args[:to], args[to + 1 :])):
        return each
    if to is not None and to + 1 < len(args):
        return [_assigned(_without_old(args[:to]), args[to + 1 :])]
    cut = args.first(lambda token: token.low == "as", 1)
    if cut is not None and cut + 1 < len(args):
        left, right = args[:cut], args[cut + 1 :]
        swap = left[0].literal or right.low(0) in lexicon.ARTICLES
        return [_assigned(right, left) if swap else _assigned(left, right)]
    return _without_joint(found, args)


def _several(args: Span, to: int) -> Directive | None:
    """As in "set A to x and B to y"; of "the status of ticket 7 to x and its date to y" an edit."""
    fields = pairs_of(_without_old(args))
    if len(fields) < 2 or not all(pair.field for pair in fields):
        return None
    whole = target_of(args[:to])
    if whole.within and whole.phrase and whole.role is None:
        own = fields[0].model_copy(update={"field": whole.phrase})
        return Directive(verb="edit", target=_record_in(args[:to]), fields=(own, *fields[1:]))
    return Directive(verb="fill", fields=fields)


def _one_each(names: Span, values: Span) -> list[Directive]:
    """As in "set the sliders to 3, 7 and 9": the first to 3, the second to 7, the third to 9."""
    target = target_of(names)
    numbers = _NUMBER.findall(values.text)
    several = target.role is not None and names.low(len(names) - 1).endswith("s")
    if not several or target.ordinal or len(numbers) < 2 or not _NUMBERS.fullmatch(values.text):
        return []
    return [
        Directive(verb="fill", target=target.model_copy(update={"ordinal": at}), value=number)
        for at, number in enumerate(numbers, start=1)
    ]


_NUMBER = patterns.compile(r"[-+]?\d+(?:\.\d+)?")
_NUMBERS = patterns.compile(
    r"(?:the )?(?:values?|numbers?|combination|settings?)?[\s:\[(]*"
    r"[-+]?\d+(?:\.\d+)?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+)[-+]?\d+(?:\.\d+)?)+[\])]*",
    patterns.IGNORECASE,
)


def _without_joint(found: Found, args: Span) -> list[Directive]:
    """As in "make X high priority", "reset the password for Ann", "set volume 5"."""
    made = _field_last(found, args) or _of_record(found, args) or _become(found, args)
    if made is not None:
        return [made]
    pair = pair_of(args)
    return [_assigned(*pair)] if pair is not None and pair[1][0].literal else []


def _become(found: Found, args: Span) -> Directive | None:
    """As in "make Ann an admin", "make my profile private"."""
    article = args.first(lambda token: token.low in {"a", "an"}, 1)
    if found.word != "make" or len(args) < 2:
        return None
    if article and article + 1 < len(args) and args[0].text[:1].isupper():
        role = FieldValue(field="role", value=args[article + 1 :].text)
        return Directive(verb="edit", target=record_target(args[:article]), fields=(role,))
    if args.low(len(args) - 1) in _LEVELS:
        return Directive(verb="fill", target=target_of(args[:-1]), value=args[-1:].text)
    return None


_LEVELS = frozenset({"high", "higher", "highest", "low", "lower", "lowest", "medium", "normal", "urgent",
                     "top", "critical", "public", "private", "hidden", "visible"})  # fmt: skip


def _field_last(found: Found, args: Span) -> Directive | None:
    """As in "make the ticket high priority", "make 'X' high-priority": the value before its field."""
    end = len(args)
    if found.word not in {"make", "set", "mark"} or end < 3:
        return None
    if args.low(end - 1) not in lexicon.FIELD_HEADS or args.low(end - 2) not in _LEVELS:
        return None
    field = FieldValue(field=args.low(end - 1), value=args[end - 2].text)
    return Directive(verb="edit", target=record_target(args[: end - 2]), fields=(field,))


def _of_record(found: Found, args: Span) -> Directive | None:
    """As in "reset the password for user Ann": a control called by the verb and the thing."""
    if found.word not in {"reset", "replace", "change"} or any(token.quoted for token in args[:1]):
        return None
    cut = args.first(lambda token: token.low in {"for", "of"}, 1)
    whole = target_of(args if cut is None else args[:cut])
    thing = whole.phrase
    if not thing or found.word != "reset":
        return None
    within = None if cut is None or cut + 1 >= len(args) else record_target(args[cut + 1 :])
    record = (within.within or within.phrase) if within is not None else whole.within
    return Directive(verb="click", target=Target(phrase=f"Reset {thing}", within=record))


def _settable(args: Span, to: int) -> bool:
    """A slider, or anything moved to a number, is set; other things are dragged."""
    number = to + 1 < len(args) and args[to + 1].kind == "number"
    return number or target_of(args[:to]).role == "range"


def _assigned(name: Span, value: Span) -> Directive:
    target, value = target_of(name), value.trimmed()
    if target.within and target.role is None and target.phrase:
        field = FieldValue(field=target.phrase, value=value.text, quoted=value.quoted)
        record = _record_in(name)
        return Directive(verb="edit", target=record, fields=(field,))
    if not (target.phrase or target.role or target.ordinal):
        target = target.model_copy(update={"phrase": name.text})
    return Directive(verb="fill", target=target, value=value.text)


def _record_in(name: Span) -> Target:
    """The record of "the phone of the patient Jas": phrase patient, within Jas."""
    cut = name.first(lambda token: token.low in {"of", "for", "in", "on"}, 1)
    if cut is None:
        return Target(within=target_of(name).within)
    return record_target(name[cut + 1 :])


def _switched(args: Span) -> list[Directive]:
    last = args.low(len(args) - 1)
    if last not in {"on", "off"} or len(args) < 2:
        return []
    rest = args[:-1]
    if rest.low(len(rest) - 1) == "to":
        rest = rest[:-1]
    return [Directive(verb="check" if last == "on" else "uncheck", target=target_of(rest))]


def _without_old(args: Span) -> Span:
    """As in "from A" of "change T from A to V" is no part of T or V."""
    start = args.first(lambda token: token.low == "from", 1)
    if start is None:
        return args
    end = args.first(lambda token: token.low == "to", start)
    tail = () if end is None else args.tokens[end:]
    return Span(args.source, args.tokens[:start] + tail)


def _replace(args: Span) -> list[Directive]:
    cut = args.first(lambda token: token.low in {"with", "by"}, 1)
    if cut is None or cut + 1 >= len(args):
        return []
    value = args[cut + 1 :].trimmed()
    return [Directive(verb="fill", target=target_of(args[:cut]), value=value.text)]
