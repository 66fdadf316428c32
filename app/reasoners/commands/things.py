"""Reads the parts of a clause: words, things and fields."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lark import Token, Transformer, v_args
from lark.tree import Meta

from app.domain.directive import FieldValue, Target
from app.reasoners.commands.grammar import phrases, word_tables
from app.reasoners.commands.target import (
    NotRead,
    Words,
    read_field,
    read_record,
    read_target,
    split_owner,
    split_pair,
    unread_words,
)
from app.text import patterns

_TIMES = patterns.compile(r"\s*times", patterns.IGNORECASE)

Pair = tuple[Words, Words | None]
with_span = v_args(meta=True, inline=True)


class Qualifier(NamedTuple):
    """A qualifier of a thing: "in the dialog", "except A and B"."""

    kind: str
    names: list[Words]
    span: Meta


@v_args(inline=True)
class Things(Transformer[Token, Any]):
    """Reads words and things from one sentence's tree; one method per grammar rule."""

    def __init__(self, goal: str) -> None:
        super().__init__()
        self._goal = goal

    def name(self, *tokens: Token) -> Words:
        return Words(tokens, self._goal)

    switched = left = entry = field = value = option = query = literal = scope = name
    user = kind = victim = dragged = path = asked = name

    @with_span
    def qualifier(self, span: Meta, joint: Token, *children: Words | Token) -> Qualifier:
        return Qualifier(joint.type, [one for one in children if isinstance(one, Words)], span)

    def thing(self, name: Words, *qualifiers: Qualifier) -> Target:
        return _apply_qualifiers(read_target(name), name, qualifiers)

    def record(self, name: Words, *qualifiers: Qualifier) -> Target:
        return _apply_qualifiers(read_record(name), name, qualifiers, is_record=True)

    def box(self, name: Words, *qualifiers: Qualifier) -> Target:
        return _apply_qualifiers(read_field(name), name, qualifiers)

    @with_span
    def things(self, span: Meta, *listed: Target | Token) -> list[Target]:
        """Return the listed things. Raises `NotRead` for a bare "A and B", which may be one name.

        A qualifier of the last applies to those without a name: "the 2nd and 4th checkboxes".
        """
        made = [one for one in listed if isinstance(one, Target)]
        joints = [str(one) for one in listed if isinstance(one, Token)]
        are_alike = all(one.within for one in made) and len({one.phrase for one in made}) == 1
        if are_one_name(joints) and not are_alike and not all(map(_tells_apart, made)):
            raise unread_span(span)
        return [
            made[-1].model_copy(update={"ordinal": one.ordinal})
            if one.ordinal is not None and one == Target(ordinal=one.ordinal)
            else one
            for one in made
        ]

    records = boxes = things

    def pair(self, name: Words, value: Words | None = None) -> Pair:
        """Return a field and its value, which may share words."""
        return name, value

    def pairs(self, *listed: Pair | Token) -> list[Pair]:
        return [one for one in listed if not isinstance(one, Token)]

    def TIMES(self, token: Token) -> int:
        number = _TIMES.split(token.lower())[0].strip()
        numbers = {**word_tables()["numbers"], **word_tables()["times"]}
        return int(numbers.get(number) or number)


def unread_span(span: Meta) -> NotRead:
    return NotRead(span.start_pos, span.end_pos)


def are_one_name(joints: Sequence[str]) -> bool:
    """Whether the joined words may be one name: "Terms and Conditions", unlike "A, B and C"."""
    return bool(joints) and not all("," in joint for joint in joints[: max(1, len(joints) - 1)])


def _tells_apart(target: Target) -> bool:
    return target.quoted or target.ordinal is not None or bool(target.role and not target.phrase)


def _apply_qualifiers(
    target: Target, name: Words, qualifiers: Sequence[Qualifier], *, is_record: bool = False
) -> Target:
    for one in qualifiers:
        first = one.names[0]
        if target.excluding:
            raise unread_span(one.span)
        if one.kind == "NEAR":
            target = target.model_copy(update={"near": read_container(first)})
        elif one.kind == "EXCEPT":
            others = tuple(other.without_article().as_name().text for other in one.names)
            target = target.model_copy(update={"excluding": others})
        elif one.kind == "NAMED" and target.phrase and target.role is None:
            target = target.model_copy(update={"within": first.as_name().text})
        elif one.kind == "NAMED":
            label = {"phrase": first.as_name().text, "quoted": first.quoted}
            target = target.model_copy(update=label)
        elif target.within is None:
            target = target.model_copy(update={"within": read_container(first)})
        elif is_record:
            target = Target(phrase=target.within, within=read_container(first))
        else:
            raise unread_span(one.span)
    if target.excluding and not target.all:
        raise unread_words(name.tokens)
    return target


def read_container(container: Words) -> str:
    """Return the name or kind of a container or record: "dialog", "Jas", "row 3"."""
    target = read_record(container)
    if target.all:
        raise unread_words(container.tokens)
    if target.within is not None:
        is_number = not any(char.isalpha() for char in target.within)
        return f"{target.phrase} {target.within}".strip() if is_number else target.within
    noun = target.phrase or container.without_article().lowered[-1]
    is_numbered = target.ordinal is not None and str(target.ordinal) not in noun
    return f"{noun} {target.ordinal}" if is_numbered else noun


def read_requested(requested: Words) -> Target:
    """Read the requested text: "the phone of Jas" is a phone at Jas."""
    if requested.lowered[0] in phrases("indefinite"):
        raise unread_words(requested.tokens)
    at = max((i for i, one in enumerate(requested.lowered) if one in {"of", "for"}), default=0)
    if not 0 < at < len(requested) - 1:
        return read_target(requested)
    within = {"within": read_container(requested[at + 1 :])}
    return read_target(requested[:at]).model_copy(update=within)


def field_value(name: Words | str, value: Words) -> FieldValue:
    """Return the field, without "the" and "field", with its value."""
    label = name if isinstance(name, str) else read_field(name).phrase
    return FieldValue(field=label, value=value.as_value().text, quoted=value.quoted)


def field_values(pairs: Sequence[Pair]) -> tuple[FieldValue, ...]:
    split = (split_pair(name) if value is None else (name, value) for name, value in pairs)
    return tuple(field_value(*one) for one in split)


def split_possessor(name: Words) -> tuple[Target | None, Words]:
    """Split the record from the field: "phone of Jas", "status of order 7", "Jas's phone".

    In "date of birth" there is no record, since a record's name begins with a capital, a digit or
    quotes.
    """
    for at, word in enumerate(name.lowered[:-1]):
        if word == "from":
            raise unread_words(name.tokens[at:])
        if word == "of" and at and not name.tokens[0][:1].isupper():
            record = read_record(name[at + 1 :])
            begins = name[at + 1 :].without_article()
            if record.within is not None or record.ordinal is not None:
                return record, name[:at]
            if len(begins) < len(name) - at - 1:
                raise unread_words(name.tokens[at:])
            if begins.quoted or not begins.tokens[0][:1].islower():
                return Target(within=record.phrase), name[:at]
    if (found := split_owner(name)) is not None:
        return Target(within=found[0]), found[1]
    return None, name
