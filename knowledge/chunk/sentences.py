"""Where running text may be cut: behind sentences; where these are too long, behind words, or anywhere."""

from app.text import patterns
from app.text.sentences import Span, sentences
from knowledge.chunk.tokens import count, counts

_PLACE = patterns.compile(r"\s+|[\u3001\uff0c\uff1b\uff1a\u060c]")


def shorter(text: str, span: Span, most: int) -> list[Span]:
    """A span as spans of at most `most` tokens, cut behind words where there are any; halves first, so that
    the time stays bounded by the length times its logarithm.
    """
    done: list[Span] = []
    waiting = [span]
    while waiting:
        start, end = waiting.pop()
        if end - start < 2 or (end - start <= most * 40 and count(text[start:end]) <= most):
            done.append((start, end))
            continue
        middle = _near_middle(text, start, end)
        waiting += [(middle, end), (start, middle)]
    return done


def _near_middle(text: str, start: int, end: int) -> int:
    """Behind the word that is nearest to the middle, in the inner half; else the middle itself."""
    middle = (start + end) // 2
    reach = min((end - start) // 4, 2_000)
    places = [found.end() for found in _PLACE.finditer(text[middle - reach : middle + reach])]
    return middle - reach + min(places, key=lambda place: abs(place - reach)) if places else middle


def fitting(text: str, start: int, end: int, most: int) -> list[tuple[Span, int]]:
    """The sentences between two places with their tokens, none of more than `most`."""
    spans: list[Span] = []
    whole = list(sentences(text, start, end))
    for span, tokens in zip(whole, counts(text[a:b] for a, b in whole), strict=True):
        spans.extend([span] if tokens <= most else shorter(text, span, most))
    return list(zip(spans, counts(text[a:b] for a, b in spans), strict=True))


def ending(text: str, start: int, end: int, most: int) -> int | None:
    """Where the last sentences of a span begin that make at most `most` tokens together; None for none."""
    place, room = None, most
    for span in reversed(list(sentences(text, max(start, end - most * 12), end))):
        room -= count(text[span[0] : span[1]])
        if room < 0 or span[0] <= start:
            break
        place = span[0]
    return place
