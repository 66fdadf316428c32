"""Titles that a name may mean, by its words."""

from collections.abc import Sequence

from app.chat.documents.phrases import Phrase
from app.chat.documents.reading import Reading
from app.chat.documents.titles import Titles
from app.chat.documents.vocabulary import ALIKE_KINDS, GENERIC, KINDS, LATEST, PARTS, STOP, WEAK
from app.chat.documents.words import numeric, stem

MOST_TOGETHER = 8  # documents of "the travel policies"
_SAYS_LITTLE = KINDS | GENERIC | STOP | PARTS
_YEAR = 4  # digits of a year


def look_up(titles: Titles, phrase: Phrase, reading: Reading) -> tuple[list[int], bool]:
    """The titles that a phrase may mean, and whether only by their likeness."""
    words = list(phrase.words)
    strong = [one for one in words if one not in WEAK] or words
    if exact := titles.verbatim(strong):
        return exact, False
    for wanted in (words, strong):
        if found := titles.fitting(wanted):
            return _newest(titles, found, phrase), False
    if (found := _of_like_kind(titles, phrase)) or not reading.looks:
        return found, False
    reading.looks -= 1
    for find in (titles.shortened, titles.alike):
        for wanted in (words, strong) if words != strong else (words,):
            if found := find(wanted):
                return found, find == titles.alike
    return _of_like_kind(titles, phrase, alike=True), False


def _of_like_kind(titles: Titles, phrase: Phrase, *, alike: bool = False) -> list[int]:
    """Titles with all that is told and a kind that one may say instead, or with any kind where the phrase
    says no more than that it is a document.
    """
    telling = phrase.telling
    if not phrase.noun or not telling:
        return _of_kind(titles, phrase.noun) if phrase.noun and not telling else []
    found = titles.alike(telling) if alike else titles.fitting(telling)
    if phrase.noun in GENERIC:
        return found
    kinds_alike = {kind for group in ALIKE_KINDS if phrase.noun in group for kind in group}
    return [
        place
        for place in found
        if {stem(one) for one in titles.words[place]} & kinds_alike
        or not {stem(one) for one in titles.words[place]} & KINDS
    ]


def _of_kind(titles: Titles, noun: str) -> list[int]:
    """Titles that say that they are such a document, or if none does, one that it may be called too."""
    like = {kind for group in ALIKE_KINDS if noun in group for kind in group}
    found = titles.fitting([noun])
    return found or sorted(set().union(*(titles.having.get(one, ()) for one in like)))


def _newest(titles: Titles, found: list[int], phrase: Phrase) -> list[int]:
    """Of several the one of the latest year, where the latest is asked for and each has a year."""
    if len(found) < 2 or not LATEST.intersection(phrase.words):
        return found
    years = {place: _year(titles.words[place]) for place in found}
    latest = max(years.values())
    best = [place for place in found if years[place] == latest]
    return best if min(years.values()) and len(best) == 1 else found


def _year(words: Sequence[str]) -> int:
    return max((int(one) for one in words if one.isdigit() and len(one) == _YEAR), default=0)


def narrowed(titles: Titles, found: list[int], phrase: Phrase) -> list[int]:
    """Those of several that have the words after the phrase too, as far as any has."""
    bare_generic = not phrase.telling and phrase.noun in GENERIC
    if len(found) < 2 and not bare_generic:
        return found
    return among(titles, found, phrase.after)


def among(titles: Titles, found: list[int], words: Sequence[str]) -> list[int]:
    """Those of several that have these words, as far as any has."""
    left = set(found)
    for word in words:
        left = left & titles.having.get(stem(word), set()) or left
    return sorted(left)


def covers(title: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words are all that a title says, but for its year, its kind and help words."""
    said = {stem(one) for one in words}
    rest = [stem(one) for one in title if not any(c.isdigit() for c in one)]
    rest = [one for one in rest if one not in _SAYS_LITTLE]
    return bool(rest) and said.issuperset(rest)


def editions(titles: Titles, places: Sequence[int], *, alike: bool) -> list[int]:
    """Titles that are the same as one of these but for their numbers; or with `alike` but for one word."""
    found: list[int] = []
    for place in places[:MOST_TOGETHER]:
        words = [one for one in titles.words[place] if not numeric(one)]
        found += [
            other
            for other in titles.fitting(words)
            if [one for one in titles.words[other] if not numeric(one)] == words
        ]
        if alike and len(words) > 1:
            found += [
                one for left in words for one in titles.fitting([w for w in words if w != left])
            ]
    return list(dict.fromkeys(found))
