"""How alike statements are: by their words, weighed by how rare these are, and by what they mean."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from app.chat.statements.reading import Statement
from app.chat.statements.words import terms_of
from app.engines.embedder import Embedder, Vectors

WORDS, MEANING, HEADED = 0.65, 0.35, 0.08  # parts of the whole; a common heading is added
SAME_AMOUNT = 0.1  # added where both give the same amount
LIKELY = 0.3  # likeness from which on amounts are looked at
KEPT = 8_192  # directions of sentences, some eight megabytes
_KNOWN = WeakKeyDictionary[Embedder, dict[str, Vectors]]()
FREQUENT = 64  # pairs of statements with a word, from which on such words are counted together
COVER = 0.6  # of the words' part: what the shorter holds of the longer; the rest is what both share of all


class Likeness:
    """Of the statements of several groups, as documents are; 0..1, a little over 1 under one heading."""

    def __init__(
        self, groups: Sequence[Sequence[Statement]], embedder: Embedder | None = None
    ) -> None:
        self._groups = groups
        holding = Counter(term for group in groups for one in group for term in one.terms)
        most = sum(map(len, groups)) + 1
        self._rarity = {term: math.log(1 + most / count) for term, count in holding.items()}
        self._vectors = [_vectors(group, embedder) for group in groups]

    def rarity(self, terms: Iterable[str]) -> float:
        """What these words weigh together."""
        unknown = math.log(1 + sum(map(len, self._groups)) + 1)
        return sum(self._rarity.get(term, unknown) for term in terms)

    def between(self, first: int, second: int) -> Vectors:
        """The likeness of each statement of one group with each of another."""
        one, other = self._groups[first], self._groups[second]
        if not one or not other:
            return np.zeros((len(one), len(other)), np.float32)
        cover, shared = self.words(first, second)
        alike = COVER * cover + (1 - COVER) * shared
        left, right = self._vectors[first], self._vectors[second]
        if left is not None and right is not None:
            alike = WORDS * alike + MEANING * np.maximum(left @ right.T, 0.0)
        alike = np.asarray(
            np.where(alike > 0, alike + HEADED * _headed(one, other), alike), np.float32
        )
        likely = alike >= LIKELY
        rows, columns = np.flatnonzero(likely.any(axis=1)), np.flatnonzero(likely.any(axis=0))
        given, there = _giving(one, rows), _giving(other, columns)
        for amount in given.keys() & there.keys():
            alike[np.ix_(given[amount], there[amount])] += SAME_AMOUNT
        return alike

    def words(self, first: int, second: int) -> tuple[Vectors, Vectors]:
        """Of the words' weight what the lighter one shares, and what both share of all of it."""
        one, other = self._groups[first], self._groups[second]
        common = self._common(one, other)
        left = np.array([self.rarity(said.terms) for said in one], np.float32)[:, None]
        right = np.array([self.rarity(said.terms) for said in other], np.float32)[None, :]
        least = np.maximum(np.minimum(left, right), 1e-6)
        shared = common / np.maximum(left + right - common, 1e-6)
        return np.asarray(common / least, np.float32), np.asarray(shared, np.float32)

    def cosines(self, first: int, second: int) -> Vectors | None:
        """What they mean alone, where there is an embedder."""
        left, right = self._vectors[first], self._vectors[second]
        return None if left is None or right is None else np.asarray(left @ right.T, np.float32)

    def _common(self, one: Sequence[Statement], other: Sequence[Statement]) -> Vectors:
        common = np.zeros((len(one), len(other)), np.float32)
        left, right = _holding(one), _holding(other)
        dense: list[str] = []
        for term in left.keys() & right.keys():
            if len(left[term]) * len(right[term]) > FREQUENT:
                dense.append(term)
            else:
                common[np.ix_(left[term], right[term])] += self._rarity[term]
        if dense:
            weighed = _marked(left, dense, len(one)) * [self._rarity[term] for term in dense]
            common += weighed.astype(np.float32) @ _marked(right, dense, len(other)).T
        return common


def mutual(alike: Vectors, floor: float) -> list[tuple[int, int, float]]:
    """Those that are each other's likest, at or over the floor, likest first."""
    if not alike.size:
        return []
    across, down = alike.argmax(axis=1), alike.argmax(axis=0)
    found = [
        (row, int(column), float(alike[row, column]))
        for row, column in enumerate(across)
        if down[column] == row and alike[row, column] >= floor
    ]
    return sorted(found, key=lambda pair: -pair[2])


def _marked(holding: dict[str, list[int]], terms: Sequence[str], size: int) -> Vectors:
    """A row for each statement, a column for each term: 1 where it has it."""
    found = np.zeros((size, len(terms)), np.float32)
    for column, term in enumerate(terms):
        found[holding[term], column] = 1.0
    return found


def _holding(group: Sequence[Statement]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(group):
        for term in one.terms:
            found[term].append(at)
    return found


def _giving(group: Sequence[Statement], which: Iterable[int]) -> dict[tuple[str, float], list[int]]:
    """Which of them give each amount; two that share two amounts are no more alike than by one, nearly."""
    found: dict[tuple[str, float], list[int]] = defaultdict(list)
    for at in which:
        for key in {(amount.family, round(amount.value, 2)) for amount in group[at].amounts}:
            found[key].append(int(at))
    return found


def _headed(one: Sequence[Statement], other: Sequence[Statement]) -> Vectors:
    """1 where two stand under headings that share half of their words."""
    left, right = _themes(one), _themes(other)
    names = {name: terms_of(name) for name in (*left[0], *right[0])}
    table = np.array([[_shared(names[a], names[b]) for b in right[0]] for a in left[0]], np.float32)
    return np.asarray(table.take(left[1], axis=0).take(right[1], axis=1), np.float32)


def _themes(group: Sequence[Statement]) -> tuple[list[str], list[int]]:
    places: dict[str, int] = {}
    at = [places.setdefault(one.theme, len(places)) for one in group]
    return list(places), at


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    both = set(one) & set(other)
    return float(bool(both) and 2 * len(both) >= min(len(set(one)), len(set(other))))


def _vectors(group: Sequence[Statement], embedder: Embedder | None) -> Vectors | None:
    """Those of sentences that were embedded lately are remembered: a turn often reads what the last one
    read.
    """
    if embedder is None or not group:
        return None
    known = _KNOWN.setdefault(embedder, {})
    rows = {one.text: known.get(one.text) for one in group}
    fresh = [text for text, row in rows.items() if row is None]
    if fresh:
        made = dict(zip(fresh, embedder.embed(fresh), strict=True))
        rows |= made
        if len(known) + len(made) > KEPT:
            known.clear()
        known.update(made)
    return np.stack([row for one in group if (row := rows[one.text]) is not None])
