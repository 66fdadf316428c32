"""Documents that are named by what tells them from their like: "SLA gold vs standard", "and turbine 7?"."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from app.chat.documents.context import Meant
from app.chat.documents.listing import Listing
from app.chat.documents.looking import editions
from app.chat.documents.reading import STOP as GAP
from app.chat.documents.reading import Reading
from app.chat.documents.titles import Titles
from app.chat.documents.vocabulary import GENERIC, KINDS, PARTS, STOP, WEAK, lexicon
from app.chat.documents.words import numeric, stem

KIN = 0.5  # of the words of the shorter of two titles, that both have
MOST_PAIRED = 12  # titles of which two are looked for
RARE = 4  # titles at most, that a word tells apart from the rest
SHORT = 8  # words of a message that only goes on with another document
CERTAIN = 3  # words of one title, a number among them, that name it in a question
EDITIONS = lexicon("new newer newest old older latest previous current neue neuen alte alten")
Key = TypeVar("Key")
_SAYS_LITTLE = STOP | WEAK | PARTS
_OPENERS = lexicon("and und et y ok okay now same what how was")


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a request that titles have, and what each tells, more for one that few have."""

    titles: Titles
    weights: Mapping[str, float]

    def of(self, place: int) -> frozenset[str]:
        """Those that a title has."""
        return frozenset(one for one in self.weights if place in self.titles.having[one])

    def weight(self, words: Iterable[str]) -> float:
        """What they tell together."""
        return sum(self.weights[one] for one in words)

    def best(self) -> list[int]:
        """Titles that most is said of, the most first."""
        scores: dict[int, float] = {}
        for word, weight in self.weights.items():
            for place in self.titles.having[word]:
                scores[place] = scores.get(place, 0.0) + weight
        return sorted(scores, key=lambda place: (-scores[place], place))


def said_of(reading: Reading, titles: Titles) -> Said:
    """What a request says of titles; what is a word of many titles tells little."""
    words = {
        stem(one.text)
        for one in reading.words
        if numeric(one.text) or one.text not in _SAYS_LITTLE or _capitals(one.raw)
    }
    found = {one: len(titles.having[one]) for one in words if titles.having.get(one)}
    return Said(titles, {one: 1.0 / (1 + count) ** 0.5 for one, count in found.items()})


def compared(reading: Reading, listing: Listing, meant: Meant) -> None:
    """The other of a comparison that only one was found for, or both where none was."""
    titles = listing.ready
    said = said_of(reading, titles)
    if len(meant.resolved) == 1:
        known = titles.place(next(iter(meant.resolved)))
        if known is None or (other := _other_of(known, said, reading, listing, meant)) is None:
            return
        found = [known, other]
    elif not meant.resolved:
        found = _pair(said)
    else:
        return
    if found:
        _mean(found, said, listing, meant)


def asked_of_two(reading: Reading, listing: Listing, meant: Meant) -> None:
    """Two editions that a question names by their numbers: "solvency ratio 2023 against 2024"."""
    said = said_of(reading, listing.ready)
    found = _pair(said)
    if not found:
        return
    one, other = (said.of(place) for place in found)
    rare = [word for word in one & other if _rare(word, said) and not numeric(word)]
    if rare and any(map(numeric, one - other)) and any(map(numeric, other - one)):
        _mean(found, said, listing, meant)


def standing_out(reading: Reading, listing: Listing, meant: Meant) -> None:
    """The title that a question says most of: a proper name and more, or a date and what was then."""
    said = said_of(reading, listing.ready)
    best = said.best()[:2]
    if not best:
        return
    words = said.of(best[0])
    if len(best) > 1 and said.weight(words) <= said.weight(said.of(best[1])):
        return
    telling = [one for one in words if one not in KINDS | GENERIC]
    dated = len(words) >= CERTAIN and len(telling) > 1 and any(map(numeric, words))
    if dated or (len(words) > 1 and _proper(reading, words, said)):
        meant.add(listing.refs(best[:1]))


def goes_on(reading: Reading, listing: Listing, meant: Meant) -> bool:
    """Take "and for fleets?" or "same for May" for the like of what was spoken of. Whether it was one."""
    last = listing.lately()
    short = len(reading.words) <= SHORT and reading.at(0) in _OPENERS
    known = listing.ready.place(last[0].id) if len(last) == 1 and short else None
    if known is None:
        return False
    other = _sibling(known, said_of(reading, listing.ready))
    if other is not None:
        meant.add(listing.refs([other]))
        reading.take(0, len(reading.words))
    return other is not None


def _other_of(
    known: int, said: Said, reading: Reading, listing: Listing, meant: Meant
) -> int | None:
    left = [one for one in meant.candidates if one not in meant.resolved]
    if len(left) == 1:
        return said.titles.place(left[0])
    other = _sibling(known, said)
    if other is None and EDITIONS.intersection(reading.texts(0, len(reading.words))):
        others = [one for one in editions(said.titles, [known], alike=False) if one != known]
        other = others[0] if len(others) == 1 else None
    return other


def _sibling(known: int, said: Said) -> int | None:
    """The like of a title that the request says what it has of its own; of several the likest."""
    own = _stems(said.titles, known)
    scores: dict[int, tuple[float, int]] = {}
    for place in said.best()[: MOST_PAIRED * 2]:
        apart = said.of(place) - own
        if place != known and _tells(apart, said) and _kin(said.titles, known, place):
            shared = len(own & _stems(said.titles, place))
            scores[place] = (round(said.weight(apart), 6), shared)
    return _first(scores)


def _pair(said: Said) -> list[int]:
    """The two like titles that most is said of, each something of its own; none where it may be others."""
    scores: dict[tuple[int, int], tuple[float, int]] = {}
    for one, other in combinations(said.best()[:MOST_PAIRED], 2):
        ours, theirs = said.of(one), said.of(other)
        if ours <= theirs or theirs <= ours or not ours & theirs:
            continue
        if _kin(said.titles, one, other):
            score = said.weight(ours | theirs) + said.weight(ours & theirs) / 2
            scores[one, other] = (round(score, 6), len(ours & theirs))
    best = _first(scores)
    return list(best) if best else []


def _first(scores: Mapping[Key, tuple[float, int]]) -> Key | None:
    """The best, unless another is as good."""
    ordered = sorted(scores, key=lambda one: scores[one], reverse=True)
    if not ordered or (len(ordered) > 1 and scores[ordered[0]] == scores[ordered[1]]):
        return None
    return ordered[0]


def _kin(titles: Titles, one: int, other: int) -> bool:
    ours = {word for word in _stems(titles, one) if not numeric(word)}
    theirs = {word for word in _stems(titles, other) if not numeric(word)}
    return len(ours & theirs) >= max(1, KIN * min(len(ours), len(theirs)))


def _mean(found: Sequence[int], said: Said, listing: Listing, meant: Meant) -> None:
    """These are meant, and with them the names that say nothing else."""
    meant.add(listing.refs(sorted(found)))
    meant.candidates.clear()
    known = frozenset[str]().union(*(_stems(said.titles, place) for place in found))
    meant.unresolved[:] = [
        one
        for one in meant.unresolved
        if not {stem(word.casefold()) for word in one.split()} <= known
    ]


def _stems(titles: Titles, place: int) -> frozenset[str]:
    return frozenset(stem(word) for word in titles.words[place])


def _capitals(raw: str) -> bool:
    """Whether it is written as "US" is, which is not "us"."""
    return len(raw) > 1 and raw.isupper()


def _tells(words: frozenset[str], said: Said) -> bool:
    """Whether they say which, and not only of which kind."""
    return any(one not in KINDS or _rare(one, said) for one in words)


def _rare(word: str, said: Said) -> bool:
    return len(said.titles.having[word]) <= RARE


def _proper(reading: Reading, words: frozenset[str], said: Said) -> bool:
    """Whether one of these is written as a name is, and stands in one title or two."""
    return any(
        at > 0
        and word.gap != GAP
        and word.raw[:1].isupper()
        and stem(word.text) in words
        and len(said.titles.having[stem(word.text)]) <= 2
        for at, word in enumerate(reading.words)
    )
