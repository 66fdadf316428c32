"""The passages in as many calls of a model as they need, and no more than are made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.chat.summarizing.ranking import ranked
from app.chat.summarizing.sources import Source
from app.chat.summarizing.units import Unit, units_of
from app.domain.chat import Evidence

INPUT = 24_000  # tokens of passages a call: models read the middle of more than that badly, and it is cheap
CALLS = 8  # a summary at most: seven parts and one to merge them
AROUND = 16  # tokens of a passage's reference and headings
_BYTES = 4  # of UTF-8 a token, as English has it; other scripts have fewer tokens a byte


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a model is shown of a passage of the `source`th document: all of it, or its best sentences."""

    source: int
    evidence: Evidence
    text: str

    @property
    def tokens(self) -> int:
        """About how many it takes."""
        return tokens(self.text) + AROUND


def tokens(text: str) -> int:
    """About how many a text takes."""
    return len(text.encode("utf-8", "replace")) // _BYTES + 1


def packed(sources: Sequence[Source]) -> list[list[Excerpt]]:
    """The passages in order, in parts of `INPUT` tokens: one where everything fits, else at most
    `CALLS` - 1; of what is longer than that the best sentences of each section.
    """
    every = [
        Excerpt(number, passage, passage.text)
        for number, source in enumerate(sources)
        for passage in source.passages
        if passage.text.strip()
    ]
    room = INPUT * (CALLS - 1)
    size = sum(one.tokens for one in every)
    # Parts are cut between sections and so are not quite full.
    if size > 0.9 * room:
        every = list(_compressed(sources, 0.8 * room / size))
    return _parts(every)


def _parts(every: Sequence[Excerpt]) -> list[list[Excerpt]]:
    """Parts of about the same size, cut where a section ends if one does near there."""
    size = sum(one.tokens for one in every)
    number = -(-size // INPUT)
    if number <= 1:
        return [list(every)] if every else []
    parts: list[list[Excerpt]] = [[]]
    filled = 0
    for one in every:
        target = size / number
        last = parts[-1][-1] if parts[-1] else None
        border = last is not None and last.evidence.heading_path != one.evidence.heading_path
        full = (
            filled + one.tokens > INPUT or filled >= target or (border and filled >= 0.9 * target)
        )
        if last is not None and full and len(parts) < CALLS - 1:
            parts.append([])
            filled = 0
        parts[-1].append(one)
        filled += one.tokens
    return parts


def _compressed(sources: Sequence[Source], share: float) -> Iterator[Excerpt]:
    """Of each passage its best sentences, up to that share of its length; one at least of each section."""
    for number, source in enumerate(sources):
        units = units_of(source.passages)
        if not units:
            continue
        judged = ranked(units, title=source.document.title)
        kept = _kept(units, judged.scores.tolist(), share)
        by_passage: dict[str, list[str]] = {}
        for unit in kept:
            by_passage.setdefault(unit.evidence.ref, []).append(unit.text)
        for passage in source.passages:
            if passage.ref in by_passage:
                yield Excerpt(number, passage, " ".join(by_passage[passage.ref]))


def _kept(units: Sequence[Unit], scores: Sequence[float], share: float) -> list[Unit]:
    sections: dict[tuple[str, ...], list[int]] = {}
    for at, unit in enumerate(units):
        sections.setdefault(unit.section, []).append(at)
    kept: set[int] = set()
    for places in sections.values():
        room = share * sum(tokens(units[at].text) for at in places)
        for at in sorted(places, key=lambda place: -scores[place]):
            cost = tokens(units[at].text)
            if cost <= room:
                kept.add(at)
                room -= cost
    return [units[at] for at in sorted(kept)]
