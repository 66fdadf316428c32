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

_PLACE = patterns.compile(r"\s+|[\u3001\uff0c\uff1b\uff1a\u060c]")
LONGEST_WORD = 64  # characters tokenized as one word: the time grows with the square of the length
_AT_ONCE = 1 << 20  # characters
MOST_KNOWN = 200_000  # words with cached counts, about 20 MB


def split_span(text: str, span: Span, most: int) -> list[Span]:
    """Split a span into spans of at most `most` tokens, after words if possible, in O(n log n)."""
    done: list[Span] = []
    waiting = [span]
    while waiting:
        start, end = waiting.pop()
        if end - start < 2 or (end - start <= most * 40 and count_tokens(text[start:end]) <= most):
            done.append((start, end))
            continue
        middle = _near_middle(text, start, end)
        waiting += [(middle, end), (start, middle)]
    return done


def _near_middle(text: str, start: int, end: int) -> int:
    """Offset after the word nearest to the middle, else the middle itself."""
    middle = (start + end) // 2
    reach = min((end - start) // 4, 2_000)
    places = [found.end() for found in _PLACE.finditer(text[middle - reach : middle + reach])]
    return middle - reach + min(places, key=lambda place: abs(place - reach)) if places else middle


def fit_sentences(text: str, start: int, end: int, most: int) -> list[tuple[Span, int]]:
    """Sentences between two offsets with their token counts, each of at most `most` tokens."""
    spans: list[Span] = []
    whole = list(split_sentences(text, start, end))
    for span, tokens in zip(whole, count_tokens_each(text[a:b] for a, b in whole), strict=True):
        spans.extend([span] if tokens <= most else split_span(text, span, most))
    return list(zip(spans, count_tokens_each(text[a:b] for a, b in spans), strict=True))


def overlap_start(text: str, start: int, end: int, most: int) -> int | None:
    """Start offset of the last sentences that total at most `most` tokens; None if none fit."""
    place, room = None, most
    for span in reversed(list(split_sentences(text, max(start, end - most * 12), end))):
        room -= count_tokens(text[span[0] : span[1]])
        if room < 0 or span[0] <= start:
            break
        place = span[0]
    return place


_kept: list[dict[str, int]] = [{}]


@cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer  # noqa: PLC0415 - 0.1 s that only cutting needs

    found = find_spec("wordllama")
    folder = Path(str(found.origin)).parent if found is not None else Path()
    return Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))


def count_tokens_each(texts: Iterable[str]) -> list[int]:
    """Token count of each text, as the sum over its words.

    Within 5% of the tokenizer's count for the whole text on documentation (line breaks are not
    counted), and several times as fast, since words recur.
    """
    words = [_words(text) for text in texts]
    known = _count_words({word for line in words for word in line})
    return [sum(map(known.__getitem__, line)) for line in words]


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
    """Cached token counts, including these words. A full table is replaced, never emptied."""
    known = _kept[0]
    fresh = [word for word in words if word not in known]
    if len(known) + len(fresh) > MOST_KNOWN:
        known, fresh = {}, list(words)
        _kept[0] = known
    if fresh:
        found = _tokenizer().encode_batch(fresh, add_special_tokens=False)
        known.update((word, max(1, len(one.ids))) for word, one in zip(fresh, found, strict=True))
    return known
