# ruff: noqa: RUF001 (typographic marks are what is looked for)
"""The label in what a person called a thing, once role, ordinal, colour and place are taken off."""

from dataclasses import dataclass, field
from functools import cache

from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.ordinals import take_ordinal
from app.reasoners.rules.parse.spans import Phrases, Span

_ARTICLES = lexicon.ARTICLES | {"following", "just", "only", "'s"}


@dataclass
class Draft:
    """A target while its parts are being found."""

    role: str | None = None
    ordinal: int | None = None
    all: bool = False
    served: bool = False  # "for X" was said
    color: str | None = None
    position: str | None = None
    within: str | None = None
    near: str | None = None
    excluding: tuple[str, ...] = ()
    name: Span | None = None
    numbered: Span | None = None
    kinds: list[Span] = field(default_factory=list)


@cache
def roles() -> Phrases:
    """The names of roles."""
    return Phrases(lexicon.ROLES)


@cache
def places() -> Phrases:
    """The names of places and kinds without a role."""
    return Phrases(lexicon.PLACES)


def label_of(head: Span, draft: Draft) -> Span:
    """The words that are left of the head once everything that is no label is taken off."""
    head = _strip_front(head, draft)
    head, draft.ordinal, draft.numbered = take_ordinal(head)
    head = _strip_front(head, draft)
    head = _take_role(head, draft)
    head = _take_possessive(head, draft)
    if draft.numbered is not None:
        return draft.numbered
    return _strip_front(head, draft)


def _strip_front(span: Span, draft: Draft) -> Span:
    front = len(span)
    while len(span):
        low = span.low(0)
        if low in lexicon.QUANTIFIERS:
            draft.all = True
        elif low in lexicon.COLORS and len(span) > 1:
            draft.color = low
        elif low in lexicon.POSITIONS and (len(span) > 1 or draft.role) and not _names(span):
            draft.position = " ".join(filter(None, (draft.position, lexicon.POSITIONS[low])))
        elif (
            not (low in _ARTICLES and (len(span) > 1 or low == "the"))
            and not (low == "of" and draft.all)
            and not (len(span) < front and _is_new(span))
        ):
            break
        span = span[1:]
    return span


def _names(span: Span) -> bool:
    """As in "middle name", which stands in the middle of nothing."""
    return span.low(1) == "name"


def _is_new(span: Span) -> bool:
    """As in "the new message", a state of the thing; "the New button" and "New order" say a label."""
    kind = span.low(1) in lexicon.ROLES or span.low(len(span) - 1) in lexicon.ROLES
    return len(span) > 1 and span[0].text == "new" and not kind


def _take_role(span: Span, draft: Draft) -> Span:
    """Cuts a role or place word off the end, or a role word off the front ("button ONE")."""
    quoted = span.first(lambda token: token.quoted)
    for start in range(len(span)):
        length = roles().at(span, start)
        if length and start + length == len(span):
            draft.role = lexicon.ROLES[" ".join(span.low(start + n) for n in range(length))]
            return _take_place(span[:start])
    length = roles().at(span, 0)
    label_ = length and span[0].text[:1].isupper() and span[length:].text.islower()
    if length and length < len(span) and (quoted == length or quoted is None) and not label_:
        draft.role = lexicon.ROLES[" ".join(span.low(n) for n in range(length))]
        return span[length:]
    return _take_place(span)


def _take_place(span: Span) -> Span:
    if len(span) == 2 and span.low(0) in lexicon.TURNS:  # "the next page" is no label but a way
        return span
    for start in range(len(span)):
        length = places().at(span, start)
        if length and start + length == len(span) and start > 0:
            return span[:start] if not _bare_front(span[:start]) else span
    length = places().at(span, 0)
    if length and length < len(span) and span[length].quoted:
        return span[length:]
    return span


def _bare_front(span: Span) -> bool:
    return all(t.low in lexicon.POSITIONS or t.low in _ARTICLES for t in span)


def _take_possessive(span: Span, draft: Draft) -> Span:
    """As in "Jas's phone" -> phone within Jas."""
    for index, token in enumerate(span):
        for ending in ("'s", "’s", "s'", "s’"):
            if token.text.endswith(ending) and not token.quoted and index + 1 < len(span):
                cut = 2 if ending[0] in "'’" else 1
                name = span.source[span[0].start : token.end - cut]
                draft.within = draft.within or name
                return span[index + 1 :]
    return span


def strip_ends(span: Span, words: frozenset[str]) -> Span:
    """Without these words and articles in front."""
    while len(span) > 1 and span.low(0) in words | {"the"}:
        span = span[1:]
    return span
