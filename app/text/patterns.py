"""Patterns over text from outside, matched in linear time: the interface of `re`, on RE2.

The syntax is Python's, with the classes of Unicode, and differs in this: no references back and no look at
more than one character (`PatternNotLinear` when it is first used); `$` is the end of the text, never before
a last newline. A pattern is compiled when it is first used, since not every process uses each.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import re2

from app.text.re2_syntax import (
    MARKS,
    MORE_MARKS,
    NO_CHARACTER,
    SURROGATES,
    Condition,
    PatternNotLinear,
    mark_of,
    translate,
)

ASCII, DOTALL, IGNORECASE = re.ASCII, re.DOTALL, re.IGNORECASE
MULTILINE, VERBOSE = re.MULTILINE, re.VERBOSE
escape = re.escape

_MEMORY = (
    64 << 20
)  # bytes a pattern may take; RE2's own 8 MB are too few for repeated classes of Unicode
_PREPARED = 32  # texts; a reader of tokens asks several patterns about one text, again and again
_KINDS_KEPT = 4_096  # characters of which is known what they fit
_NO_SPAN = (-1, -1)
# What is no character, and what would look like a mark, is read as a character that nothing looks for.
_NO_SURROGATES = dict.fromkeys(SURROGATES, NO_CHARACTER)
_NO_MARKS = {**dict.fromkeys((*MARKS, *MORE_MARKS), 0x7F), **_NO_SURROGATES}


class _Text(NamedTuple):
    """A text as RE2 reads it, and where in that its characters begin."""

    data: bytes
    width: int  # bytes a character, where all have as many; else 0
    starts: list[int]  # of each character and of the end; empty where all have as many bytes

    def offset(self, index: int) -> int:
        return index * self.width if self.width else self.starts[index]

    def span(self, span: tuple[int, int]) -> tuple[int, int]:
        if span == _NO_SPAN or self.width == 1:
            return span
        if self.width:
            return span[0] // self.width, span[1] // self.width
        return bisect_right(self.starts, span[0]) - 1, bisect_right(self.starts, span[1]) - 1


class _Marker:
    """Writes before each character, and at the end, which of some conditions hold there."""

    def __init__(self, conditions: tuple[Condition, ...], marks: int) -> None:
        self._conditions = conditions
        self.marks = marks
        self._kinds: dict[str, str] = {"": ""}  # a character that stands for all that fit the same
        self._by_fit: dict[tuple[bool, ...], str] = {}
        self._written: dict[tuple[str, str], str] = {}

    def mark(self, text: str) -> str:
        shown = text.translate(_NO_MARKS)
        kinds = [self._kind(one) for one in shown]
        before, after = ["", *kinds], [*kinds, ""]
        written = self._written
        for pair in {*zip(before, after, strict=True)} - written.keys():
            truths = sum(one.holds(*pair) << n for n, one in enumerate(self._conditions))
            written[pair] = mark_of(truths, len(self._conditions)) * self.marks
        pairs = zip(before, after, [*shown, ""], strict=True)
        return "".join([written[first, second] + one for first, second, one in pairs])

    def _kind(self, one: str) -> str:
        if (kind := self._kinds.get(one)) is None:
            if len(self._kinds) > _KINDS_KEPT:
                self._kinds = {"": ""}
            fit = tuple(
                condition.character.match(one) is not None for condition in self._conditions
            )
            kind = self._kinds[one] = self._by_fit.setdefault(fit, one)
        return kind


@lru_cache(maxsize=512)
def _marker(conditions: tuple[Condition, ...], marks: int) -> _Marker:
    """One for all patterns with the same conditions, so that they share what it wrote."""
    return _Marker(conditions, marks)


@lru_cache(maxsize=_PREPARED)
def _prepare(text: str, marker: _Marker | None) -> _Text:
    if marker is None:
        if text.isascii():
            return _Text(text.encode(), 1, [])
        shown = text.translate(_NO_SURROGATES)
        return _Text(shown.encode(), 0, [0, *accumulate(map(_size, shown))])
    marked = marker.mark(text)
    data = marked.encode()
    width = marker.marks + 1
    if len(data) == width * (len(text) + 1) - 1:
        return _Text(data, width, [])
    mark_size = len(marked[0].encode()) * marker.marks
    sizes = [mark_size + _size(one) for one in text.translate(_NO_MARKS)]
    return _Text(data, 0, [0, *accumulate(sizes)])


def _size(one: str) -> int:
    return len(one.encode())


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
    """A pattern that RE2 matches, also where it has conditions on neighbouring characters."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self.flags = flags
        self._marker: _Marker | None = None

    @cached_property
    def _regexp(self) -> Any:  # noqa: ANN401 - the extension module has no types
        try:
            translated = translate(self._pattern, self.flags)
        except PatternNotLinear:
            return None
        if translated.conditions:
            self._marker = _marker(translated.conditions, translated.marks)
        options = re2.Options()
        options.max_mem, options.log_errors = _MEMORY, False
        compiled = re2._re2.RE2(translated.source.encode(), options)
        if not compiled.ok():
            raise re2.error(compiled.error())
        return compiled

    def subn(self, repl: Any, text: str, count: int = 0) -> Any:  # noqa: ANN401
        return super().subn(repl, str(text), count)  # an own kind of string may not be made empty

    def findall(self, text: str, pos: int | None = None, endpos: int | None = None) -> list[Any]:
        found: list[Any] = super().findall(str(text), pos, endpos)
        return found

    @cached_property
    def groups(self) -> int:
        if self._regexp is None:
            return self._old.groups
        return int(self._regexp.NumberOfCapturingGroups())

    @cached_property
    def groupindex(self) -> dict[str, int]:
        return {name.decode(): index for name, index in self._regexp.NamedCapturingGroups()}

    @cached_property
    def _old(self) -> "re.Pattern[str]":
        return re.compile(self._pattern, self.flags)

    def _backtrack(
        self, anchor: object, text: str, pos: int | None, endpos: int | None
    ) -> Iterator[Any]:
        between = (pos or 0, len(text) if endpos is None else endpos)
        if anchor == re2._Anchor.UNANCHORED:
            yield from self._old.finditer(text, *between)
        elif found := (
            self._old.match if anchor == re2._Anchor.ANCHOR_START else self._old.fullmatch
        )(text, *between):
            yield found

    def _match(
        self,
        anchor: object,
        text: str,
        pos: int | None = None,
        endpos: int | None = None,
    ) -> Iterator[Any]:
        matcher = self._regexp
        if matcher is None:  # until these patterns are written anew
            yield from self._backtrack(anchor, text, pos, endpos)
            return
        if endpos is not None:
            text = text[: max(0, endpos)]
        read = _prepare(text, self._marker)
        start = 0 if pos is None else max(0, pos)
        while start <= len(text):
            spans = matcher.Match(anchor, read.data, read.offset(start), len(read.data))
            if spans[0] == _NO_SPAN:
                return
            spans = [read.span(span) for span in spans]
            yield _Found(self, text, pos, endpos, spans)
            start = spans[0][1] + (spans[0][0] == spans[0][1])


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
