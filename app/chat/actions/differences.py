"""Diffs corresponding sections by their words, without a model."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from app.chat.actions.material import PATH
from app.chat.actions.sections import Group
from app.chat.claims.body import Markers
from app.chat.claims.sources import SourceSpan
from app.chat.output.markdown import escape_markdown, strip_markdown
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

MOST = 120  # differences shown
Pair = tuple[SourceSpan | None, SourceSpan | None]
ALIKE = 40.0  # of 100; a line this similar is a changed version of another
MOST_PAIRED = 40  # consecutive differing lines compared with each other
BY_WORDS = (
    "Without a model this is a diff of the texts: it shows which words differ, not what they mean."
)


def lines_beside(own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]) -> Iterator[Pair]:
    """All lines of two texts in order; equal and similar lines are paired."""
    matcher = SequenceMatcher(
        None, [one.words for one in own], [one.words for one in theirs], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(own[a:b], theirs[c:d], strict=True)
        else:
            yield from _pair_lines(own[a:b], theirs[c:d])


def _pair_lines(own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]) -> Iterator[Pair]:
    """Pair each line with the most similar one of the other text, if any."""
    for at in range(0, max(len(own), len(theirs)), MOST_PAIRED):
        lines = own[at : at + MOST_PAIRED], theirs[at : at + MOST_PAIRED]
        words = ([line.words for line in side] for side in lines)
        yield from _pair_most_similar(*lines, process.cdist(*words, score_cutoff=ALIKE))


def _pair_most_similar(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan], similarity: npt.NDArray[np.float32]
) -> Iterator[Pair]:
    if not similarity.any():
        yield from ((line, None) for line in own)
        yield from ((None, line) for line in theirs)
        return
    at, to = divmod(int(similarity.argmax()), len(theirs))
    yield from _pair_most_similar(own[:at], theirs[:to], similarity[:at, :to])
    yield own[at], theirs[to]
    yield from _pair_most_similar(own[at + 1 :], theirs[to + 1 :], similarity[at + 1 :, to + 1 :])


def difference_lines(
    groups: Sequence[Group],
    titles: Sequence[str],
    markers: Markers,
    *,
    mentioned: Sequence[str] = (),
    limit: int = MOST,
) -> str:
    """The differences as lists under their sections, except those whose words are `mentioned` already."""
    parts: list[str] = []
    total = 0
    for group in groups:
        found = [
            (pair, title)
            for number, title in enumerate(titles[1:], 1)
            for pair in lines_beside(group.lines(0), group.lines(number))
            if _differ(pair) and not _is_mentioned(pair, mentioned)
        ]
        lines = [
            _line(pair, title if len(titles) > 2 else "", markers)
            for pair, title in found[: max(0, limit - total)]
        ]
        total += len(found)
        if lines:
            heading = f"**{escape_markdown(PATH.join(group.path))}**\n\n" if group.path else ""
            parts.append(heading + "\n".join(lines))
    if total > limit:
        parts.append(f"{total - limit} more differences are not shown.")
    return "\n\n".join(parts)


def _differ(pair: Pair) -> bool:
    old, new = pair
    return old is None or new is None or old.words != new.words


def _is_mentioned(pair: Pair, mentioned: Sequence[str]) -> bool:
    lines = [span.words for span in pair if span is not None]
    return any(words in line or line in words for line in lines for words in mentioned)


def _line(pair: Pair, title: str, markers: Markers) -> str:
    suffix = f" ({escape_markdown(title)})" if title else ""
    old, new = ("" if span is None else markers.quote(span) for span in pair)
    if not old:
        return f"- added{suffix}: {new}"
    return f"- changed{suffix}: {old} \u2192 {new}" if new else f"- removed{suffix}: {old}"


MOST_CHARACTERS = 40_000  # of all lines together
WORDS_ALIKE = 0.4  # minimum similarity, 0..1, for marking the single words that differ
_TOKENS = patterns.compile(r"\w+|\s+|[^\w\s]")
Row = tuple[SourceSpan | None, ...]


def side_by_side(group: Group) -> Sequence[Row]:
    """The differing lines of two documents, paired, with their neighbors."""
    rows = list(lines_beside(group.lines(0), group.lines(1)))
    differs = list(map(_differ, rows))
    return [row for at, row in enumerate(rows) if any(differs[max(0, at - 1) : at + 2])]


def build_comparison(
    documents: Sequence[DocumentRef],
    sections: Sequence[tuple[str, Sequence[ChangeNote], Sequence[Row]]],
    markers: Markers,
) -> Comparison | None:
    """The sections with their notes and rows, up to `MOST_CHARACTERS`; None if there are none."""
    compared: list[ComparedSection] = []
    room = MOST_CHARACTERS
    for heading, notes, rows in sections:
        room -= sum(len(span.words) for row in rows for span in row if span is not None)
        if room < 0:
            break
        lines = tuple(tuple(_compared_lines(row, markers.citations)) for row in rows)
        compared.append(ComparedSection(heading=heading, notes=tuple(notes), rows=lines))
    if not compared:
        return None
    omitted = len(sections) - len(compared)
    return Comparison(documents=tuple(documents), sections=tuple(compared), omitted=omitted)


def _compared_lines(row: Row, citations: Sequence[ChatCitation]) -> Iterator[ComparedLine | None]:
    """Compare each line with the first of the others."""
    texts = [None if span is None else strip_markdown(span.words).strip("| ") for span in row]
    for at, (span, text) in enumerate(zip(row, texts, strict=True)):
        if span is None or text is None:
            yield None
            continue
        others = (*texts[:at], *texts[at + 1 :])
        other = next((line for line in others if line is not None), None)
        markers = (
            one.marker
            for one in citations
            if one.chunk_id == span.evidence.chunk_id
            and (one.quote in span.words or span.words in one.quote)
        )
        yield ComparedLine(words=tuple(_text_runs(text, other)), markers=tuple(markers))


def _text_runs(text: str, other: str | None) -> Iterator[TextRun]:
    """Split a line into equal and changed runs; all of it is changed if the other line is not similar."""
    tokens, others = _TOKENS.findall(text), _TOKENS.findall(other or "")
    matcher = SequenceMatcher(None, tokens, others, autojunk=False)
    if other is None or matcher.ratio() < WORDS_ALIKE:
        yield TextRun(text=text, changed=True)
        return
    differs = [True] * len(tokens)
    for block in matcher.get_matching_blocks():
        differs[block.a : block.a + block.size] = [False] * block.size
    for at in range(1, len(tokens) - 1):  # a space between two changed words counts as changed
        differs[at] = differs[at] or (tokens[at].isspace() and differs[at - 1] and differs[at + 1])
    for changed, run in groupby(zip(tokens, differs, strict=True), key=itemgetter(1)):
        yield TextRun(text="".join(token for token, _ in run), changed=changed)
