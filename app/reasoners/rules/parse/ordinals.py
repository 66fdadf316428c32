"""Ordinals: first, 2nd, last, #3, number 4, second to last."""

from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Span

_FROM_END = (("to", "last"), ("to", "the", "last"), ("from", "last"), ("from", "the", "end"),
             ("from", "the", "bottom"), ("from", "end"))  # fmt: skip


def ordinal_word(word: str) -> int | None:
    """The number of "2nd", "second", "last" (-1); None for other words."""
    if word in lexicon.ORDINALS:
        return lexicon.ORDINALS[word]
    if len(word) > 2 and word[-2:] in {"st", "nd", "rd", "th"} and word[:-2].isdecimal():
        return int(word[:-2]) if len(word) < 7 else None
    return {"penultimate": -2}.get(word)


def take_ordinal(span: Span) -> tuple[Span, int | None, Span | None]:
    """The span without its ordinal, the ordinal, and the literal label when that holds the number.

    "2nd button" -> ("button", 2, None); "Tab #2" -> ("Tab", 2, "Tab #2").
    """
    for index, token in enumerate(span):
        number = None if token.quoted else ordinal_word(token.low)
        if number is None or not _counts(span, index):
            continue
        for ending in _FROM_END:
            if all(span.low(index + 1 + n) == word for n, word in enumerate(ending)):
                rest = Span(
                    span.source, span.tokens[:index] + span.tokens[index + 1 + len(ending) :]
                )
                return rest, -number, None
        return Span(span.source, span.tokens[:index] + span.tokens[index + 1 :]), number, None
    return _numbered(span)


def _counts(span: Span, index: int) -> bool:
    """An ordinal stands before its noun, or alone; "June 2nd" and "Form First" hold none.

    Nor do "first name", "3rd of March" and a label like "Last Updated".
    """
    if index == len(span) - 1:
        return index == 0
    if _named_so(span, index):
        return False
    return index == 0 or span.low(index - 1) in lexicon.ARTICLES | {"very", "top", "bottom"}


def _named_so(span: Span, index: int) -> bool:
    following = span[index + 1]
    if following.low == "name" or (following.low == "of" and span.low(index + 2) in lexicon.MONTHS):
        return True
    kind = following.low in lexicon.ROLES or following.low in lexicon.PLACES
    proper = span[index].text[:1].isupper() and following.text[:1].isupper()
    return proper and not following.quoted and not kind


def _numbered(span: Span) -> tuple[Span, int | None, Span | None]:
    """As in "tab 2", "#2", "row number 3", "button ONE" -> the number, and the literal label."""
    if not len(span) or span[-1].quoted:
        return span, None, None
    last = span.low(len(span) - 1).lstrip("#")
    named = span.low(len(span) - 2) in {"number", "no", "no.", "nr", "#"}
    kind = span[: -2 if named else -1]
    number = lexicon.CARDINALS.get(last) or (int(last) if last.isdecimal() and len(last) < 4 else 0)
    if not number or (last == span.low(len(span) - 1) and not _kind_word(kind) and not named):
        return span, None, None
    if last in lexicon.CARDINALS and len(kind):
        return kind, number, span[-1:]
    if not len(kind):
        return span, number, span
    return kind, number, span


def _kind_word(span: Span) -> bool:
    word = span.low(len(span) - 1)
    return len(span) == 1 and (word in lexicon.ROLES or word in lexicon.PLACES)
