# ruff: noqa: RUF001 (typographic marks are what is looked for)
"""Field-value pairs: "name Jas, phone 555 and sex female", "name: Jas", {"name": "Jas"}."""

from app.domain.directive import FieldValue
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.tokens import Token

_EQUALS = frozenset({":", "=", "：", "->", "→", "=>"})
_COPULAS = frozenset({"is", "as", "to", "equals", "of", "being", "set", "equal", "should", "be"})
_JOINTS = frozenset(
    {",", ";", "and", "&", "plus", "，", "with", "{", "}", "[", "]", "、", "(", ")"}
)
_FRONT = lexicon.ARTICLES | {
    "new",
    "following",
    "fields",
    "details",
    "and",
    "with",
    "a",
    "whose",
    "for",
    "its",
}
_IMPLIED = {
    "say": "",
    "saying": "",
    "born": "date of birth",
    "aged": "age",
    "priced": "price",
    "costing": "price",
}
_LONGEST = 80  # tokens; a longer part is prose
_ROLE_TAIL = frozenset({"field", "box", "textbox", "input", "dropdown", "fields"})


def pairs_of(span: Span) -> tuple[FieldValue, ...]:
    """The pairs in `span`, in order; empty when it holds none.

    A part without a name of its own continues the value before it, if that was unquoted.
    """
    found: list[tuple[Span, Span]] = []
    for part in _parts(span):
        pair = pair_of(part)
        if pair is not None:
            found.append(pair)
        elif found and not found[-1][1].quoted and _follows(found[-1][1], part):
            name, value = found[-1]
            found[-1] = (name, _joined(value, part))
        elif found:
            found.append((part[:0], part))
        else:
            return ()
    return tuple(field_value(name, value) for name, value in found)


def field_value(name: Span, value: Span) -> FieldValue:
    """A pair as the domain's type; the final full stop of an unquoted value is no part of it."""
    cleaned = clean_name(name)
    field = _IMPLIED.get(cleaned.low(0), cleaned.text) if len(cleaned) == 1 else cleaned.text
    return FieldValue(field=field, value=value.text, quoted=value.quoted)


def clean_name(span: Span) -> Span:
    """A field's name without articles and the word "field"."""
    start, end = 0, len(span)
    while start < end and span.low(start) in _FRONT and not span[start].quoted:
        start += 1
    while end - start > 1 and span.low(end - 1) in _ROLE_TAIL:
        end -= 1
    return span[start:end].trimmed()


def pair_of(span: Span) -> tuple[Span, Span] | None:
    """The (name, value) that one part holds, or None."""
    span = _unfronted(span)
    if len(span) > _LONGEST:
        return None
    return _equated(span) or _literal_last(span) or _juxtaposed(span)


def _unfronted(span: Span) -> Span:
    start = 0
    while start < len(span) - 1 and span.low(start) in _FRONT:
        start += 1
    return span[start:]


def _equated(span: Span) -> tuple[Span, Span] | None:
    """`name: Jas`, `name = Jas`, `name is Jas`, `name as Jas`."""
    for index in range(1, len(span) - 1):
        if span[index].text in _EQUALS:
            return _made(span[:index], span[index + 1 :])
        if span.low(index) in {"is", "as", "to", "equals", "being"} and index <= 4:
            after = index + 1
            while after < len(span) - 1 and span.low(after) in _COPULAS:
                after += 1
            return _made(span[:index], span[after:])
    return None


def _literal_last(span: Span) -> tuple[Span, Span] | None:
    """`date of birth 1990-01-02`, `name "Jas"`: words, then something that is only a value."""
    if len(span) < 2 or span[0].literal:
        return None
    index = span.first(lambda token: token.literal)
    if index is None or index > 4 or not _nameable(span[:index]):
        return None
    if not span[index].quoted and any(_starts_value(token) for token in span[1:index]):
        return None
    return _made(span[:index], span[index:])


def _juxtaposed(span: Span) -> tuple[Span, Span] | None:
    """`first name Jas`, `sex female`, `notes allergic to nuts`: where does the name end?"""
    if len(span) < 2 or span[0].literal or not span[0].text[:1].isalpha():
        return None
    end = 1
    while end < min(len(span) - 1, 4) and _continues_name(span, end):
        end += 1
    if (
        end == 1
        and len(span) == 2
        and span.low(1) in lexicon.FIELD_HEADS
        and span.low(0) not in (lexicon.FIELD_HEADS)
    ):
        return _made(span[1:], span[:1])
    return _made(span[:end], span[end:])


def _continues_name(span: Span, index: int) -> bool:
    low = span.low(index)
    if low in {"of"} and span.low(index + 1) in lexicon.FIELD_HEADS:
        return True
    if low not in lexicon.FIELD_HEADS:
        return not _starts_value(span[index]) and any(
            span.low(later) in lexicon.FIELD_HEADS and _starts_value(span[later + 1])
            for later in range(index + 1, min(index + 3, len(span) - 1))
        )
    return not _starts_value(span[index]) or span[0].text[:1].isupper()


def _starts_value(token: Token) -> bool:
    return token.literal or token.text[:1].isupper() or not token.text[:1].isalpha()


def _nameable(span: Span) -> bool:
    return all(token.kind == "word" for token in span)


def _made(name: Span, value: Span) -> tuple[Span, Span] | None:
    name, value = name.trimmed(), value.trimmed()
    return (name, value) if len(name) and len(value) else None


def _parts(span: Span) -> list[Span]:
    parts: list[Span] = []
    start = 0
    for index, token in enumerate(span):
        if token.kind == "break" or token.text in _JOINTS or token.low in _JOINTS:
            parts.append(span[start:index].trimmed())
            start = index + 1
    parts.append(span[start:].trimmed())
    return [part for part in parts if len(part)]


def _joined(value: Span, part: Span) -> Span:
    """The value with what follows it in the source."""
    return Span(value.source, (*value.tokens, *part.tokens))


def _follows(value: Span, part: Span) -> bool:
    return not part[0].quoted and part[0].start - value[-1].end <= 6
