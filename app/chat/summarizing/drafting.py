"""The sentences of a summary before they are put on paper: what is said, and what holds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.chat.evidence import Cited, Claim, supports
from app.chat.summarizing.choosing import chosen
from app.chat.summarizing.length import Length
from app.chat.summarizing.ranking import Ranked, ranked
from app.chat.summarizing.sources import Source
from app.chat.summarizing.trimming import trimmed
from app.chat.summarizing.units import Section, Unit, count
from app.domain.chat import Evidence
from app.engines.embedder import Embedder

POOR = 0.6  # of the best sentence's score
TRIES = 3  # each leaves out what its passage was found not to hold


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence with what it stands on; `section` is where that is."""

    claim: Claim
    section: Section = ()


@dataclass(frozen=True, slots=True)
class Drafted:
    """The summary of one document; `covered` is the part of its sections, by length, that it speaks of."""

    lines: tuple[Line, ...]
    covered: float = 0.0


def extracted(
    units: Sequence[Unit],
    length: Length,
    *,
    title: str = "",
    focus: str = "",
    embedder: Embedder | None = None,
) -> Drafted:
    """The best of the sentences, word for word, in their order."""
    if not units:
        return Drafted(())
    judged = ranked(units, title=title, shape=length.shape, focus=focus, embedder=embedder)
    for _ in range(TRIES):
        places = _fitting(judged, length)
        lines = [_line(units[at], length) for at in places]
        refused = [at for at, line in zip(places, lines, strict=True) if not _held(units[at], line)]
        if not refused:
            return Drafted(tuple(lines), covered(units, places))
        judged.scores[refused] = 0.0
    kept = [at for at in places if at not in refused]
    return Drafted(tuple(_line(units[at], length) for at in kept), covered(units, kept))


def fitted(
    lines: Sequence[Line], known: Mapping[str, Evidence], source: Source, length: Length, focus: str
) -> Drafted:
    """Those of a document's lines that make the length that was asked for, in their order."""
    units = [
        Unit(line.claim.text, known[line.claim.cites[0].ref], line.section, (at, 0))
        for at, line in enumerate(lines)
    ]
    judged = ranked(units, title=source.document.title, shape=length.shape, focus=focus)
    judged = replace(judged, scores=judged.scores + 1.0, leaning=judged.leaning & False)
    places = _fitting(judged, length)
    kept = [_cut(lines[at], length) for at in places]
    sections = {passage.heading_path for passage in source.passages}
    spoken = {known[cite.ref].heading_path for line in kept for cite in line.claim.cites}
    return Drafted(tuple(kept), len(spoken & sections) / len(sections) if sections else 0.0)


def _fitting(judged: Ranked, length: Length) -> list[int]:
    """Those that fit; the best one alone, to be cut, where only poor ones are short enough."""
    if length.words_each is not None:
        short = [count(unit.text) <= length.words_each for unit in judged.units]
        if sum(short) >= (length.sentences or 1):
            scores = judged.scores * [1.0 if one else 0.05 for one in short]
            judged = replace(judged, scores=scores)
    places = chosen(judged, length)
    best = judged.scores.max(initial=0.0)
    if best <= 0 or any(judged.scores[at] >= POOR * best for at in places):
        return places
    return [int(judged.scores.argmax())]


def _line(unit: Unit, length: Length) -> Line:
    return _cut(
        Line(Claim(unit.text, (Cited(unit.evidence.ref, unit.text),)), unit.section), length
    )


def _cut(line: Line, length: Length) -> Line:
    """The line, cut where it is longer than a line may be."""
    words = min(filter(None, (length.words, length.words_each)), default=None)
    text = trimmed(line.claim.text, words=words, characters=length.characters)
    return line if text == line.claim.text else replace(line, claim=replace(line.claim, text=text))


def _held(unit: Unit, line: Line) -> bool:
    return supports(line.claim.text, line.claim.cites[0].quote, unit.evidence)


def covered(units: Sequence[Unit], places: Sequence[int]) -> float:
    """The part of the sentences whose section has one that was taken."""
    there = {units[at].section for at in places}
    return sum(unit.section in there for unit in units) / len(units) if units else 0.0
