"""Whether a passage holds what it is cited for."""

import itertools
from collections.abc import Iterator
from functools import lru_cache

from app.chat.evidence.reading import Unit, split, unmarked
from app.chat.evidence.saying import LEAST_CLAUSE, Sayer, clauses, parts_of, roots, size
from app.chat.evidence.standing import Passage, passage_of, standing
from app.chat.evidence.values import values_of
from app.chat.evidence.wording import tongue
from app.domain.chat import Evidence

MOST_UNITS = 3  # sentences that are taken together where no quote says which
TRIED = 6  # places of a passage, the likeliest first


def supports(claim: str, quote: str, evidence: Evidence) -> bool:
    """Whether `quote`, where one is given, stands in the passage, and the sentences around it hold the claim:
    its values with their units and bounds, names, identifiers, what it denies, and most of its words.
    """
    return held_by(claim, quote, evidence) is not None


def held_by(claim: str, quote: str, evidence: Evidence) -> str | None:
    """The passage's own words that hold the claim; None where it does not."""
    said = [unmarked(one) for one in split(unmarked(claim))]
    if not said:
        return None
    passage = passage_of(evidence.text)
    if quote.strip():
        places = tuple(dict.fromkeys(standing(quote, evidence.text)))
        for first, last in places[:TRIED]:
            window = _Window(passage, first, last, evidence)
            if all(window.holds(one) for one in said):
                return window.quote
        return None
    found: list[tuple[int, int]] = []
    for one in said:
        place = next(
            (at for at in _likely(one, passage) if _Window(passage, *at, evidence).holds(one)), None
        )
        if place is None:
            return None
        found.append(place)
    first, last = min(at for at, _ in found), max(at for _, at in found)
    if last - first >= 2 * MOST_UNITS:
        return " \u2026 ".join(_quote(passage.units[a : b + 1]) for a, b in sorted(set(found)))
    return _quote(passage.units[first : last + 1])


def _likely(claim: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """Stretches of the passage that share most with the claim, the shorter of equals first."""
    language = tongue(claim)
    wanted = roots(claim, language) | {
        key for value in values_of(claim, claimed=True) for key in value.keys
    }
    shared = [wanted & _marks(unit.text, language) for unit in passage.units]
    ranked: list[tuple[float, int, int, int]] = []
    for first in range(len(shared)):
        together: set[str] = set()
        for last in range(first, min(first + MOST_UNITS, len(shared))):
            together |= shared[last]
            if last > first and "row" in (passage.units[first].kind, passage.units[last].kind):
                break  # what two rows say is not to be mixed
            if shared[first] and shared[last]:
                ranked.append((-len(together), last - first, first, last))
    for _, _, first, last in sorted(ranked)[:TRIED]:
        yield first, last


@lru_cache(maxsize=8_192)
def _marks(text: str, language: str) -> frozenset[str]:
    return roots(text, language) | {key for one in values_of(text) for key in one.keys | one.parts}


class _Window:
    """Some sentences of a passage, with what stands above and before them."""

    def __init__(self, passage: Passage, first: int, last: int, evidence: Evidence) -> None:
        self.units = passage.units[first : last + 1]
        self.quote = _quote(self.units)
        self.each = [
            Sayer(passage, at, part, evidence)
            for at in range(first, last + 1)
            for part in parts_of(passage.units[at].text)
        ]

    def holds(self, claim: str) -> bool:
        """Whether one of these sentences says the claim, which is one sentence, or each of its clauses has
        one that does: what several sentences say is not to be mixed.
        """
        if any(one.holds(claim) for one in self.each):
            return True
        parts = clauses(claim)
        if len(self.each) < 2 or not parts or min(map(size, parts)) < LEAST_CLAUSE:
            return False
        return all(any(one.holds(clause) for one in self.each) for clause in parts)


def _quote(units: tuple[Unit, ...]) -> str:
    """Their words; between what does not stand in one paragraph or item other things may stand."""
    made = units[0].quote
    for before, one in itertools.pairwise(units):
        together = (before.block, before.item) == (one.block, one.item) and one.kind != "row"
        made += f" {one.quote}" if together else f" \u2026 {one.quote}"
    return made
