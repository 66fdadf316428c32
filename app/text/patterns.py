"""Linear-time regular expressions for untrusted text: the interface of `re`, on RE2.

The syntax is Python's with Unicode classes, except: backreferences, possessive quantifiers and atomic
groups are not supported, and `$` matches only at the end of the text, not before a final newline. A
lookaround is evaluated at every position by `re`, so it must not read far. Patterns are compiled on
first use, since not every process needs all of them.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import accumulate, islice, zip_longest
from typing import TYPE_CHECKING, Any

import re2

from app.text.re2_syntax import MARKS, NO_CHARACTER, Condition, PatternNotLinear, translate

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
_CHARACTERS_KEPT = 4_096  # whose matching conditions are cached
# Replace lone surrogates, and characters used as marks, with a character that no pattern matches.
_NO_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), NO_CHARACTER)
_NO_MARKS = {**dict.fromkeys(MARKS, 0x7F), **_NO_SURROGATES}
_GROUP = re.compile(r"\\(?:g<(\w+)>|([1-9]))|\\(.)", re.DOTALL)  # in replacement templates

Marker = Callable[[str], list[str]]  # the marks of each position of a text, including the end


class _Text:
    """An ASCII text as RE2 reads it: each character is a byte."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()

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
        offset, at = self._place if index >= self._place[1] else (0, 0)
        self._place = (offset + len(self.text[at:index].encode()), index)
        return self._place[0]

    def index(self, offset: int) -> int:
        last, at = self._place
        between = len(self.data[min(last, offset) : max(last, offset)].decode())
        self._place = (offset, at + between if offset >= last else at - between)
        return self._place[1]


class _MarkedText(_Text):
    """A text with marks before its characters and before its end."""

    def __init__(self, parts: list[str]) -> None:
        super().__init__("".join(parts))
        sizes = (len(part) if part.isascii() else len(part.encode()) for part in parts[:-1])
        self._starts = [0, *accumulate(sizes)]

    def offset(self, index: int) -> int:
        return self._starts[index]

    def index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1


@lru_cache(maxsize=512)
def _marker(conditions: tuple[Condition, ...], copies: int) -> Marker:
    """Shared by all patterns with the same conditions, as are its caches."""
    marked = [(chr(mark), *one) for mark, one in zip(MARKS, conditions, strict=False)]
    narrow = [(mark, condition) for mark, condition, is_narrow in marked if is_narrow]
    wide = [(mark, condition) for mark, condition, is_narrow in marked if not is_narrow]
    alike: dict[tuple[bool, ...], str] = {}

    @lru_cache(maxsize=_CHARACTERS_KEPT)
    def kind(character: str) -> str:
        """A character that stands for all that meet the same conditions."""
        fit = tuple(one.match(character, at) is not None for _, one in narrow for at in (0, 1))
        return alike.setdefault(fit, character)

    @cache
    def marks_between(left: str, right: str) -> str:
        return "".join(mark for mark, one in narrow if one.match(left + right, len(left)))

    def marks(text: str) -> list[str]:
        kinds = [*map(kind, text)]
        found = [*map(marks_between, ["", *kinds], [*kinds, ""])]
        for mark, condition in wide:
            for match in condition.finditer(text):
                found[match.start()] += mark
        return [_in_order(one) * copies for one in found]

    return marks


@lru_cache(maxsize=4_096)
def _in_order(marks: str) -> str:
    return "".join(sorted(marks))


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str, marker: Marker | None) -> _Text:
    if marker is not None:
        text = text.translate(_NO_MARKS)
        pairs = zip_longest(marker(text), text, fillvalue="")
        return _MarkedText([mark + character for mark, character in pairs])
    return _Text(text) if text.isascii() else _WideText(text.translate(_NO_SURROGATES))


class _Match:
    """Like `re.Match`."""

    def __init__(self, pattern: "_Pattern", text: str, spans: list[tuple[int, int]]) -> None:
        self._pattern, self._text, self._spans = pattern, text, spans

    def span(self, group: int | str = 0) -> tuple[int, int]:
        return self._spans[self._pattern.names[group] if isinstance(group, str) else group]

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def __getitem__(self, group: int | str) -> str | None:
        start, end = self.span(group)
        return None if start < 0 else self._text[start:end]

    def group(self, group: int | str = 0) -> str | None:
        return self[group]

    def groups(self, default: str | None = None) -> tuple[str | None, ...]:
        found = (self[number] for number in range(1, len(self._spans)))
        return tuple(default if text is None else text for text in found)

    def expand(self, template: str) -> str:
        """Replace references to groups; any other escaped character stands for itself."""

        def text_of(part: re.Match[str]) -> str:
            name, number, character = part.groups()
            group = number or name
            return character or self[int(group) if group.isdigit() else group] or ""

        return _GROUP.sub(text_of, template)


class _Pattern:
    """A pattern matched by RE2, including conditions that RE2 does not support."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def _for_any(self) -> tuple[Any, Marker | None]:
        return _compile(self.pattern, self.flags, of_ascii=False)

    @cached_property
    def _for_ascii(self) -> tuple[Any, Marker | None]:
        return _compile(self.pattern, self.flags, of_ascii=True)

    @cached_property
    def _groups(self) -> int:
        return int(self._for_ascii[0].groups)

    @cached_property
    def names(self) -> dict[str, int]:
        """The numbers of the named groups."""
        return dict(self._for_ascii[0].groupindex)

    def search(self, text: str, start: int = 0) -> _Match | None:
        return next(self._matches("search", text, start), None)

    def match(self, text: str, start: int = 0) -> _Match | None:
        return next(self._matches("match", text, start), None)

    def fullmatch(self, text: str, start: int = 0) -> _Match | None:
        return next(self._matches("fullmatch", text, start), None)

    def finditer(self, text: str) -> Iterator[_Match]:
        return self._matches("search", text, 0)

    def findall(self, text: str) -> list[Any]:
        if self._groups > 1:
            return [found.groups("") for found in self.finditer(text)]
        return [found[self._groups] or "" for found in self.finditer(text)]

    def split(self, text: str, maxsplit: int = 0) -> list[str | None]:
        parts: list[str | None] = []
        end = 0
        for found in islice(self.finditer(text), maxsplit or None):
            parts += [text[end : found.start()], *found.groups()]
            end = found.end()
        return [*parts, text[end:]]

    def sub(self, repl: str | Callable[[_Match], str], text: str, count: int = 0) -> str:
        parts, end = [], 0
        for found in islice(self.finditer(text), count or None):
            new = repl(found) if callable(repl) else found.expand(repl)
            parts += [text[end : found.start()], new]
            end = found.end()
        return "".join([*parts, text[end:]])

    def _matches(self, method: str, text: str, start: int) -> Iterator[_Match]:
        regexp, marker = self._for_ascii if text.isascii() else self._for_any
        read = _read(text, marker)
        find, groups = getattr(regexp, method), range(self._groups + 1)
        while start <= len(text) and (found := find(read.data, read.offset(start))) is not None:
            spans = [found.span(group) for group in groups]
            if type(read) is not _Text:
                spans = [(read.index(a), read.index(b)) if a >= 0 else (a, b) for a, b in spans]
            yield _Match(self, text, spans)
            start = spans[0][1] + (spans[0][0] == spans[0][1])


def _compile(pattern: str, flags: int, *, of_ascii: bool) -> tuple[Any, Marker | None]:
    """The pattern compiled by RE2, and the marker for its conditions if it has any."""
    source, conditions, copies = translate(pattern, flags, of_ascii=of_ascii)
    options = re2.Options()
    options.max_mem, options.log_errors = _MEMORY, False
    try:
        return re2.compile(source, options), _marker(conditions, copies) if conditions else None
    except re2.error as error:
        raise PatternNotLinear(str(error)) from error


def _function(method: str) -> Callable[..., Any]:
    def function(pattern: str, text: str, flags: int = 0) -> Any:  # noqa: ANN401
        return getattr(compile(pattern, flags), method)(text)

    return function


if TYPE_CHECKING:
    from re import compile, findall, finditer, fullmatch, match, search, split, sub

    Pattern = re.Pattern[str]
    Match = re.Match[str]
else:
    Pattern, Match = _Pattern, _Match
    compile = lru_cache(maxsize=4_096)(_Pattern)  # some are built from user input
    findall, finditer, fullmatch, match, search = map(
        _function, ("findall", "finditer", "fullmatch", "match", "search")
    )

    def split(pattern: str, text: str, maxsplit: int = 0, flags: int = 0) -> list[str | None]:
        return compile(pattern, flags).split(text, maxsplit)

    def sub(
        pattern: str,
        repl: str | Callable[[_Match], str],
        text: str,
        count: int = 0,
        flags: int = 0,
    ) -> str:
        return compile(pattern, flags).sub(repl, text, count)
