"""Documents where there is no model: their sections, each with how it begins."""

from collections.abc import Sequence

from app.chat.claims.body import Markers
from app.chat.comparison.sections import sections_of
from app.chat.inquiry.material import PATH
from app.chat.markdown import plain
from app.domain.chat import DocumentRef, Evidence, Reply

OUTLINE = (
    "Without a model this is an outline: each section with its first sentence, and no summary."
)
MOST = 80  # sections


def outline(
    documents: Sequence[tuple[DocumentRef, Sequence[Evidence]]], notices: Sequence[str]
) -> Reply:
    """The outline of each document, word for word."""
    markers = Markers()
    parts = [OUTLINE]
    left = MOST
    for document, passages in documents:
        sections = sections_of(passages)
        lines = []
        for one in sections[: max(0, left)]:
            path = [each for each in one.path if each != document.title]
            head = f"{plain(PATH.join(path))}: " if path else ""
            lines.append(f"- {head}{plain(one.lines[0].words)} {markers.of(one.lines[:1])}")
        if len(sections) > len(lines):
            lines.append(f"- and {len(sections) - len(lines)} more sections")
        left -= len(lines)
        parts.append("\n".join((f"**{plain(document.title)}**\n", *lines)))
    return Reply(
        text="\n\n".join(parts),
        citations=tuple(markers.citations),
        confidence="medium",
        score=0.5,
        notices=tuple(notices),
    )
