"""A run of tokens with the text it came from, and sets of phrases to look for in it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from app.reasoners.rules.parse.tokens import Token

Words = tuple[str, ...]


@dataclass(frozen=True)
class Span:
    """Consecutive tokens of `source`; slicing gives spans."""

    source: str
    tokens: tuple[Token, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, key: int) -> Token: ...
    @overload
    def __getitem__(self, key: slice) -> "Span": ...
    def __getitem__(self, key: int | slice) -> "Token | Span":
        if isinstance(key, slice):
            return Span(self.source, self.tokens[key])
        return self.tokens[key]

    @property
    def text(self) -> str:
        """What the person wrote, spelling and inner punctuation kept; a lone quote's inside."""
        if len(self.tokens) == 1:
            return self.tokens[0].text if self.tokens[0].quoted else self._slice()
        return self._slice()

    @property
    def quoted(self) -> bool:
        """Whether it is one quoted span and nothing else."""
        return len(self.tokens) == 1 and self.tokens[0].quoted

    def _slice(self) -> str:
        if not self.tokens:
            return ""
        return self.source[self.tokens[0].start : self.tokens[-1].end].strip()

    def low(self, index: int) -> str:
        """The lower-case word at `index`, or "" outside the span and for quoted tokens."""
        return self.tokens[index].low if 0 <= index < len(self.tokens) else ""

    def first(self, test: Callable[[Token], bool], start: int = 0) -> int | None:
        """The index of the first token from `start` that passes, or None."""
        return next((i for i in range(start, len(self)) if test(self.tokens[i])), None)

    def trimmed(self) -> "Span":
        """Without marks and breaks at its ends; an opening bracket is kept."""
        start, end = 0, len(self.tokens)
        while start < end and _loose(self.tokens[start]):
            start += 1
        while end > start and _loose(self.tokens[end - 1]):
            end -= 1
        return self[start:end]


def _loose(token: Token) -> bool:
    return token.kind in {"break", "arrow"} or (token.kind == "mark" and token.text not in "{[]}()")


class Phrases:
    """A set of word sequences; finds the longest that stands at a place."""

    def __init__(self, phrases: Iterable[Words | str]) -> None:
        rows = (tuple(p.split()) if isinstance(p, str) else p for p in phrases)
        self._by_first: dict[str, list[Words]] = {}
        for words in sorted(set(rows), key=len, reverse=True):
            self._by_first.setdefault(words[0], []).append(words)

    def at(self, span: Span, index: int) -> int:
        """How many words of the longest phrase stand at `index`; 0 for none."""
        for words in self._by_first.get(span.low(index), ()):
            if stands(span, index, words):
                return len(words)
        return 0

    def find(self, span: Span, start: int = 0) -> tuple[int, int] | None:
        """The first place (index, length) from `start` where one stands."""
        for index in range(start, len(span)):
            if length := self.at(span, index):
                return index, length
        return None

    def ends(self, span: Span) -> int:
        """How many words of the longest phrase stand at the end."""
        for index in range(max(0, len(span) - 6), len(span)):
            length = self.at(span, index)
            if length and index + length == len(span):
                return length
        return 0


def stands(span: Span, index: int, words: Sequence[str]) -> bool:
    """Whether these lower-case words stand at `index`."""
    tokens = span.tokens
    if index < 0 or index + len(words) > len(tokens):
        return not words
    # One list and no generator: this is asked at every word.
    return [token.low for token in tokens[index : index + len(words)]] == list(words)
