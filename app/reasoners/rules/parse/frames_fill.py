"""Verbs that put a value into a control: fill, set, fill in."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import clean_name, pair_of, pairs_of
from app.reasoners.rules.parse.frames_basket import into_basket
from app.reasoners.rules.parse.listed_fields import placed_parts, with_pairs
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.targets import record_target, split_list, target_of
from app.reasoners.rules.parse.verb_table import Entry
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.widgets import boxed

_LONGEST = 80  # tokens; a longer clause is one text to type
_INTO = frozenset(
    {"into", "in", "inside", "to", "on", "as", "for", "under", "onto", "within", "at"}
)
_SURE = frozenset({"into", "as"})


def fill(found: Found, args: Span) -> list[Directive]:
    """As in "type V into T", "enter the T V", "enter T1 V1 and T2 V2 into ..."; [] when no value is said."""
    args = args.trimmed()
    if (cased := _CASED.find(args, 1)) is not None and args[0].literal:
        return _in_letters(found, args, *cased)
    if args.first(lambda token: token.low == "with", 1) and _is_name_first(found, args):
        return fill_in(found, args)
    several = _several(args)
    if several:
        return several
    if found.word == "put" and (added := into_basket(args)):
        return added
    if (given := _given(found, args)) is not None:
        return [given]
    if parts := placed_parts(args):
        return [
            Directive(verb="fill", value=value.text, target=boxed(place)) for value, place in parts
        ]
    head, place, as_name = cut_place(args)
    if as_name and len(place) == 1 and place[0].literal and not head[0].literal:
        return [
            Directive(verb="fill", value=place.text, target=_where(clean_name(head), place[:0]))
        ]
    fields = _pairs(head)
    if len(fields) > 1:
        return [Directive(verb="fill", fields=fields, target=_shared_place(place, as_name))]
    label, value = _label_and_value(head)
    if value is None:
        return _put_into(found, head, place)
    return [Directive(verb="fill", value=value.text, target=_where(label, place))]


def _in_letters(found: Found, args: Span, index: int, length: int) -> list[Directive]:
    """As in "V in capital letters into T": the value as it is to be written."""
    rest = Span(args.source, args.tokens[:index] + args.tokens[index + length :])
    is_lower = any(
        token.low.startswith(("lower", "small")) for token in args[index : index + length]
    )
    return [
        made.model_copy(update={"value": made.value.lower() if is_lower else made.value.upper()})
        if made.value is not None
        else made
        for made in fill(found, rest)
    ]


_CASED = Phrases(
    f"in {every}{kind}{noun}"
    for every in ("", "all ")
    for kind in ("upper case", "uppercase", "upper-case", "capital", "lower case", "lowercase",
                 "lower-case", "small", "caps", "capitals")
    for noun in ("", " letters", " characters")
)  # fmt: skip


def _given(found: Found, args: Span) -> Directive | None:
    """As in "give Tom the admin role": the field said last, of the one it is given to."""
    cut = args.first(lambda token: token.low in {"the", "a", "an"}, 1)
    end = len(args) - 1
    if found.word != "give" or cut is None or end - cut < 2 or cut > 4:
        return None
    if args.low(end) not in lexicon.FIELD_HEADS or not args[0].text[:1].isupper():
        return None
    field = FieldValue(field=args.low(end), value=args[cut + 1 : end].text)
    return Directive(verb="edit", target=record_target(args[:cut]), fields=(field,))


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
        literal = args[index - 1].literal and (index == 1 or args[index - 1].quoted)
        if low in _SURE or (literal and low in _INTO) or _names_place(tail):
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


def fill_in(found: Found, args: Span) -> list[Directive]:
    """As in "fill in T with V", "fill out the form with name Jas, ..."; otherwise as fill."""
    cut = args.first(lambda token: token.low in {"with", "using"} or token.text == ":", 1)
    if cut is None and found.word == "complete":
        return _completed(args)
    if cut is None or args[0].quoted or cut + 1 >= len(args):
        return fill(_NO_VERB, args)
    if pairs := with_pairs(args):
        return [Directive(verb="fill", fields=pairs)]
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
