"""What documents state about the same things: rows with a verdict."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from app.chat.statements import Held, Likeness, Relation, Statement, mutual, related
from app.chat.statements.relating import SAME_SUBJECT
from app.engines.embedder import Embedder, Vectors

Verdict = Literal["differ", "agree", "only"]
ORDER: dict[Verdict, int] = {"differ": 0, "agree": 1, "only": 2}
NOTHING_LIKE = (
    0.34  # likeness to all that the others state, below which a statement is theirs alone
)
BESIDE = 0.06  # of likeness that passages which mean the same add to their statements
ALIKE_PASSAGES = 0.5  # cosine from which on they do
MOST_STATEMENTS = 2_500  # of one document
RARE = 1  # statements of a document that begin with a word, where that names what they are about
GENERAL = "General"


_Place = tuple[int, int]  # document, statement


@dataclass(frozen=True, slots=True)
class Row:
    """What each document states, None where it is silent, in the order of the documents. `what`: in what they
    differ. `weight`: how much it is worth reading.
    """

    theme: str
    cells: tuple[Statement | None, ...]
    verdict: Verdict
    what: str = ""
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class _Match:
    first: _Place
    second: _Place
    alike: float
    relation: Relation


def rows_of(
    held: Sequence[Held], groups: Sequence[Sequence[Statement]], embedder: Embedder | None
) -> list[Row]:
    """Differences first, then agreements, then what one alone states; within these what binds, and what
    counts, first. `groups` are the statements of each document that are compared.
    """
    told = [[one for one in group if one.telling][:MOST_STATEMENTS] for group in groups]
    likeness = Likeness(told, embedder)
    nearest = [np.zeros(len(group), np.float32) for group in told]
    matches: list[_Match] = []
    for i, j in combinations(range(len(told)), 2):
        alike = likeness.between(i, j) + _beside(held[i], held[j], told[i], told[j])
        if not alike.size:
            continue
        nearest[i] = np.maximum(nearest[i], alike.max(axis=1))
        nearest[j] = np.maximum(nearest[j], alike.max(axis=0))
        matches += _matches(told, i, j, alike)
    tied = _tied(matches)
    of = defaultdict[_Place, list[_Match]](list)
    for match in matches:
        of[match.first].append(match)
    rows = [_row(told, held, one, of) for one in tied]
    taken = {place for one in tied for place in one.items()}
    rows += _gaps(told, held, nearest, taken)
    return sorted(rows, key=lambda row: (ORDER[row.verdict], -row.weight))


def _matches(
    told: Sequence[Sequence[Statement]], i: int, j: int, alike: Vectors
) -> Iterator[_Match]:
    for a, b, value in mutual(alike, SAME_SUBJECT):
        relation = related(told[i][a], told[j][b], value)
        if relation is not None:
            yield _Match((i, a), (j, b), value, relation)


def _tied(matches: Iterable[_Match]) -> list[dict[int, int]]:
    """Statements about one thing, one of each document at most: the likest are put together first. Each is
    the statement's number by its document's.
    """
    groups: dict[int, dict[int, int]] = {}
    at: dict[tuple[int, int], dict[int, int]] = {}
    for match in sorted(matches, key=lambda one: -one.alike):
        one = at.get(match.first) or dict([match.first])
        other = at.get(match.second) or dict([match.second])
        if one is other or one.keys() & other.keys():
            continue
        both = one | other
        groups.pop(id(one), None)
        groups.pop(id(other), None)
        groups[id(both)] = both
        at |= dict.fromkeys(both.items(), both)
    return list(groups.values())


def _row(
    told: Sequence[Sequence[Statement]],
    held: Sequence[Held],
    tied: dict[int, int],
    matches: Mapping[_Place, Sequence[_Match]],
) -> Row:
    cells = tuple(told[i][tied[i]] if i in tied else None for i in range(len(told)))
    places = set(tied.items())
    inner = [one for place in tied.items() for one in matches[place] if one.second in places]
    differing = [one.relation for one in inner if one.relation.kind == "differ"]
    said = [one for one in cells if one is not None]
    told_apart = {frozenset(one.what.split(" / ")): one.what for one in reversed(differing)}
    what = "; ".join(reversed(told_apart.values()))
    weight = max(map(_weight, said)) + max(one.alike for one in inner)
    weight += any(one.by == "amount" for one in differing)
    return Row(_theme(said, held), cells, "differ" if differing else "agree", what, weight)


def _gaps(
    told: Sequence[Sequence[Statement]],
    held: Sequence[Held],
    nearest: Sequence[Vectors],
    taken: set[tuple[int, int]],
) -> Iterator[Row]:
    """Of each theme the statement that is most worth reading, where no other document has anything like
    it.
    """
    begun = _begun(told)
    for i, group in enumerate(told):
        spoken = {group[a].theme for a in range(len(group)) if (i, a) in taken}
        alone: dict[str, tuple[float, Statement]] = {}
        sizes: Counter[str] = Counter()
        for a, one in enumerate(group):
            if (i, a) in taken or nearest[i][a] >= NOTHING_LIKE or (one.lead and not one.force):
                continue
            if _spoken_of(one, i, begun):
                continue
            sizes[one.theme] += 1
            weight = _weight(one) + (one.theme not in spoken)
            if one.theme not in alone or weight > alone[one.theme][0]:
                alone[one.theme] = weight, one
        for theme, (weight, one) in alone.items():
            cells = tuple(one if at == i else None for at in range(len(told)))
            yield Row(_theme([one], held), cells, "only", "", weight + 0.1 * min(sizes[theme], 5))


def _begun(told: Sequence[Sequence[Statement]]) -> list[Counter[str]]:
    """How many statements of each document begin with each word that tells."""
    return [Counter(_subject(one) for one in group) for group in told]


def _subject(one: Statement) -> str:
    return next(iter(one.own), "")


def _spoken_of(one: Statement, document: int, begun: Sequence[Counter[str]]) -> bool:
    """Whether another document has something on what this begins with, and that is a thing of its own:
    "smoking" begins one sentence, "employees" many. Then it is not sure that this one alone speaks of it.
    """
    subject = _subject(one)
    others = [counts[subject] for at, counts in enumerate(begun) if at != document]
    return begun[document][subject] <= RARE and 0 < max(others, default=0) <= RARE


def _weight(one: Statement) -> float:
    """What binds and what counts is worth more than what is told."""
    bound = {"must": 1.0, "should": 0.6, "may": 0.5, "": 0.0}[one.force]
    return bound + (1.0 if one.amounts else 0.0) - (0.5 if len(one.terms) < 3 else 0.0)


def _theme(said: Sequence[Statement], held: Sequence[Held]) -> str:
    titles = {one.document.title.casefold() for one in held}
    named = [one.theme for one in said if one.theme and one.theme.casefold() not in titles]
    return min(named, key=len) if named else GENERAL


def _beside(
    one: Held, other: Held, left: Sequence[Statement], right: Sequence[Statement]
) -> Vectors | float:
    """A little for statements whose passages mean the same, where both have vectors of one model."""
    if one.vectors is None or other.vectors is None or one.model != other.model:
        return 0.0
    if one.vectors.shape[1] != other.vectors.shape[1]:
        return 0.0
    near = (one.vectors @ other.vectors.T >= ALIKE_PASSAGES) * np.float32(BESIDE)
    return np.asarray(
        near.take(_places(one, left), axis=0).take(_places(other, right), axis=1), np.float32
    )


def _places(held: Held, statements: Sequence[Statement]) -> list[int]:
    at = {passage.ref: number for number, passage in enumerate(held.passages)}
    return [at[one.ref] for one in statements]
