"""Where in a request a document may be named, and how plainly."""

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from app.chat.documents.reading import STOP as STOP_GAP
from app.chat.documents.reading import Reading
from app.chat.documents.vocabulary import (
    ACTIONS,
    DEFINITE,
    GENERIC,
    INDEFINITE,
    JOINTS,
    KINDS,
    PASTED,
    PREPOSITIONS,
    SAY,
    STOP,
    VERBS,
    WEAK,
    lexicon,
)
from app.chat.documents.words import numeric, parts_of, stem

MOST_BEFORE = 6  # words that say which policy it is
STOPPED = frozenset(
    {"against", "gegen", "contre", "contra", "מול"}
)  # before what a text is checked against
LONGEST_QUOTED = 8  # words of a title in quotes
MOST_AFTER = 8  # words after it that may say so: "for contractors in Spain"
_INTO = lexicon(
    "in per under from by within against of about after to laut im aus nach selon dans segun en on"
)
_LINKS = lexicon("about on called named titled regarding concerning uber zu sur sobre namens")
WITHIN = frozenset(
    {"in", "from", "under", "per", "im", "aus", "laut", "dans", "selon", "segun", "en"}
)
_LONG_VERB = 6  # letters: a shorter word is not taken for a misspelt one
_MISSPELT = 88.0  # of 100: one letter of eight is wrong, left out or added
_TAIL = 5  # letters that a word has at least before the kind it ends in: "reiserichtlinie"
_NAMED_AFTER = lexicon("called named titled entitled namens intitule llamado")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words that may name a document, places `begin` to `end`. `words` are those it goes by, `after` those
    that may narrow it, `noun` what kind of document it says that it is. `definite`: "the", "our"; `cue`:
    what is asked is what it says; `quoted`: it is written as a title or a file is.
    """

    begin: int
    end: int
    words: tuple[str, ...]
    noun: str = ""
    after: tuple[str, ...] = ()
    definite: bool = False
    cue: bool = False
    quoted: bool = False
    plural: bool = False
    linked: bool = False

    @property
    def telling(self) -> tuple[str, ...]:
        """The words that say which one."""
        return tuple(
            one
            for one in self.words
            if (stem(one) != self.noun or parts_of(one)) and one not in WEAK
        )


def written(reading: Reading) -> Iterator[Phrase]:
    """Names in quotes and names of files."""
    for spans, is_file in ((reading.files, True), (reading.quoted, False)):
        for begin, end in spans:
            if begin == end or not reading.free(begin, end):
                continue
            words = tuple(reading.texts(begin, end))
            if not is_file and _is_text(reading, begin, end):
                reading.take(begin, end)
                continue
            cue = is_file or _spoken_of(reading, begin, end) or _called(reading, begin, end)
            yield Phrase(begin=begin, end=end, words=words, quoted=True, cue=cue)


def _is_text(reading: Reading, begin: int, end: int) -> bool:
    """Whether what stands in quotes is a sentence or more: those are texts, and no titles."""
    gaps = [word.gap for word in reading.words[begin + 1 : end]]
    stopped = reading.stopped(end)
    return (
        end - begin > LONGEST_QUOTED
        or STOP_GAP in gaps
        or stopped
        or bool(end - begin > 2 and VERBS.intersection(reading.texts(begin + 1, end - 1)))
    )


def kinds(reading: Reading) -> Iterator[Phrase]:
    """Phrases that end in a kind of document, as "our travel policy 2024 for contractors"."""
    for place in range(len(reading.words)):
        noun = _kind(reading, place)
        if noun and reading.free(place, place + 1):
            yield from _of_kind(reading, place, noun)


def _of_kind(reading: Reading, place: int, noun: str) -> Iterator[Phrase]:
    begin = _begin(reading, place)
    end = place + 1
    while reading.gap(end) == "" and numeric(reading.at(end)):
        end += 1
    determiner = reading.at(begin - 1) if reading.gap(begin) == "" else ""
    if determiner in INDEFINITE:
        return
    words = tuple(reading.texts(begin, end))
    singular = end == place + 1 and stem(words[-1]) == words[-1]
    definite = determiner in DEFINITE or _hebrew_the(words[-1])
    if begin == place and not definite and reading.at(place) in ACTIONS | STOP:
        return
    if noun == "one" and not (definite and begin < place):
        return
    cue = _spoken_of(reading, begin, end, determined=definite)
    phrase = Phrase(
        begin=begin,
        end=end,
        words=words,
        noun=noun,
        after=words_after(reading, end),
        definite=definite,
        cue=cue,
        plural=not singular and words[-1] not in ("terms", "minutes") and not numeric(words[-1]),
        linked=reading.gap(end) == "" and reading.at(end) in _LINKS,
    )
    yield from _joined(reading, phrase)
    yield phrase


def _joined(reading: Reading, phrase: Phrase) -> Iterator[Phrase]:
    """The other of "the travel and expense policies" and of "handbook 2023 and 2024"."""
    begin = phrase.begin
    while reading.gap(begin) == "" and reading.at(begin - 1) in DEFINITE:
        begin -= 1
    if phrase.plural and reading.at(begin - 1) in JOINTS and reading.gap(begin) == "":
        last = begin - 1
        first = last - 1
        while numeric(reading.at(first)) and numeric(reading.at(first - 1)):
            first -= 1
        other = reading.texts(first, last) if reading.at(first) else []
        if other and other[0] not in STOP:
            words = (*other, *(one for one in phrase.words if stem(one) == phrase.noun))
            yield Phrase(
                begin=first,
                end=begin,
                words=words,
                noun=phrase.noun,
                definite=True,
                cue=phrase.cue,
            )
    if numeric(phrase.words[-1]) and reading.at(phrase.end) in JOINTS:
        number = reading.at(phrase.end + 1)
        if numeric(number):
            words = (*(one for one in phrase.words if not numeric(one)), number)
            yield Phrase(
                begin=phrase.end,
                end=phrase.end + 2,
                words=words,
                noun=phrase.noun,
                definite=True,
                cue=phrase.cue,
            )


def proper(reading: Reading) -> Iterator[Phrase]:
    """Words written with capitals inside a sentence."""
    place = 0
    while place < len(reading.words):
        end = place
        while end < len(reading.words) and _name_part(reading, end, first=end == place):
            end += 1
        if end > place:
            cue = _spoken_of(reading, place, end)
            words = tuple(reading.texts(place, end))
            yield Phrase(
                begin=place, end=end, words=words, cue=cue, after=words_after(reading, end)
            )
        place = max(end, place + 1)


def _kind(reading: Reading, place: int) -> str:
    """The kind of document that a word says; in German it may end a longer word."""
    word = stem(reading.words[place].text)
    if word in KINDS or word in GENERIC or word == "one" or reading.words[place].text in KINDS:
        return word
    for ending in (word, word.removesuffix("n"), word.removesuffix("es"), word.removesuffix("s")):
        for kind in KINDS:
            if len(kind) > _TAIL and ending.endswith(kind) and len(ending) - len(kind) > 2:
                return word
    return ""


def _begin(reading: Reading, place: int) -> int:
    begin = place
    while begin > 0 and place - begin < MOST_BEFORE and reading.gap(begin) == "":
        word = reading.at(begin - 1)
        if (
            not word
            or word in PASTED
            or (begin == 1 and _bids(word))
            or (word in STOP and not _modifies(reading, begin - 1))
        ):
            break
        begin -= 1
    return begin


def _bids(word: str) -> bool:
    """Whether a request begins with it, misspelt: "sumarize"."""
    return len(word) >= _LONG_VERB and bool(
        process.extractOne(word, ACTIONS, scorer=fuzz.ratio, score_cutoff=_MISSPELT)
    )


def _modifies(reading: Reading, place: int) -> bool:
    """Whether a word that is otherwise an action is part of a name, as in "the audit report"."""
    if reading.at(place) not in ACTIONS | SAY or reading.gap(place) != "":
        return False
    before = reading.at(place - 1)
    return (
        before in DEFINITE or before in PREPOSITIONS or (place > 0 and reading.words[place].capital)
    )


def words_after(reading: Reading, end: int) -> tuple[str, ...]:
    """Content words after a phrase, to the end of its clause or the next thing that is named."""
    found: list[str] = []
    for place in range(end, min(end + MOST_AFTER, len(reading.words))):
        word = reading.at(place)
        if (
            reading.gap(place) != ""
            or not word
            or word in SAY
            or word in ("and", "und", "et", "y", "with", "vs")
        ):
            break
        if word not in STOP:
            found.append(word)
    return tuple(found)


def _spoken_of(reading: Reading, begin: int, end: int, *, determined: bool = False) -> bool:
    """Whether what is asked is what a document says: "in the ...", "does the ... say"."""
    if reading.gap(end) == "" and reading.at(end) in SAY:
        return True
    before = begin
    while before > 0 and reading.gap(before) == "" and reading.at(before - 1) in DEFINITE:
        before -= 1
    if before == begin and determined:
        return True  # the article is part of the word
    return reading.gap(before) == "" and reading.at(before - 1) in _INTO


def _called(reading: Reading, begin: int, end: int) -> bool:
    before = reading.at(begin - 1)
    kind = _kind(reading, begin - 1) if before else ""
    kind_after = _kind(reading, end) if reading.at(end) else ""
    return before in _NAMED_AFTER or bool(kind) or bool(kind_after)


def _name_part(reading: Reading, place: int, *, first: bool) -> bool:
    word = reading.words[place]
    if place in reading.taken or (not first and word.gap):
        return False
    if not first and numeric(word.text):
        return True
    starts = place == 0 or word.gap == "|"
    if not word.capital or (starts and word.text in STOP | WEAK):
        return False
    return word.text not in STOP


def _hebrew_the(word: str) -> bool:
    return len(word) > 2 and word[0] in "הבל" and stem(word) != word
