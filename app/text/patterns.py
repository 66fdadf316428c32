"""Linear-time regular expressions for untrusted text: the interface of `re`, on RE2.

The syntax is Python's with Unicode classes, except: no backreferences (`PatternNotLinear` on first
use), lookaround is limited to 512 characters, and `$` matches only at the end of the text, not before a
final newline. Patterns are compiled on first use, since not every process needs all of them.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Any, cast

import re2

from app.text.re2_syntax import (
    MARKS,
    NO_CHARACTER,
    SURROGATES,
    Look,
    Neighbor,
    PatternNotLinear,
    Translation,
    translate,
)

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE", "Match", "Pattern", "PatternNotLinear",
    "compile", "escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub",
]  # fmt: skip

ASCII, DOTALL, IGNORECASE = re.ASCII, re.DOTALL, re.IGNORECASE
MULTILINE, VERBOSE = re.MULTILINE, re.VERBOSE
escape = re.escape

# Bytes per pattern; RE2's default of 8 MB is too little for repeated Unicode classes.
_MEMORY = 64 << 20
_TEXTS_KEPT = 32  # a tokenizer runs several patterns over the same text
_REACH = 512  # characters that a lookahead reads at most
_KINDS_KEPT = 4_096  # characters whose matching conditions are cached
_NO_SPAN = (-1, -1)
_Anchor = re2._Anchor
# Replace lone surrogates, and characters used as marks, with a character that no pattern matches.
_NO_SURROGATES = dict.fromkeys(SURROGATES, NO_CHARACTER)
_NO_MARKS = {**dict.fromkeys(MARKS, 0x7F), **_NO_SURROGATES}


class _Text:
    """An ASCII text as RE2 reads it: each character is a byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def offset(self, index: int) -> int:
        """The byte offset of a character, or of the end."""
        return index

    def index(self, offset: int) -> int:
        """The character whose bytes, or whose marks, begin at this offset."""
        return offset


class _WideText(_Text):
    """A text with characters of one to four bytes; offsets are counted from the last one requested."""

    _place = (0, 0)

    def offset(self, index: int) -> int:
        offset, at = self._place
        if index < at:
            offset, at = 0, 0
        further: int = re2._re2.CharLenToBytes(self.data, offset, index - at)
        self._place = (offset + further, index)
        return offset + further

    def index(self, offset: int) -> int:
        before, at = self._place
        first, last = sorted((before, offset))
        length: int = re2._re2.BytesToCharLen(self.data, first, last)
        self._place = (offset, at + length if offset >= before else at - length)
        return self._place[1]


class _MarkedText(_Text):
    """A text with marks before its characters and before its end."""

    def __init__(self, parts: list[str]) -> None:
        super().__init__("".join(parts).encode())
        self._starts = [0, *accumulate(map(_size, parts[:-1]))]

    def offset(self, index: int) -> int:
        return self._starts[index]

    def index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


class _Matcher:
    """A translated pattern and the texts prepared for it."""

    def __init__(self, translation: Translation) -> None:
        options = re2.Options()
        options.max_mem, options.log_errors = _MEMORY, False
        self.regexp = re2._re2.RE2(translation.source.encode(), options)
        if not self.regexp.ok():
            raise re2.error(self.regexp.error())
        self._marker = (
            _marker(translation.conditions, translation.copies) if translation.copies else None
        )

    def read(self, text: str) -> _Text:
        return _read(text, self._marker)

    def find(
        self, anchor: object, read: _Text, start: int, stop: int | None = None
    ) -> list[tuple[int, int]]:
        """The spans of the match and its groups from this character on; empty without a match."""
        end = len(read.data) if stop is None else read.offset(stop)
        spans = self.regexp.Match(anchor, read.data, read.offset(start), end)
        if spans[0] == _NO_SPAN:
            return []
        index = read.index
        return [span if span == _NO_SPAN else (index(span[0]), index(span[1])) for span in spans]

    def starts(self, text: str) -> set[int]:
        """The positions at which a match within the reach of a lookaround begins."""
        read, found, start = self.read(text), set(), 0
        while start <= len(text):
            stop = start + 2 * _REACH
            spans = self.find(_Anchor.UNANCHORED, read, start, stop if stop < len(text) else None)
            if spans:
                found.add(spans[0][0])
                start = spans[0][0] + 1
            elif stop < len(text):
                start += _REACH
            else:
                break
        return found


class _Marker:
    """Computes, for each position of a text, which conditions hold there."""

    def __init__(self, conditions: tuple[Neighbor | Look, ...], copies: int) -> None:
        marked = [(chr(mark), one) for mark, one in zip(MARKS, conditions, strict=False)]
        self._neighbors = [(mark, one) for mark, one in marked if isinstance(one, Neighbor)]
        self._looks = [
            (mark, one, _Matcher(one.body)) for mark, one in marked if isinstance(one, Look)
        ]
        self._copies = copies  # a condition that is matched takes all marks up to its own
        # For each character, one that represents all that meet the same conditions.
        self._kinds: dict[str, str] = {"": ""}
        self._by_fit: dict[tuple[bool, ...], str] = {}
        self._written: dict[tuple[str, str], str] = {}

    def marks(self, text: str) -> list[str]:
        """The marks of each position, including the end."""
        kinds = [self._kind(one) for one in text]
        pairs = [*zip(["", *kinds], [*kinds, ""], strict=True)]
        for pair in {*pairs} - self._written.keys():
            self._written[pair] = "".join(mark for mark, one in self._neighbors if one.holds(*pair))
        marks = [self._written[pair] for pair in pairs]
        for mark, look, matcher in self._looks:
            holding = {start + look.back for start in matcher.starts(text)}
            for index in range(len(marks)):
                if (index in holding) != look.negated:
                    marks[index] += mark
        return [mark * self._copies for mark in marks]

    def _kind(self, one: str) -> str:
        if (kind := self._kinds.get(one)) is None:
            if len(self._kinds) > _KINDS_KEPT:
                self._kinds = {"": ""}
            fit = tuple(near.character.match(one) is not None for _, near in self._neighbors)
            kind = self._kinds[one] = self._by_fit.setdefault(fit, one)
        return kind


@lru_cache(maxsize=512)
def _marker(conditions: tuple[Neighbor | Look, ...], copies: int) -> _Marker:
    """Share one marker among all patterns with the same conditions, and thereby its cache."""
    return _Marker(conditions, copies)


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str, marker: _Marker | None) -> _Text:
    if marker is None:
        if text.isascii():
            return _Text(text.encode())
        return _WideText(text.translate(_NO_SURROGATES).encode())
    shown = text.translate(_NO_MARKS)
    return _MarkedText(
        [mark + one for mark, one in zip_longest(marker.marks(shown), shown, fillvalue="")]
    )


def _size(part: str) -> int:
    return len(part) if part.isascii() else len(part.encode())


# In replacement templates, which are ours.
_GROUP = re.compile(r"\\(?:g<(\w+)>|([1-9]))|\\(.)", re.DOTALL)


class _Found(re2._Match):  # type: ignore[misc] # the package has no types
    """Like `re.Match`. RE2's own supports neither group names here nor non-ASCII templates."""

    def span(self, group: int | str = 0) -> tuple[int, int]:
        number = self._regexp.groupindex[group] if isinstance(group, str) else group
        found: tuple[int, int] = self._spans[number]
        return found

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def expand(self, template: str) -> str:
        """Replace references to groups; any other escaped character stands for itself."""

        def text_of(part: re.Match[str]) -> str:
            group = part[1] or part[2]
            if group is None:
                return part[3]
            return self[int(group) if group.isdigit() else group] or ""

        return _GROUP.sub(text_of, template)


class _Linear(re2._Regexp):  # type: ignore[misc] # the methods of `re`, all by way of `_match`
    """A pattern matched by RE2, including conditions that RE2 does not support."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self.flags = flags

    @cached_property
    def _of_any(self) -> _Matcher:
        return _Matcher(translate(self._pattern, self.flags))

    @cached_property
    def _of_ascii(self) -> _Matcher:
        return _Matcher(translate(self._pattern, self.flags, of_ascii=True))

    @cached_property
    def groups(self) -> int:
        return int(self._of_ascii.regexp.NumberOfCapturingGroups())

    @cached_property
    def groupindex(self) -> dict[str, int]:
        named = self._of_ascii.regexp.NamedCapturingGroups()
        return {name.decode(): number for name, number in named}

    def subn(self, repl: Any, text: str, count: int = 0) -> Any:  # noqa: ANN401
        return super().subn(repl, str(text), count)  # a subclass of str must not become empty

    def findall(self, text: str, pos: int | None = None, endpos: int | None = None) -> list[Any]:
        found: list[Any] = super().findall(str(text), pos, endpos)
        return found

    def _match(
        self, anchor: object, text: str, pos: int | None = None, endpos: int | None = None
    ) -> Iterator[Any]:
        matcher = self._of_ascii if text.isascii() else self._of_any
        start = 0 if pos is None else max(0, pos)
        # For a region, read only that part and as much text before it as a lookbehind needs.
        before = 0 if endpos is None else max(0, start - _REACH)
        part = text if endpos is None else text[before : max(0, endpos)]
        read = matcher.read(part)
        start -= before
        while start <= len(part) and (spans := matcher.find(anchor, read, start)):
            start = spans[0][1] + (spans[0][0] == spans[0][1])
            if before:
                spans = [
                    span if span == _NO_SPAN else (span[0] + before, span[1] + before)
                    for span in spans
                ]
            yield _Found(self, text, pos, endpos, spans)


if TYPE_CHECKING:  # they have the methods and types of the standard library's
    Pattern = re.Pattern[str]
    Match = re.Match[str]
else:
    Pattern, Match = _Linear, _Found


@lru_cache(maxsize=4_096)  # some are built from user input
def compile(pattern: str, flags: int = 0) -> "Pattern":
    """Like `re.compile`, but errors are raised on first use."""
    return cast("Pattern", _Linear(pattern, flags))


def search(pattern: str, text: str, flags: int = 0) -> "Match | None":
    return compile(pattern, flags).search(text)


def match(pattern: str, text: str, flags: int = 0) -> "Match | None":
    return compile(pattern, flags).match(text)


def fullmatch(pattern: str, text: str, flags: int = 0) -> "Match | None":
    return compile(pattern, flags).fullmatch(text)


def finditer(pattern: str, text: str, flags: int = 0) -> Iterator["Match"]:
    return compile(pattern, flags).finditer(text)


def findall(pattern: str, text: str, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).findall(text)


def split(pattern: str, text: str, maxsplit: int = 0, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).split(text, maxsplit)


def sub(
    pattern: str, repl: "str | Callable[[Match], str]", text: str, count: int = 0, flags: int = 0
) -> str:
    return compile(pattern, flags).sub(repl, text, count)
