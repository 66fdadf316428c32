"""Counts tokens with the vocabulary bundled in the `wordllama` package."""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

from app.text import patterns
from app.text.sentences import Span, split_sentences

_BREAK = patterns.compile(r"\s+|[\u3001\uff0c\uff1b\uff1a\u060c]")
LONGEST_WORD = 64  # characters tokenized as one word: the time grows with the square of the length
_AT_ONCE = 1 << 20  # characters
MAX_CACHED = 200_000  # words with cached counts, about 20 MB


def split_span(text: str, span: Span, most: int) -> list[Span]:
    """Split a span into spans of at most `most` tokens, after words if possible, in O(n log n)."""
    spans: list[Span] = []
    pending = [span]
    while pending:
        start, end = pending.pop()
        if end - start < 2 or (end - start <= most * 40 and count_tokens(text[start:end]) <= most):
            spans.append((start, end))
            continue
        middle = _near_middle(text, start, end)
        pending += [(middle, end), (start, middle)]
    return spans


def _near_middle(text: str, start: int, end: int) -> int:
    """Offset after the word nearest to the middle, else the middle itself."""
    middle = (start + end) // 2
    reach = min((end - start) // 4, 2_000)
    breaks = [found.end() for found in _BREAK.finditer(text[middle - reach : middle + reach])]
    return middle - reach + min(breaks, key=lambda place: abs(place - reach)) if breaks else middle


def fit_sentences(text: str, start: int, end: int, most: int) -> list[tuple[Span, int]]:
    """Sentences between two offsets with their token counts, each of at most `most` tokens."""
    spans: list[Span] = []
    sentences = list(split_sentences(text, start, end))
    for span, tokens in zip(
        sentences, count_tokens_each(text[a:b] for a, b in sentences), strict=True
    ):
        spans.extend([span] if tokens <= most else split_span(text, span, most))
    return list(zip(spans, count_tokens_each(text[a:b] for a, b in spans), strict=True))


def overlap_start(text: str, start: int, end: int, most: int) -> int | None:
    """Start offset of the last sentences that total at most `most` tokens; None if none fit."""
    first, left = None, most
    for span in reversed(list(split_sentences(text, max(start, end - most * 12), end))):
        left -= count_tokens(text[span[0] : span[1]])
        if left < 0 or span[0] <= start:
            break
        first = span[0]
    return first


_counts_cache: list[dict[str, int]] = [{}]


@cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer  # noqa: PLC0415 - takes 0.1 s; only chunking needs it

    package = find_spec("wordllama")
    folder = Path(str(package.origin)).parent if package is not None else Path()
    return Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))


def count_tokens_each(texts: Iterable[str]) -> list[int]:
    """Token count of each text, as the sum over its words.

    Within 5% of the tokenizer's count for the whole text on documentation (line breaks are not
    counted), and several times as fast, since words recur.
    """
    words = [_words(text) for text in texts]
    counts = _count_words({word for line in words for word in line})
    return [sum(map(counts.__getitem__, line)) for line in words]


def _words(text: str) -> list[str]:
    words = text.split()
    if len(text) <= LONGEST_WORD or max(map(len, words), default=0) <= LONGEST_WORD:
        return words
    starts = ((word, at) for word in words for at in range(0, len(word), LONGEST_WORD))
    return [word[at : at + LONGEST_WORD] for word, at in starts]


def count_tokens(text: str) -> int:
    return count_tokens_each((text,))[0]


def warm_cache(text: str) -> None:
    """Tokenize the words of a text in one batch, which is faster than line by line."""
    for start in range(0, len(text), _AT_ONCE):
        _count_words({*_words(text[start : start + _AT_ONCE])})


def _count_words(words: set[str]) -> dict[str, int]:
    """The cached token counts, with these words added.

    A full cache is replaced, not cleared, since other threads may be reading it.
    """
    counts = _counts_cache[0]
    missing = [word for word in words if word not in counts]
    if len(counts) + len(missing) > MAX_CACHED:
        counts, missing = {}, list(words)
        _counts_cache[0] = counts
    if missing:
        encodings = _tokenizer().encode_batch(missing, add_special_tokens=False)
        counts.update(
            (word, max(1, len(one.ids))) for word, one in zip(missing, encodings, strict=True)
        )
    return counts
