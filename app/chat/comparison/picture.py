"""The documents of a comparison beside each other: what stands where, and which of its words differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from app.chat.claims.body import Markers
from app.chat.claims.sources import SourceSpan
from app.chat.comparison.differences import lines_beside
from app.chat.comparison.sections import Group
from app.chat.output.markdown import unmarked
from app.domain.chat import (
    ChangeNote,
    ChatCitation,
    ComparedLine,
    ComparedSection,
    Comparison,
    DocumentRef,
    TextRun,
)
from app.text import patterns

MOST_CHARACTERS = 40_000  # of all lines together
ALIKE = 0.4  # of 1, from which on single words of two lines are compared
_TOKENS = patterns.compile(r"\w+|\s+|[^\w\s]")
Row = tuple[SourceSpan | None, ...]


def side_by_side(group: Group) -> list[Row]:
    """The lines of two documents that differ, each beside the one that it belongs to, and those next to
    them.
    """
    own, theirs = (group.sections[at].lines if at in group.sections else () for at in range(2))
    rows = list(lines_beside(own, theirs))
    differs = [
        before is None or after is None or before.words != after.words for before, after in rows
    ]
    return [row for at, row in enumerate(rows) if any(differs[max(0, at - 1) : at + 2])]


def build_picture(
    documents: Sequence[DocumentRef],
    sections: Sequence[tuple[str, Sequence[ChangeNote], Sequence[Row]]],
    markers: Markers,
) -> Comparison | None:
    """Sections by their heading, with what is told of each and its rows, as long as there is room; None where
    there is nothing to see.
    """
    made: list[ComparedSection] = []
    room = MOST_CHARACTERS
    for heading, told, rows in sections:
        room -= sum(len(held.words) for row in rows for held in row if held is not None)
        if room < 0:
            break
        sides = tuple(tuple(_sides(row, markers.citations)) for row in rows)
        made.append(ComparedSection(heading=heading, notes=tuple(told), rows=sides))
    if not made:
        return None
    return Comparison(
        documents=tuple(documents), sections=tuple(made), omitted=len(sections) - len(made)
    )


def _sides(row: Row, citations: Sequence[ChatCitation]) -> Iterator[ComparedLine | None]:
    """Each line against the first of the others."""
    texts = [None if held is None else unmarked(held.words).strip("| ") for held in row]
    for at, (held, text) in enumerate(zip(row, texts, strict=True)):
        if held is None or text is None:
            yield None
            continue
        other = next((one for to, one in enumerate(texts) if to != at and one is not None), None)
        cited = (one.marker for one in citations if _is_of(one, held))
        yield ComparedLine(words=tuple(_words(text, other)), markers=tuple(cited))


def _is_of(citation: ChatCitation, line: SourceSpan) -> bool:
    same = citation.chunk_id == line.evidence.chunk_id
    return same and (citation.quote in line.words or line.words in citation.quote)


def _words(text: str, other: str | None) -> Iterator[TextRun]:
    """The line in pieces: all of it differs where there is no other, or one that is quite another."""
    tokens, others = _TOKENS.findall(text), _TOKENS.findall(other or "")
    matcher = SequenceMatcher(None, tokens, others, autojunk=False)
    if other is None or matcher.ratio() < ALIKE:
        yield TextRun(text=text, changed=True)
        return
    differs = [True] * len(tokens)
    for block in matcher.get_matching_blocks():
        differs[block.a : block.a + block.size] = [False] * block.size
    for at in range(1, len(tokens) - 1):  # a blank between two words that differ is no word of both
        differs[at] = differs[at] or (tokens[at].isspace() and differs[at - 1] and differs[at + 1])
    start = 0
    for at in range(1, len(tokens) + 1):
        if at == len(tokens) or differs[at] != differs[start]:
            yield TextRun(text="".join(tokens[start:at]), changed=differs[start])
            start = at
