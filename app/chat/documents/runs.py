"""Runs of words that may name a document, whatever they say."""

from collections.abc import Iterator

from app.chat.documents.phrases import MOST_BEFORE, WITHIN, Phrase, words_after
from app.chat.documents.reading import Reading
from app.chat.documents.vocabulary import DEFINITE, PARTS, PASTED, SAY, STOP


def asked_for(reading: Reading) -> Iterator[Phrase]:
    """What stands before "say" and after "according to", whatever it is called."""
    for place, word in enumerate(reading.words):
        if word.text in SAY and word.gap == "":
            begin = place
            while begin > 0 and place - begin < MOST_BEFORE and content(reading, begin - 1):
                begin -= 1
                if reading.gap(begin) != "":
                    break
            yield from _chunk(reading, begin, place, cue=True)
        into = word.text in WITHIN or (word.text == "to" and reading.at(place - 1) == "according")
        if into and reading.free(place, place + 1):
            yield from _chunkwords_after(reading, place + 1, cue=True)


def objects(reading: Reading) -> Iterator[Phrase]:
    """What an action may be done with: runs of words that are no help words."""
    place = 0
    while place < len(reading.words):
        end = place
        while (
            end < len(reading.words)
            and content(reading, end)
            and (end == place or reading.gap(end) == "")
        ):
            end += 1
        yield from _chunk(reading, place, end, cue=False)
        place = max(end, place + 1)


def _chunkwords_after(reading: Reading, begin: int, *, cue: bool) -> Iterator[Phrase]:
    while reading.at(begin) in DEFINITE:
        begin += 1
    end = begin
    while (
        end < len(reading.words)
        and content(reading, end)
        and (end == begin or reading.gap(end) == "")
    ):
        end += 1
    yield from _chunk(reading, begin, end, cue=cue)


def _chunk(reading: Reading, begin: int, end: int, *, cue: bool) -> Iterator[Phrase]:
    if begin < end and reading.free(begin, end):
        definite = reading.gap(begin) == "" and reading.at(begin - 1) in DEFINITE
        words = tuple(reading.texts(begin, end))
        yield Phrase(
            begin=begin,
            end=end,
            words=words,
            definite=definite,
            cue=cue,
            after=words_after(reading, end),
        )


def content(reading: Reading, place: int) -> bool:
    """Whether it is no help word, and not accounted for."""
    word = reading.at(place)
    return bool(word) and word not in STOP and word not in PASTED and word not in PARTS
