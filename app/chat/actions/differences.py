"""What differs in words between sections that belong together, with no model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from app.chat.actions.material import PATH
from app.chat.actions.sections import Group
from app.chat.claims.body import Markers
from app.chat.claims.sources import SourceSpan
from app.chat.output.markdown import escape_markdown, unmarked
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

MOST = 120  # differences that are shown
ALIKE = 40.0  # of 100, from which on one line is another one changed
MOST_PAIRED = 40  # lines that are held against each other where all of them differ
BY_WORDS = (
    "Without a model this is a difference of the texts, section by section: which words differ, not what "
    "they mean."
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of the first document and of the one with this number, None where it has none."""

    document: int
    before: SourceSpan | None
    after: SourceSpan | None


def differences(group: Group, documents: int) -> Iterator[Difference]:
    """The differences of the first document from each other one."""
    own = group.sections[0].lines if 0 in group.sections else ()
    for other in range(1, documents):
        theirs = group.sections[other].lines if other in group.sections else ()
        for before, after in lines_beside(own, theirs):
            if before is None or after is None or before.words != after.words:
                yield Difference(other, before, after)


def lines_beside(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]
) -> Iterator[tuple[SourceSpan | None, SourceSpan | None]]:
    """All lines of two texts in order, paired if they are the same or most similar."""
    matcher = SequenceMatcher(
        None, [one.words for one in own], [one.words for one in theirs], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(own[a:b], theirs[c:d], strict=True)
        else:
            yield from _pair_lines(own[a:b], theirs[c:d])


def _pair_lines(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]
) -> Iterator[tuple[SourceSpan | None, SourceSpan | None]]:
    """Each line with the most similar one of the other text, if any is similar."""
    for at in range(0, max(len(own), len(theirs)), MOST_PAIRED):
        some, others = own[at : at + MOST_PAIRED], theirs[at : at + MOST_PAIRED]
        words = ([one.words for one in each] for each in (some, others))
        yield from _likest(some, others, process.cdist(*words, score_cutoff=ALIKE))


def _likest(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan], likeness: npt.NDArray[np.float32]
) -> Iterator[tuple[SourceSpan | None, SourceSpan | None]]:
    if not likeness.any():
        yield from ((one, None) for one in own)
        yield from ((None, one) for one in theirs)
        return
    at, to = divmod(int(likeness.argmax()), len(theirs))
    yield from _likest(own[:at], theirs[:to], likeness[:at, :to])
    yield own[at], theirs[to]
    yield from _likest(own[at + 1 :], theirs[to + 1 :], likeness[at + 1 :, to + 1 :])


def difference_lines(
    groups: Sequence[Group],
    titles: Sequence[str],
    markers: Markers,
    *,
    told: Sequence[str] = (),
    most: int = MOST,
) -> str:
    """The differences as lists under their sections, except those whose words are `told` already."""
    parts: list[str] = []
    total = 0
    for group in groups:
        found = [
            one
            for one in differences(group, len(titles))
            if not any(
                words in held.words or held.words in words
                for held in (one.before, one.after)
                if held is not None
                for words in told
            )
        ]
        lines = [_line(one, titles, markers) for one in found[: max(0, most - total)]]
        total += len(found)
        if lines:
            head = f"**{escape_markdown(PATH.join(group.path))}**\n\n" if group.path else ""
            parts.append(head + "\n".join(lines))
    if total > most:
        parts.append(f"{total - most} more differences are not shown.")
    return "\n\n".join(parts)


def _line(one: Difference, titles: Sequence[str], markers: Markers) -> str:
    of = f" ({escape_markdown(titles[one.document])})" if len(titles) > 2 else ""
    before, after = (
        "" if held is None else markers.quote(held) for held in (one.before, one.after)
    )
    if not before:
        return f"- added{of}: {after}"
    return f"- changed{of}: {before} \u2192 {after}" if after else f"- removed{of}: {before}"


MOST_CHARACTERS = 40_000  # of all lines together
WORDS_ALIKE = 0.4  # of 1, from which on single words of two lines are compared
_TOKENS = patterns.compile(r"\w+|\s+|[^\w\s]")
Row = tuple[SourceSpan | None, ...]


def side_by_side(group: Group) -> list[Row]:
    """The lines of two documents that differ, paired, with their neighbours."""
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
    """The sections with their notes and rows, as long as there is room; None if there is nothing to see."""
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
    """The line in runs. All of it differs if there is no other, or one that is quite another."""
    tokens, others = _TOKENS.findall(text), _TOKENS.findall(other or "")
    matcher = SequenceMatcher(None, tokens, others, autojunk=False)
    if other is None or matcher.ratio() < WORDS_ALIKE:
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
