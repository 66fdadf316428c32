"""How the length that is asked for is divided among several documents."""

from collections.abc import Sequence
from dataclasses import replace

from app.chat.summarizing.length import Length
from app.chat.summarizing.sources import Source
from app.chat.summarizing.units import count

SEVERAL = 12  # sentences over all documents, where no length is asked for; 3 of each at least
LEAST = 3


def shares(length: Length, sources: Sequence[Source]) -> list[Length | None]:
    """The length of each one's summary, in their order; None for one that there is no room for."""
    if len(sources) == 1 or length.each:
        return [length.settled(one.tokens) for one in sources]
    length = replace(length, paragraphs=_each(length.paragraphs, len(sources)))
    if length.open:
        most = max(LEAST, round(SEVERAL * length.times / len(sources)))
        settled = [length.settled(one.tokens) for one in sources]
        return [replace(one, sentences=min(one.sentences or most, most)) for one in settled]
    weights = [max(one.tokens, 1) ** 0.5 for one in sources]
    words = length.words
    if words is not None:
        titles = sum(count(one.document.title) for one in sources)
        words = words - titles if titles <= words // 2 else words
    dealt = zip(
        _dealt(length.sentences, weights),
        _parts(words, weights),
        _parts(length.characters, weights),
        strict=True,
    )
    made = [
        replace(length, sentences=number, words=most, characters=letters)
        for number, most, letters in dealt
    ]
    return [None if one.sentences == 0 else one for one in made]


def _each(paragraphs: int | None, among: int) -> int | None:
    return None if paragraphs is None else max(1, paragraphs // among)


def _dealt(number: int | None, weights: Sequence[float]) -> list[int | None]:
    """One each while there are any, the larger first; then by weight (D'Hondt)."""
    if number is None:
        return [None] * len(weights)
    given = [0] * len(weights)
    for _ in range(number):
        empty = [at for at, one in enumerate(given) if not one]
        among = empty or range(len(weights))
        given[max(among, key=lambda at: weights[at] / (given[at] + 1))] += 1
    return list(given)


def _parts(number: int | None, weights: Sequence[float]) -> list[int | None]:
    if number is None:
        return [None] * len(weights)
    return [int(number * weight / sum(weights)) for weight in weights]
