"""Which sentences make the summary: the best, over all sections, none that says what another does."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from app.chat.summarizing.length import Length
from app.chat.summarizing.ranking import Ranked
from app.chat.summarizing.units import Unit

ALIKE = 0.6  # cosine: two sentences that say the same
LEAST = 0.12  # of the best score: what is below says nothing
SAME_SECTION, SAME_PART = 0.9, 0.35  # how much one taken from there takes from the next


@dataclass(slots=True)
class _Room:
    """What is left of the length."""

    length: Length
    sentences: int = 0
    words: int = 0
    characters: int = 0

    def holds(self, *units: Unit) -> bool:
        """Whether these fit in as well."""
        length = self.length
        if length.sentences is not None and self.sentences + len(units) > length.sentences:
            return False
        words = sum(unit.words for unit in units)
        if length.words is not None and self.words + words > length.words:
            return False
        letters = sum(len(unit.text) + 1 for unit in units)
        return length.characters is None or self.characters + letters <= length.characters

    def take(self, unit: Unit) -> None:
        self.sentences += 1
        self.words += unit.words
        self.characters += len(unit.text) + 1


@dataclass(slots=True)
class _Choice:
    ranked: Ranked
    room: _Room
    common: int
    chosen: list[int] = field(default_factory=list)

    def run(self) -> list[int]:
        """The places of the chosen, in the order of the document."""
        ranked = self.ranked
        if not len(ranked.units):
            return []
        left = ranked.scores * _weights(ranked, self.common)
        nearest = np.zeros(len(left))
        taken = np.ones(len(left))
        floor = LEAST * left.max()
        sections = np.array(_numbers([unit.section for unit in ranked.units]))
        parts = np.array(_numbers([unit.section[: self.common + 1] for unit in ranked.units]))
        while True:
            gains = np.where(nearest > ALIKE, 0.0, left * (1 - nearest) / taken)
            picked = self._next(gains, left, floor)
            if not picked:
                return sorted(self.chosen)
            for at in picked:
                self.chosen.append(at)
                self.room.take(ranked.units[at])
                left[at] = 0.0
                nearest = np.maximum(nearest, ranked.directions @ ranked.directions[at])
                taken += SAME_SECTION * (sections == sections[at]) + SAME_PART * (
                    parts == parts[at]
                )

    def _next(self, gains: np.ndarray, left: np.ndarray, floor: float) -> list[int]:
        """The best that fits, with the one before it where it needs that."""
        for at in np.argsort(-gains).tolist():
            if gains[at] <= 0 or left[at] < floor:
                return []
            needed = self._with(at)
            if needed and self.room.holds(*(self.ranked.units[one] for one in needed)):
                return needed
        return []

    def _with(self, at: int) -> list[int]:
        """It alone; with the one before it; or nothing where that would not do."""
        ranked = self.ranked
        if not ranked.leaning[at] or at - 1 in self.chosen:
            return [at]
        unit, before = ranked.units[at], ranked.units[at - 1] if at else None
        if before is None or before.block != unit.block or ranked.leaning[at - 1]:
            return []
        return [at - 1, at] if ranked.scores[at - 1] >= ranked.scores[at] / 3 else []


def chosen(ranked: Ranked, length: Length) -> list[int]:
    """The places of the sentences that make a summary of that length, in the order of the document; none
    where none is short enough.
    """
    common = _common([unit.section for unit in ranked.units])
    return _Choice(ranked, _Room(length), common).run()


def _weights(ranked: Ranked, common: int) -> np.ndarray:
    """A large part of the document weighs more than a small one, but not as much more as it is larger."""
    parts = [unit.section[: common + 1] for unit in ranked.units]
    sizes = Counter(parts)
    most = max(sizes.values())
    return np.array([0.6 + 0.4 * (sizes[part] / most) ** 0.5 for part in parts])


def _common(sections: list[tuple[str, ...]]) -> int:
    """How many headings all sections that have any share: the title of the document, as a rule."""
    known = [section for section in set(sections) if section]
    if len(known) < 2:
        return 0
    shared = 0
    for level in zip(*known, strict=False):
        if len(set(level)) > 1:
            break
        shared += 1
    return shared


def _numbers(keys: list[tuple[str, ...]]) -> list[int]:
    known: dict[tuple[str, ...], int] = {}
    return [known.setdefault(key, len(known)) for key in keys]
