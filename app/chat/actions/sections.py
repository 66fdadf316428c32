"""Splits documents into sections, and groups the corresponding ones."""

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby

from rapidfuzz import fuzz, process

from app.chat.claims.sources import HEADING, SourceSpan, path_at
from app.domain.chat import Evidence
from app.text import patterns
from app.text.sentences import split_sentences

SAME_HEADING, SAME_TEXT = 90.0, 65.0  # of 100; minimum similarity of corresponding sections
LONGEST_COMPARED = 1_500  # characters of a section
_ITEM = patterns.compile(r"^\s*(?:\||[-*+\u2022]\s|\d{1,3}[.)]\s)")
_RULE = patterns.compile(r"^[\s|:=_*-]*$")
_NUMBERING = string.digits + string.punctuation + string.whitespace


@dataclass(frozen=True, slots=True)
class Section:
    """The text under one heading of a document; `place` in 0..1 is its position. `lines` are its distinct
    sentences, rows and items; `passages` do not include the heading.
    """

    path: tuple[str, ...]
    passages: tuple[Evidence, ...]
    lines: tuple[SourceSpan, ...]
    place: float

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(line.words for line in self.lines)


@dataclass(slots=True)
class Group:
    """Corresponding sections by document number, counted from 0."""

    sections: dict[int, Section] = field(default_factory=dict)

    @property
    def path(self) -> tuple[str, ...]:
        """The headings of its first section."""
        return next(iter(self.sections.values())).path

    @property
    def passages(self) -> list[Evidence]:
        return [one for section in self.sections.values() for one in section.passages]

    @property
    def place(self) -> float:
        return min(section.place for section in self.sections.values())

    def lines(self, document: int) -> Sequence[SourceSpan]:
        """The lines of the document with this number, if it has the section."""
        return self.sections[document].lines if document in self.sections else ()

    def same(self, documents: int) -> bool:
        """Whether all documents have the section with the same text."""
        texts = [section.words for section in self.sections.values()]
        return len(texts) == documents and len(set(texts)) == 1


def sections_of(passages: Sequence[Evidence]) -> list[Section]:
    """The non-empty sections of a document in order. Passages may overlap."""
    parts = [part for passage in passages for part in _parts(passage)]
    found = []
    for path, group in groupby(parts, key=lambda part: part.heading_path):
        own = tuple(group)
        if lines := {line.words: line for part in own for line in _lines(part)}:
            found.append((path, own, tuple(lines.values())))
    return [Section(*section, place=at / len(found)) for at, section in enumerate(found)]


def group_sections(documents: Sequence[Sequence[Section]]) -> list[Group]:
    """Group the sections of all documents: by equal text, then by similar headings and texts."""
    groups: list[Group] = []
    for number, sections in enumerate(documents):
        left = list(sections)
        for group in groups:
            texts = {section.words for section in group.sections.values()}
            equal = next((section for section in left if section.words in texts), None)
            if equal is not None:
                group.sections[number] = equal
                left.remove(equal)
        free = [group for group in groups if number not in group.sections]
        firsts = [next(iter(group.sections.values())) for group in free]
        for at, to in _similar_sections(left, firsts):
            free[to].sections[number] = left[at]
        placed = {id(section) for group in groups for section in group.sections.values()}
        groups += [Group({number: section}) for section in left if id(section) not in placed]
    return sorted(groups, key=lambda group: group.place)


def moved_groups(groups: Sequence[Group]) -> list[Group]:
    """The sections of two documents that have the same text in another order or under other headings."""
    same = [group for group in groups if group.same(2)]
    old, new = (
        [id(group) for group in sorted(same, key=lambda group: group.sections[number].place)]
        for number in range(2)
    )
    in_order = {
        group
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        for group in old[block.a : block.a + block.size]
    }
    return [group for group in same if id(group) not in in_order or len(_headings(group)) > 1]


def are_versions(group: Group) -> bool:
    """Whether the group has two sections with similar texts."""
    texts = [_section_text(section) for section in group.sections.values()]
    return len(texts) == 2 and fuzz.ratio(*texts) >= SAME_TEXT


def _headings(group: Group) -> set[tuple[str, ...]]:
    """The headings below the title, without numbers, which change when a section is inserted."""
    return {
        tuple(heading.strip(_NUMBERING).casefold() for heading in section.path[1:])
        for section in group.sections.values()
    }


def _similar_sections(
    sections: Sequence[Section], others: Sequence[Section]
) -> Iterator[tuple[int, int]]:
    """Pairs of indexes, the most similar first, each index used once."""
    if not sections or not others:
        return
    headings, texts = (
        process.cdist(list(map(of, sections)), list(map(of, others)), scorer=fuzz.ratio)
        for of in (_own_heading, _section_text)
    )
    pairs = sorted(
        (
            (float(headings[at][to] + texts[at][to]), at, to)
            for at in range(len(sections))
            for to in range(len(others))
            if headings[at][to] >= SAME_HEADING or texts[at][to] >= SAME_TEXT
        ),
        reverse=True,
    )
    used: set[tuple[str, int]] = set()
    for _, at, to in pairs:
        if not used & {("section", at), ("other", to)}:
            used |= {("section", at), ("other", to)}
            yield at, to


def _own_heading(section: Section) -> str:
    """The last heading; "-" directly under the title, since titles differ."""
    return section.path[-1].strip(_NUMBERING).casefold() if len(section.path) > 1 else "-"


def _section_text(section: Section) -> str:
    return " ".join(section.words)[:LONGEST_COMPARED]


def _parts(passage: Evidence) -> Iterator[Evidence]:
    """Split a passage at its headings. A heading without text counts as text of its section, as in contracts
    whose clauses are numbered headings.
    """
    headings = list(HEADING.finditer(passage.text))
    starts = [0, *(heading.end() for heading in headings)]
    ends = [*(heading.start() for heading in headings), len(passage.text)]
    levels = [0, *(len(heading[1]) for heading in headings), 0]
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        text, path = passage.text[start:end].strip(), path_at(passage, start)
        if not text and levels[at] >= levels[at + 1]:
            text, path = headings[at - 1][2].strip() if at else "", path[:-1]
        if text:
            yield passage.model_copy(
                update={"text": text, "heading_path": path, "ref": f"{passage.ref}.{start}"}
            )


def _lines(passage: Evidence) -> Iterator[SourceSpan]:
    for block in _blocks(passage.text):
        spans = [(0, len(block))] if _ITEM.match(block) else split_sentences(block, 0, len(block))
        for start, end in spans:
            words = " ".join(block[start:end].split())
            if not _RULE.match(words):
                yield SourceSpan(passage, words, passage.heading_path)


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs as one line each; table rows and list items are blocks of their own."""
    paragraph: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts = _ITEM.match(line) is not None
        if paragraph and (starts or not line.strip()):
            yield " ".join(paragraph)
            paragraph = []
        if line.startswith("|"):
            yield line.strip()
        elif line.strip():
            paragraph.append(line.strip())
