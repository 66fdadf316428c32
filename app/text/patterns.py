"""Patterns over text from outside, matched in linear time: the interface of `re`, on RE2.

The syntax is Python's, with the classes of Unicode, and differs in this: no references back to a group
(`PatternNotLinear` when it is first used), no look further than 512 characters, and `$` is the end of the
text, never before a last newline. A pattern is compiled when it is first used: not every process needs each.
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

_MEMORY = (
    64 << 20
)  # bytes a pattern may take; RE2's own 8 MB are too few for repeated classes of Unicode
_TEXTS_KEPT = 32  # a reader of tokens asks several patterns about one text, again and again
_REACH = 512  # characters that a look at what follows reads at most
_KINDS_KEPT = 4_096  # characters of which is known what they fit
_NO_SPAN = (-1, -1)
_Anchor = re2._Anchor
# What is no character, and what would look like a mark, is read as a character that nothing looks for.
_NO_SURROGATES = dict.fromkeys(SURROGATES, NO_CHARACTER)
_NO_MARKS = {**dict.fromkeys(MARKS, 0x7F), **_NO_SURROGATES}


class _Text:
    """A text as RE2 reads it, of ASCII alone: each character is a byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def offset(self, index: int) -> int:
        """Where in the data a character begins, or the end."""
        return index

    def index(self, offset: int) -> int:
        """The character that begins there, or whose marks do."""
        return offset


class _WideText(_Text):
    """Of characters of one to four bytes, which are counted from the last place that was asked for."""

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
    """With marks before its characters, and before its end."""

    def __init__(self, parts: list[str]) -> None:
        super().__init__("".join(parts).encode())
        self._starts = [0, *accumulate(map(_size, parts[:-1]))]

    def offset(self, index: int) -> int:
        return self._starts[index]

    def index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


class _Matcher:
    """A translated pattern and the texts that it has read."""

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
        """The spans of the match and of its groups from this character on; none where nothing matches."""
        end = len(read.data) if stop is None else read.offset(stop)
        spans = self.regexp.Match(anchor, read.data, read.offset(start), end)
        if spans[0] == _NO_SPAN:
            return []
        index = read.index
        return [span if span == _NO_SPAN else (index(span[0]), index(span[1])) for span in spans]

    def starts(self, text: str) -> set[int]:
        """Where something matches that is within reach of a look."""
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
    """Tells for each position of a text which of some conditions hold there."""

    def __init__(self, conditions: tuple[Neighbor | Look, ...], copies: int) -> None:
        marked = [(chr(mark), one) for mark, one in zip(MARKS, conditions, strict=False)]
        self._neighbors = [(mark, one) for mark, one in marked if isinstance(one, Neighbor)]
        self._looks = [
            (mark, one, _Matcher(one.body)) for mark, one in marked if isinstance(one, Look)
        ]
        self._copies = copies  # a condition that is read takes the marks up to its own
        self._kinds: dict[str, str] = {"": ""}  # a character that stands for all that fit the same
        self._by_fit: dict[tuple[bool, ...], str] = {}
        self._written: dict[tuple[str, str], str] = {}

    def marks(self, text: str) -> list[str]:
        """Of each position, also of the end."""
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
    """One for all patterns with the same conditions, so that they share what it read."""
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


_GROUP = re.compile(
    r"\\(?:g<(\w+)>|([1-9]))|\\(.)", re.DOTALL
)  # in what replaces a match, which is ours


class _Found(re2._Match):  # type: ignore[misc] # the package has no types
    """As `re.Match`; RE2's knows no names of groups here, and no letters but ASCII's in templates."""

    def span(self, group: int | str = 0) -> tuple[int, int]:
        number = self._regexp.groupindex[group] if isinstance(group, str) else group
        found: tuple[int, int] = self._spans[number]
        return found

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def expand(self, template: str) -> str:
        """Of groups by number or name; anything else after a backslash is itself."""

        def text_of(part: re.Match[str]) -> str:
            group = part[1] or part[2]
            if group is None:
                return part[3]
            return self[int(group) if group.isdigit() else group] or ""

        return _GROUP.sub(text_of, template)


class _Linear(re2._Regexp):  # type: ignore[misc] # the methods of `re`, all by way of `_match`
    """A pattern that RE2 matches, also where it has conditions that RE2 does not know."""

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
        return super().subn(repl, str(text), count)  # an own kind of string may not be made empty

    def findall(self, text: str, pos: int | None = None, endpos: int | None = None) -> list[Any]:
        found: list[Any] = super().findall(str(text), pos, endpos)
        return found

    def _match(
        self, anchor: object, text: str, pos: int | None = None, endpos: int | None = None
    ) -> Iterator[Any]:
        matcher = self._of_ascii if text.isascii() else self._of_any
        start = 0 if pos is None else max(0, pos)
        # Of a part, only that part is read, and what a look back may need of the text before it.
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


if TYPE_CHECKING:  # they have the methods and the types of the standard library's
    Pattern = re.Pattern[str]
    Match = re.Match[str]
else:
    Pattern, Match = _Linear, _Found


@lru_cache(maxsize=4_096)  # some are made from what a person asked for
def compile(pattern: str, flags: int = 0) -> "Pattern":
    """As `re.compile`; what is wrong with a pattern is told when it is first used."""
    return cast("Pattern", _Linear(pattern, flags))


def search(pattern: str, text: str, flags: int = 0) -> "Match | None":
    """As `re.search`."""
    return compile(pattern, flags).search(text)


def match(pattern: str, text: str, flags: int = 0) -> "Match | None":
    """As `re.match`."""
    return compile(pattern, flags).match(text)


def fullmatch(pattern: str, text: str, flags: int = 0) -> "Match | None":
    """As `re.fullmatch`."""
    return compile(pattern, flags).fullmatch(text)


def finditer(pattern: str, text: str, flags: int = 0) -> Iterator["Match"]:
    """As `re.finditer`."""
    return compile(pattern, flags).finditer(text)


def findall(pattern: str, text: str, flags: int = 0) -> list[Any]:
    """As `re.findall`."""
    return compile(pattern, flags).findall(text)


def split(pattern: str, text: str, maxsplit: int = 0, flags: int = 0) -> list[Any]:
    """As `re.split`."""
    return compile(pattern, flags).split(text, maxsplit)


def sub(
    pattern: str, repl: "str | Callable[[Match], str]", text: str, count: int = 0, flags: int = 0
) -> str:
    """As `re.sub`."""
    return compile(pattern, flags).sub(repl, text, count)
