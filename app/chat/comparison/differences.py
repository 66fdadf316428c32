"""What differs in words between sections that belong together, with no model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from app.chat.claims.body import Markers
from app.chat.claims.sources import SourceSpan
from app.chat.comparison.sections import Group
from app.chat.inquiry.material import PATH
from app.chat.output.markdown import escape_markdown

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
    """Of the first document to each other one."""
    own = group.sections[0].lines if 0 in group.sections else ()
    for other in range(1, documents):
        theirs = group.sections[other].lines if other in group.sections else ()
        for before, after in lines_beside(own, theirs):
            if before is None or after is None or before.words != after.words:
                yield Difference(other, before, after)


def lines_beside(
    own: Sequence[SourceSpan], theirs: Sequence[SourceSpan]
) -> Iterator[tuple[SourceSpan | None, SourceSpan | None]]:
    """All lines of two texts in their order, those together that are the same, or likest each other."""
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
    """The likest line of the other text beside each, as long as they are alike; the rest stands alone."""
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
    """The differences as lists under their sections, but for those whose words are `told` of; "" where there
    are none.
    """
    parts: list[str] = []
    total = 0
    for group in groups:
        found = [one for one in differences(group, len(titles)) if not _is_mentioned(one, told)]
        lines = [_line(one, titles, markers) for one in found[: max(0, most - total)]]
        total += len(found)
        if lines:
            path = next(iter(group.sections.values())).path
            head = f"**{escape_markdown(PATH.join(path))}**\n\n" if path else ""
            parts.append(head + "\n".join(lines))
    if total > most:
        parts.append(f"{total - most} more differences are not shown.")
    return "\n\n".join(parts)


def _is_mentioned(one: Difference, told: Sequence[str]) -> bool:
    lines = [held.words for held in (one.before, one.after) if held is not None]
    return any(words in line or line in words for line in lines for words in told)


def _line(one: Difference, titles: Sequence[str], markers: Markers) -> str:
    of = f" ({escape_markdown(titles[one.document])})" if len(titles) > 2 else ""
    before, after = (
        "" if held is None else markers.quote(held) for held in (one.before, one.after)
    )
    if not before:
        return f"- added{of}: {after}"
    return f"- changed{of}: {before} \u2192 {after}" if after else f"- removed{of}: {before}"
