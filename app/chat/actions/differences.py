"""What differs in words between sections that belong together, with no model."""

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
Pair = tuple[SourceSpan | None, SourceSpan | None]
ALIKE = 40.0  # of 100, from which on one line is another one changed
MOST_PAIRED = 40  # lines that are held against each other where all of them differ
BY_WORDS = (
    "Without a model this is a difference of the texts, section by section: which words differ, not what "
    "they mean."
)


def lines_beside(own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]) -> Iterator[Pair]:
    """All lines of two texts in order, paired if they are the same or most similar."""
    matcher = SequenceMatcher(
        None, [one.words for one in own], [one.words for one in theirs], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(own[a:b], theirs[c:d], strict=True)
        else:
            yield from _pair_lines(own[a:b], theirs[c:d])


def _pair_lines(own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]) -> Iterator[Pair]:
    """Each line with the most similar one of the other text, if any is similar."""
    for at in range(0, max(len(own), len(theirs)), MOST_PAIRED):
        some, others = own[at : at + MOST_PAIRED], theirs[at : at + MOST_PAIRED]
        words = ([one.words for one in each] for each in (some, others))
        yield from _likest(some, others, process.cdist(*words, score_cutoff=ALIKE))


def _likest(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan], likeness: npt.NDArray[np.float32]
) -> Iterator[Pair]:
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
            (pair, title)
            for number, title in enumerate(titles[1:], 1)
            for pair in lines_beside(group.lines(0), group.lines(number))
            if _differ(pair) and not _is_mentioned(pair, told)
        ]
        shown = found[: max(0, most - total)]
        of = len(titles) > 2
        lines = [_line(pair, title if of else "", markers) for pair, title in shown]
        total += len(found)
        if lines:
            head = f"**{escape_markdown(PATH.join(group.path))}**\n\n" if group.path else ""
            parts.append(head + "\n".join(lines))
    if total > most:
        parts.append(f"{total - most} more differences are not shown.")
    return "\n\n".join(parts)


def _differ(pair: Pair) -> bool:
    before, after = pair
    return before is None or after is None or before.words != after.words


def _is_mentioned(pair: Pair, told: Sequence[str]) -> bool:
    lines = [span.words for span in pair if span is not None]
    return any(words in line or line in words for line in lines for words in told)


def _line(pair: Pair, title: str, markers: Markers) -> str:
    of = f" ({escape_markdown(title)})" if title else ""
    before, after = ("" if span is None else markers.quote(span) for span in pair)
    if not before:
        return f"- added{of}: {after}"
    return f"- changed{of}: {before} \u2192 {after}" if after else f"- removed{of}: {before}"


MOST_CHARACTERS = 40_000  # of all lines together
WORDS_ALIKE = 0.4  # of 1, from which on single words of two lines are compared
_TOKENS = patterns.compile(r"\w+|\s+|[^\w\s]")
Row = tuple[SourceSpan | None, ...]


def side_by_side(group: Group) -> Sequence[Row]:
    """The lines of two documents that differ, paired, with their neighbours."""
    rows = list(lines_beside(group.lines(0), group.lines(1)))
    differs = list(map(_differ, rows))
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
        room -= sum(len(span.words) for row in rows for span in row if span is not None)
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
    texts = [None if span is None else unmarked(span.words).strip("| ") for span in row]
    for at, (span, text) in enumerate(zip(row, texts, strict=True)):
        if span is None or text is None:
            yield None
            continue
        other = next((one for to, one in enumerate(texts) if to != at and one is not None), None)
        cited = (
            one.marker
            for one in citations
            if one.chunk_id == span.evidence.chunk_id
            and (one.quote in span.words or span.words in one.quote)
        )
        yield ComparedLine(words=tuple(_words(text, other)), markers=tuple(cited))


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
    for changed, run in groupby(zip(tokens, differs, strict=True), key=itemgetter(1)):
        yield TextRun(text="".join(token for token, _ in run), changed=changed)
