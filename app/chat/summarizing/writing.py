"""The text of a summary, in Markdown with its markers."""

from collections.abc import Sequence
from itertools import groupby

from app.chat.evidence import Citing, plain
from app.chat.summarizing.drafting import Drafted, Line
from app.chat.summarizing.length import PER_PARAGRAPH, Length
from app.chat.summarizing.sources import Source

UNDIVIDED = 8  # sentences that are one paragraph where none are asked for


def written(citing: Citing, source: Source, drafted: Drafted, length: Length | None) -> str:
    """The summary of one document, without a heading; a plain sentence where there is nothing to say."""
    if length is None:
        return "There is no room for this document in the length that was asked for."
    said = [
        (line, _ended(text, length))
        for line in drafted.lines
        if (text := citing.cited(line.claim)) is not None
    ]
    if not said:
        return nothing(source)
    if length.shape == "list":
        return "\n".join(f"- {text}" for _, text in said)
    return "\n\n".join(" ".join(text for _, text in some) for some in _paragraphs(said, length))


def _ended(text: str, length: Length) -> str:
    """A list item as a sentence of prose: with a full stop before its markers."""
    if length.shape == "list":
        return text
    said, _, markers = text.rpartition(" ")
    bare = said.rstrip(" ;,:")
    ends = bare.rstrip("\"'\u201d\u2019)\u00bb]*_").endswith(
        tuple(".!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964")
    )
    return f"{bare}{'' if ends else '.'} {markers}"


Said = tuple[Line, str]


def _paragraphs(said: Sequence[Said], length: Length) -> list[list[Said]]:
    """As many as asked for; long prose else at the borders of its sections."""
    if length.paragraphs is None and len(said) <= UNDIVIDED:
        return [list(said)]
    number = length.paragraphs or max(1, round(len(said) / (PER_PARAGRAPH + 1)))
    number = min(number, len(said))
    groups = [list(some) for _, some in groupby(said, key=lambda one: one[0].section)]
    made: list[list[Said]] = [[]]
    left = len(said)
    for group in groups:
        for one in group:
            open_ = number - len(made)
            target = -(-(left + len(made[-1])) // (open_ + 1))
            at_border = one is group[0] and len(made[-1]) >= max(1, target - 1)
            if made[-1] and open_ and (at_border or len(made[-1]) >= target or left <= open_):
                made.append([])
            made[-1].append(one)
            left -= 1
    return made


def headed(source: Source, text: str) -> str:
    """A document's summary under its title."""
    return f"## {plain(source.document.title) or 'Untitled document'}\n\n{text}"


def nothing(source: Source) -> str:
    """Why there is nothing to say of a document, from what it holds."""
    name = f"\u201c{plain(source.document.title)}\u201d"
    if not source.passages:
        return f"{name} has no text that could be read."
    headings = dict.fromkeys(one.heading_path[-1] for one in source.passages if one.heading_path)
    if not headings:
        return f"{name} holds no sentences that could be summarized."
    named = ", ".join(f"\u201c{plain(one)}\u201d" for one in list(headings)[:MOST_NAMED])
    return f"{name} holds no sentences that could be summarized. It has sections on {named}."


MOST_NAMED = 12  # headings
