"""Verbs that put a value into a control: fill, set, fill in."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import clean_name, pair_of, pairs_of
from app.reasoners.rules.parse.frames_move import drag
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import boxed, record_target, split_list, target_of
from app.reasoners.rules.parse.verb_table import Entry
from app.reasoners.rules.parse.verbs import Found

_LONGEST = 80  # tokens; a longer clause is one text to type
_INTO = frozenset(
    {"into", "in", "inside", "to", "on", "as", "for", "under", "onto", "within", "at"}
)
_SURE = frozenset({"into", "as"})


def fill(found: Found, args: Span) -> list[Directive]:
    """As in "type V into T", "enter the T V", "enter T1 V1 and T2 V2 into ..."; [] when no value is said."""
    args = args.trimmed()
    if args.first(lambda token: token.low == "with", 1) and _is_name_first(found, args):
        return fill_in(found, args)
    several = _several(args)
    if several:
        return several
    head, place, as_name = cut_place(args)
    fields = _pairs(head)
    if len(fields) > 1:
        return [Directive(verb="fill", fields=fields, target=_shared_place(place, as_name))]
    label, value = _label_and_value(head)
    if value is None:
        return _put_into(found, head, place)
    return [Directive(verb="fill", value=value.text, target=_where(label, place))]


def _put_into(found: Found, head: Span, place: Span) -> list[Directive]:
    """As in "put the lamp and the bottle into the cart": things that go to a place, no text."""
    if found.word != "put" or not len(place) or target_of(place).role is not None:
        return []
    things = [target_of(item) for item in split_list(head)]
    where = target_of(place)
    return [Directive(verb="create", target=thing, destination=where) for thing in things]


def _is_name_first(found: Found, args: Span) -> bool:
    return found.word in {"fill", "populate", "complete"} and not args[0].literal


def _several(args: Span) -> list[Directive]:
    """As in "A in X and B in Y": each part a value with its place."""
    if len(args) > _LONGEST:
        return []
    parts = [args]
    for index in range(1, len(args) - 1):
        if args.low(index) in {"and", ","} or args[index].text == ",":
            start = parts[-1]
            offset = index - (len(args) - len(start))
            if offset > 0 and start[offset + 1].literal and len(cut_place(start[:offset])[1]):
                parts[-1:] = [start[:offset], start[offset + 1 :]]
        if len(parts) > 20:
            break
    if len(parts) < 2 or not all(len(cut_place(part)[1]) for part in parts):
        return []
    return [directive for part in parts for directive in fill(_NO_VERB, part)]


def cut_place(args: Span) -> tuple[Span, Span, bool]:
    """(what is put, where, whether "as" joined them); the last joint that names a place wins."""
    for index in range(len(args) - 2, 0, -1):
        low = args.low(index)
        if low not in _INTO:
            continue
        tail = args[index + 1 :]
        if low in _SURE or args[index - 1].quoted or _names_place(tail):
            start = _earlier(args, index)
            return args[:start].trimmed(), args[start + 1 :], low == "as"
    return args, args[:0], False


def _earlier(args: Span, index: int) -> int:
    """As in "into the name field in the dialog" begins at "into", not at the last "in"."""
    for before in range(1, index):
        joint = args.low(before)
        follows_value = args[before - 1].quoted
        if joint in _SURE or (
            joint in _INTO and (follows_value or _names_place(args[before + 1 : index]))
        ):
            return before
    return index


def _names_place(tail: Span) -> bool:
    last = tail.low(len(tail) - 1)
    known = last in lexicon.ROLES or last in lexicon.PLACES or last in lexicon.FIELD_HEADS
    return known or (tail.low(0) in {"the", "both", "all", "each", "every"} and len(tail) > 1)


def _pairs(head: Span) -> tuple[FieldValue, ...]:
    """Pairs that are surely ones: each name ends in a field noun, or its value is literal."""
    found = pairs_of(head)
    explicit = head.first(lambda token: token.text in {":", "="} or token.quoted) is not None
    if len(found) > 1 and (explicit or all(_sure(pair) for pair in found)):
        return found
    return ()


def _sure(pair: FieldValue) -> bool:
    words = pair.field.lower().split()
    return bool(words) and words[-1] in lexicon.FIELD_HEADS


def _label_and_value(head: Span) -> tuple[Span, Span | None]:
    """("password", "x") of `the password "x"`; a value of None when none was said."""
    head = head.trimmed()
    if not len(head) or head.low(0) in lexicon.PRONOUNS:
        return head, None
    if head[0].quoted:
        return head[:0], head[:1]
    quoted = head.first(lambda token: token.quoted)
    if quoted is not None:
        return _label(head[:quoted]), head[quoted : quoted + 1]
    pair = pair_of(head)
    if pair is not None and (_labels(pair[0], head) or _colon(head)):
        return _label(pair[0]), pair[1]
    if head.low(0) in lexicon.ARTICLES and not head[0].text.isupper():
        return head, None
    return head[:0], head


def _colon(head: Span) -> bool:
    return head.first(lambda token: token.text in {":", "="}) is not None


def _labels(name: Span, head: Span) -> bool:
    last = name.low(len(name) - 1)
    if head.low(0) in lexicon.ARTICLES and last in lexicon.VALUE_NOUNS:
        return True
    return last in lexicon.FIELD_HEADS


def _label(span: Span) -> Span:
    """The field a value was introduced with; "the text", "the number" name none."""
    naming = lexicon.NAMING | {"of", "with", "text", "that", "says", "is", "following", "as", ":"}
    label = clean_name(span)
    while len(label) and (label.low(len(label) - 1) in naming or label[-1].kind == "mark"):
        label = label[:-1]
    if len(label) and all(token.low in lexicon.VALUE_NOUNS for token in label):
        return label[:0]
    return label


def _where(label: Span, place: Span) -> Target | None:
    if not len(place):
        return (
            target_of(label).model_copy(update={"role": target_of(label).role})
            if len(label)
            else None
        )
    target = boxed(place)
    if len(label) and not target.phrase and target.ordinal is None:
        return target.model_copy(update={"phrase": clean_name(label).text})
    return target


def _shared_place(place: Span, as_name: bool) -> Target | None:
    if not len(place) or as_name:
        return None
    target = target_of(place)
    plain = not target.phrase and target.within is None
    return None if plain else target


def set_to(found: Found, args: Span) -> list[Directive]:
    """As in "set T to V", "change T from A to V", "set V as T"; with "of Jas" it is an edit."""
    switched = _switched(args)
    if switched:
        return switched
    fields = pairs_of(_without_old(args))
    if found.word == "replace":
        return _replace(args)
    to = args.first(lambda token: token.low in {"to", "="} or token.text in {"=", ":"}, 1)
    if len(fields) > 1 and all(pair.field for pair in fields) and to is not None:
        return [Directive(verb="fill", fields=fields)]
    if found.word == "move" and to is not None and not _settable(args, to):
        return drag(found, args)
    if to is not None and to + 1 < len(args):
        return [_assigned(_without_old(args[:to]), args[to + 1 :])]
    cut = args.first(lambda token: token.low == "as", 1)
    if cut is not None and cut + 1 < len(args):
        left, right = args[:cut], args[cut + 1 :]
        swap = left[0].literal or right.low(0) in lexicon.ARTICLES
        return [_assigned(right, left) if swap else _assigned(left, right)]
    if (given := _field_last(found, args)) is not None:
        return [given]
    if (on_record := _of_record(found, args)) is not None:
        return [on_record]
    pair = pair_of(args)
    return [_assigned(*pair)] if pair is not None and pair[1][0].literal else []


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
    thing = target_of(args if cut is None else args[:cut]).phrase
    if not thing or found.word != "reset":
        return None
    within = None if cut is None or cut + 1 >= len(args) else record_target(args[cut + 1 :])
    record = (within.within or within.phrase) if within is not None else None
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


def fill_in(found: Found, args: Span) -> list[Directive]:
    """As in "fill in T with V", "fill out the form with name Jas, ..."; otherwise as fill."""
    cut = args.first(lambda token: token.low in {"with", "using"} or token.text == ":", 1)
    if cut is None and found.word == "complete":
        return _completed(args)
    if cut is None or args[0].quoted or cut + 1 >= len(args):
        return fill(_NO_VERB, args)
    left, right = args[:cut].trimmed(), args[cut + 1 :].trimmed()
    if args[cut].text == ":" and left.low(len(left) - 1) not in lexicon.PLACES | {"fields"}:
        return fill(_NO_VERB, args)
    place = target_of(left)
    fields = () if right.quoted else pairs_of(right)
    form = left.low(len(left) - 1) in lexicon.PLACES | {"fields", "details", "information"}
    if fields and (form or len(fields) > 1):
        bare_form = place.phrase.lower() in {"form", "fields", "details", "information", ""}
        return [Directive(verb="fill", fields=fields, target=None if bare_form else place)]
    return [Directive(verb="fill", value=right.text, target=place)]


def _completed(args: Span) -> list[Directive]:
    """As in "complete the task": ticked off, unless it is a form or says a value."""
    last = args.low(len(args) - 1)
    form = last in lexicon.PLACES | {"fields", "details", "information", "purchase", "checkout"}
    said = args.first(lambda token: token.text in {":", "="}) is not None
    if form or (said and pairs_of(args)):
        return fill(_NO_VERB, args)
    return [Directive(verb="check", target=target_of(args))]


_NO_VERB = Found(Entry("fill", "fill"), "", 0)
