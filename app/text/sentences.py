"""Splits running text in any script into sentences."""

from collections.abc import Iterator

from app.text import patterns

Span = tuple[int, int]

# A full stop ends a sentence only if the next word can begin one: not in "e.g. this", "3.14", "v. 2".
_BEGINNING = patterns.compile(r"[\"'\u201c\u2018(\[*_`]*[^\Wa-z\d_]")
_END = patterns.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019)\]*_]*(?P<blank>\s+)"
    r"|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\u201d\u2019\uff09]*"  # Chinese and Japanese
    r"|[\u061f\u06d4\u0964\u0965]+\s*"  # Arabic, Urdu, Hindi
    r"|\n[ \t]*\n\s*|  \n|\\\n"
)


def split_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of a range of the text; each extends to the start of the next."""
    part, at, searched = text[start:end], 0, 0
    while found := _END.search(part, searched):
        searched = found.end()
        if found["blank"] and not _BEGINNING.match(part, searched):
            searched = found.start("blank")  # which may itself end a sentence
        elif found.end() > at:
            yield start + at, start + found.end()
            at = found.end()
    if start + at < end:
        yield start + at, end
