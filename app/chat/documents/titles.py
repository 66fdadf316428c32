"""The titles of a tenant, made ready for being looked up in a message."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from app.chat.documents.words import lines_of_words, numeric, parts_of, stem
from app.domain.knowledge import Titled

ALIKE = 85.0  # of 100: what the source design takes for the same title
WORD_ALIKE = 75.0  # of 100: one letter of four is wrong, left out or added
LIKELY = 12  # titles that a model is shown
LONGEST = 24  # words of a title that are looked for in a message
_MOST_KEPT = 8  # tenants whose titles stay ready in this process
_SHORT_FOR = 5  # letters: longer words are no abbreviation
_LONG_WORD = 9  # letters: a word of titles that ends in such a one is a compound of it
_ENDINGS = ("ings", "ing", "ers", "er", "ed", "ation", "ment", "al")
_SHORT_WORD = 3  # letters: shorter ones are not taken for misspelt


@dataclass(frozen=True, slots=True)
class Titles:
    """What is looked up. `words` are those of each title, in the order of `all`, `lines` the same as text
    with a space before each, `closed` with none; `exact` finds titles, and names of files, by all of them,
    `starting` says how many words the longest has that begins with this one, `having` finds them by the
    stem of any.
    """

    all: Sequence[Titled]
    words: list[list[str]]
    lines: list[str]
    closed: list[str]
    exact: dict[str, list[int]]
    starting: dict[str, int]
    having: dict[str, set[int]]
    places: dict[str, int]

    def place(self, document_id: str) -> int | None:
        """Where the document stands in `all`; None for one that is not the tenant's."""
        return self.places.get(document_id)

    def verbatim(self, words: Sequence[str]) -> list[int]:
        """Titles that these words are."""
        return self.exact.get(" ".join(words), [])

    def fitting(self, words: Sequence[str]) -> list[int]:
        """Titles that have all of these words, in the order of `all`."""
        sets = [self.having.get(stem(word), set()) for word in words]
        if not sets:
            return []
        return sorted(set.intersection(*sorted(sets, key=len)))

    def shortened(self, words: Sequence[str]) -> list[int]:
        """Titles that have these words, those that no title has as what they are short for: "db" for
        "database", or "msa" for the first letters of its words.
        """
        known = [one for one in words if stem(one) in self.having]
        short = [stem(one) for one in words if one not in known and one.isalpha()]
        if len(known) + len(short) != len(words) or not short or max(map(len, short)) > _SHORT_FOR:
            return []
        places = self.fitting(known) if known else range(len(self.words))
        return [
            place
            for place in places
            if all(_stands_for(one, self.words[place], alone=not known) for one in short)
        ]

    def alike(self, words: Sequence[str]) -> list[int]:
        """Titles that the words may be a misspelling of, the likest first.

        Each word is first set right by the words that titles have; then the whole is compared by
        `fuzz.ratio`, the likeness of the two strings by their edits: unlike the `token_set` and `partial`
        scorers it never calls a title alike for one word that both have. Numbers must be the same:
        "Handbook 2023" is no misspelling of "Handbook 2024".
        """
        right = [self._right(word) for word in words]
        found: dict[int, float] = {}
        if all(right):
            wanted = "".join(
                one or "" if self._ended(word) else word
                for one, word in zip(right, words, strict=True)
            )
            for place in self.fitting([one for one in right if one]):
                score = fuzz.ratio(wanted, "".join(one or "" for one in right))
                if score >= ALIKE:
                    found[place] = score
        return sorted(found, key=lambda place: -found[place]) or self._closed_up(words)

    def _right(self, word: str) -> str | None:
        """The word of a title that this one is, or is a misspelling of."""
        if stem(word) in self.having:
            return stem(word)
        if len(word) <= _SHORT_WORD or not word.isalpha():
            return None
        if (ended := self._ended(word)) is not None:
            return ended
        near = process.extractOne(
            stem(word), self.having.keys(), scorer=fuzz.ratio, score_cutoff=WORD_ALIKE
        )
        return near[0] if near else None

    def _ended(self, word: str) -> str | None:
        """The one word of titles that ends in this long one, as German compounds do, or that has its root:
        "working" for "work".
        """
        if len(word) >= _LONG_WORD:
            ending = [one for one in self.having if one.endswith(word)]
            if len(ending) == 1:
                return ending[0]
        root = next((word.removesuffix(one) for one in _ENDINGS if word.endswith(one)), "")
        return root if len(root) > _SHORT_WORD and root in self.having else None

    def _closed_up(self, words: Sequence[str]) -> list[int]:
        """Titles that are the words run together or pulled apart: "hand book" for "Handbook"."""
        wanted, numbers = "".join(words), _numbers(words)
        if len(wanted) <= _SHORT_WORD:
            return []
        near = process.extract(
            wanted, self.closed, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=LIKELY, processor=None
        )
        return [
            place
            for _, _, place in near
            if numbers == _numbers(self.words[place]) and self._aligned(words, place)
        ]

    def _aligned(self, words: Sequence[str], place: int) -> bool:
        """Whether no word stands against quite another: "processing" is not "protection"."""
        theirs = self.words[place]
        if len(words) != len(theirs):
            return True
        return all(
            fuzz.ratio(one, other) >= WORD_ALIKE
            for one, other in zip(sorted(words), sorted(theirs), strict=True)
        )

    def likely(self, words: Sequence[str], most: int = LIKELY) -> list[int]:
        """The titles that share most with these words, rare ones counting more: what a model is shown
        instead of all.
        """
        scores: dict[int, float] = {}
        for word in {self._right(one) for one in set(words)} - {None}:
            places = self.having[word or ""]
            for place in places if len(places) <= len(self.all) // 4 + most else ():
                scores[place] = scores.get(place, 0.0) + 1.0 / len(places)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:most]
        return best or list(range(min(most, len(self.all))))


def titles_of(titles: Sequence[Titled]) -> Titles:
    """The titles made ready; kept for as long as they are the same object, as those of one version are."""
    kept = _kept.get(id(titles))
    if kept is not None and kept.all is titles:
        return kept
    made = _made(titles)
    _kept[id(titles)] = made
    while len(_kept) > _MOST_KEPT:
        _kept.popitem(last=False)
    return made


_kept: OrderedDict[int, Titles] = OrderedDict()


def _made(titles: Sequence[Titled]) -> Titles:
    words = lines_of_words([one.title for one in titles])
    lines = [" " + " ".join(line) for line in words]
    exact: dict[str, list[int]] = {}
    starting: dict[str, int] = {}
    having: dict[str, set[int]] = {}
    stems: dict[str, tuple[str, ...]] = {}
    for place, line in enumerate(words):
        for word in line:
            if (known := stems.get(word)) is None:
                known = stems[word] = (stem(word), *parts_of(word))
            for one in known:
                if one in having:
                    having[one].add(place)
                else:
                    having[one] = {place}
    for place, line in (*enumerate(words), *_files(titles).items()):
        if not line:
            continue
        same = exact.setdefault(" ".join(line), [])
        if place not in same:
            same.append(place)
        starting[line[0]] = max(starting.get(line[0], 0), min(len(line), LONGEST))
    places = {one.document_id: place for place, one in enumerate(titles)}
    closed = ["".join(line) for line in words]
    return Titles(titles, words, lines, closed, exact, starting, having, places)


def _files(titles: Sequence[Titled]) -> dict[int, list[str]]:
    """The words of the names of files, by the place of the title."""
    named = {
        place: one.source.replace("\\", "/").rpartition("/")[2]
        for place, one in enumerate(titles)
        if one.source and "://" not in one.source and one.source != one.title
    }
    if not named:
        return {}
    return dict(zip(named, lines_of_words(list(named.values())), strict=True))


def _stands_for(short: str, words: Sequence[str], *, alone: bool) -> bool:
    """Whether it is the first letters of words in a row, or beside words that fit, of one word."""
    initials = "".join(one[0] for one in words)
    if short in initials if len(short) >= _SHORT_WORD else initials.startswith(short) and not alone:
        return True
    return not alone and any(
        one[0] == short[0] and len(one) > len(short) + 1 and _in_order(short, one) for one in words
    )


def _in_order(letters: str, word: str) -> bool:
    left = iter(word)
    return all(letter in left for letter in letters)


def _numbers(words: Sequence[str]) -> set[str]:
    return {word for word in words if numeric(word)}
