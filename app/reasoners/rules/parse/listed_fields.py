"""Several values in one clause: "name with Ann, phone with 5", "5 in Quantity and blue in Color"."""

from app.domain.directive import FieldValue
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import field_value, pair_of
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import split_list

_LONGEST = 80  # tokens; a longer clause is one text
_LONGEST_NAME = 5  # words of a field's name
_JOINTS = frozenset({"in", "into", "as"})
_FORMS = lexicon.PLACES | {"fields", "details", "information", "following", "values"}


def with_pairs(args: Span) -> tuple[FieldValue, ...]:
    """The pairs of "FIELD with VALUE, FIELD with VALUE"; () when `args` is no such list."""
    if len(args) > _LONGEST:
        return ()
    parts = split_list(args)
    pairs = [_with(part) for part in parts]
    if len(parts) < 2 or pairs[0] is None or pairs[0][0].low(len(pairs[0][0]) - 1) in _FORMS:
        return ()
    if sum(pair is not None for pair in pairs) == 1 and _is_pair(pairs[0][1]):
        return ()  # "the shipping address with name Ann, city Wien": fields of a place
    made: list[tuple[Span, Span]] = []
    for part, pair in zip(parts, pairs, strict=True):
        found = pair if pair is not None and _names_field(pair) else _plain(part)
        if found is not None:
            made.append(found)
        elif made and not made[-1][1].quoted:  # "Lee, Ann" is one value
            name, value = made[-1]
            made[-1] = (name, Span(value.source, (*value.tokens, *part.tokens)))
        else:
            return ()
    return tuple(field_value(name, value) for name, value in made) if len(made) > 1 else ()


def _is_pair(value: Span) -> bool:
    pair = pair_of(value)
    return pair is not None and pair[0].low(len(pair[0]) - 1) in lexicon.FIELD_HEADS


def _with(part: Span) -> tuple[Span, Span] | None:
    cut = part.first(lambda token: token.low == "with", 1)
    if cut is None or cut > _LONGEST_NAME or cut + 1 >= len(part) or part[0].quoted:
        return None
    return part[:cut], part[cut + 1 :]


def _names_field(pair: tuple[Span, Span]) -> bool:
    """Whether it is a field and its value, and no more of the value before: "treated with aspirin"."""
    name, value = pair
    noun = name.low(len(name) - 1) in lexicon.FIELD_HEADS or name.low(0) in lexicon.ARTICLES
    return noun or value[0].literal or value[0].text[:1].isupper() or name[0].text[:1].isupper()


def _plain(part: Span) -> tuple[Span, Span] | None:
    pair = pair_of(part)
    sure = pair is not None and pair[0].low(len(pair[0]) - 1) in lexicon.FIELD_HEADS | {"company"}
    return pair if sure else None


def placed_parts(args: Span) -> list[tuple[Span, Span]]:
    """(value, place) of each part of "V in P and V in P"; [] when a part has no place of its own."""
    if len(args) > _LONGEST:
        return []
    parts = [_placed(part) for part in split_list(args)]
    whole = [part for part in parts if part is not None]
    joints = {joint for _, _, joint in whole}
    if len(parts) < 2 or len(whole) != len(parts) or len(joints) > 1:
        return []
    certain = "into" in joints or all(_certain(value, place) for value, place, _ in whole)
    return [(value, place) for value, place, _ in whole] if certain else []


def _placed(part: Span) -> tuple[Span, Span, str] | None:
    cut = part.first(lambda token: token.low in _JOINTS, 1)
    if cut is None or cut + 1 >= len(part) or len(part) - cut > _LONGEST_NAME + 1:
        return None
    if part.first(lambda token: token.low in _JOINTS, cut + 1) is not None:
        return None
    return part[:cut], part[cut + 1 :], part.low(cut)


def _certain(value: Span, place: Span) -> bool:
    last = place.low(len(place) - 1)
    noun = last in lexicon.FIELD_HEADS or last in lexicon.ROLES or place.low(0) == "the"
    return noun or value[0].literal or place[0].text[:1].isupper()
