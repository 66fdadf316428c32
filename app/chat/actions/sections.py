"""Sections of documents, and which of them belong together."""

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

SAME_HEADING, SAME_TEXT = 90.0, 65.0  # of 100, from which on two sections belong together
LONGEST_READ = 1_500  # characters of a section by which its likeness is told
_ITEM = patterns.compile(r"^\s*(?:\||[-*+\u2022]\s|\d{1,3}[.)]\s)")
_RULE = patterns.compile(r"^[\s|:=_*-]*$")
_NUMBERING = string.digits + string.punctuation + string.whitespace


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading of a document; `place` in 0..1 is where. `lines` are its sentences, rows
    and items, each once; `passages` have their text without the heading.
    """

    path: tuple[str, ...]
    passages: tuple[Evidence, ...]
    lines: tuple[SourceSpan, ...]
    place: float

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(one.words for one in self.lines)


@dataclass(slots=True)
class Group:
    """Sections that belong together, by the number of their document, from 0 on."""

    sections: dict[int, Section] = field(default_factory=dict)

    @property
    def path(self) -> tuple[str, ...]:
        """The headings of its first section."""
        return next(iter(self.sections.values())).path

    @property
    def passages(self) -> list[Evidence]:
        return [one for each in self.sections.values() for one in each.passages]

    @property
    def place(self) -> float:
        return min(one.place for one in self.sections.values())

    def lines(self, document: int) -> Sequence[SourceSpan]:
        """Those of the document with this number, if it has the section."""
        return self.sections[document].lines if document in self.sections else ()

    def same(self, documents: int) -> bool:
        return (
            len(self.sections) == documents and len({s.words for s in self.sections.values()}) == 1
        )


def sections_of(passages: Sequence[Evidence]) -> list[Section]:
    """The sections of a document that have words, in order. Passages may overlap."""
    parts = [part for one in passages for part in _parts(one)]
    made = []
    for path, group in groupby(parts, key=lambda one: one.heading_path):
        found = tuple(group)
        lines = {line.words: line for one in found for line in _lines(one)}
        if lines:
            made.append((path, found, tuple(lines.values())))
    return [Section(*one, place=at / len(made)) for at, one in enumerate(made)]


def group_sections(documents: Sequence[Sequence[Section]]) -> list[Group]:
    """Sections of all documents in order: the same text belongs together, then similar headings and texts."""
    groups: list[Group] = []
    for number, sections in enumerate(documents):
        left = list(sections)
        for group in groups:
            texts = {one.words for one in group.sections.values()}
            found = next((one for one in left if one.words in texts), None)
            if found is not None:
                group.sections[number] = found
                left.remove(found)
        free = [one for one in groups if number not in one.sections]
        for at, to in _similar_sections(left, [next(iter(one.sections.values())) for one in free]):
            free[to].sections[number] = left[at]
        placed = {id(one) for group in groups for one in group.sections.values()}
        groups += [Group({number: one}) for one in left if id(one) not in placed]
    return sorted(groups, key=lambda one: one.place)


def moved_groups(groups: Sequence[Group]) -> list[Group]:
    """The sections of two documents that have the same text in another order or under other headings."""
    same = [one for one in groups if one.same(2)]
    there, here = (
        [id(one) for one in sorted(same, key=lambda one: one.sections[number].place)]
        for number in range(2)
    )
    kept = {
        each
        for one in SequenceMatcher(None, there, here, autojunk=False).get_matching_blocks()
        for each in there[one.a : one.a + one.size]
    }
    return [one for one in same if id(one) not in kept or len(_headings(one)) > 1]


def are_versions(group: Group) -> bool:
    """Whether two sections are the same but for some words."""
    texts = [_section_text(one) for one in group.sections.values()]
    return len(texts) == 2 and fuzz.ratio(*texts) >= SAME_TEXT


def _headings(group: Group) -> set[tuple[str, ...]]:
    """The headings under the title, without numbering, which changes with every section put in before."""
    return {
        tuple(each.strip(_NUMBERING).casefold() for each in one.path[1:])
        for one in group.sections.values()
    }


def _similar_sections(
    sections: Sequence[Section], others: Sequence[Section]
) -> Iterator[tuple[int, int]]:
    """Pairs of places, the most similar first, each used once."""
    if not sections or not others:
        return
    heads, texts = (
        process.cdist(list(map(of, sections)), list(map(of, others)), scorer=fuzz.ratio)
        for of in (_leaf, _section_text)
    )
    pairs = sorted(
        (
            (float(heads[at][to] + texts[at][to]), at, to)
            for at in range(len(sections))
            for to in range(len(others))
            if heads[at][to] >= SAME_HEADING or texts[at][to] >= SAME_TEXT
        ),
        reverse=True,
    )
    used: set[tuple[str, int]] = set()
    for _, at, to in pairs:
        if not used & {("one", at), ("other", to)}:
            used |= {("one", at), ("other", to)}
            yield at, to


def _leaf(one: Section) -> str:
    """Its own heading; "-" for what stands under the title alone, since titles differ."""
    return one.path[-1].strip(_NUMBERING).casefold() if len(one.path) > 1 else "-"


def _section_text(one: Section) -> str:
    return " ".join(one.words)[:LONGEST_READ]


def _parts(passage: Evidence) -> Iterator[Evidence]:
    """A passage, split at its headings. A heading with nothing under it is text of its section: contracts are
    written so, each clause a numbered heading.
    """
    headings = list(HEADING.finditer(passage.text))
    starts = [0, *(one.end() for one in headings)]
    ends = [*(one.start() for one in headings), len(passage.text)]
    levels = [0, *(len(one[1]) for one in headings), 0]
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
    """Paragraphs in one line each; rows and items of lists stand alone."""
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
