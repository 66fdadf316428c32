"""A question where there is no model: a search of the documents, said to be one."""

from collections.abc import Iterator, Sequence

from app.chat.claims.body import Markers, confidence_of, empty_reply
from app.chat.claims.sources import SourceSpan
from app.chat.inquiry.material import PATH, Material, search
from app.chat.output.markdown import cell, escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import Evidence, Reply
from app.text import patterns

SEARCH = "Without a model this is a search of your documents: the passages that are closest to your question."
NOTHING = "Without a model this is a search: no passage of the documents is close to your question."
NO_DOCUMENTS = "There are no documents to search yet."
MOST = 6  # passages
CLOSE = 0.25  # of the best score: what is further below is about something else
LONGEST = 3_000  # characters of a passage; rows of a table are shown whole
_RULE = patterns.compile(r"[\s|:-]+")


async def answer_from_search(
    asked: ActionRequest, tools: Tools, notices: Sequence[str] = ()
) -> Reply:
    """The best passages, word for word, each under its document and section. Raises `StoreUnavailable`."""
    material = Material()
    await search(asked.question, asked, tools, material)
    found = sorted(material.evidence, key=lambda one: -one.score)
    best = found[0].score if found else 0.0
    shown = [one for one in found if one.score >= CLOSE * best][:MOST]
    if not shown:
        empty = not asked.documents and not await tools.documents.titles(tools.tenant)
        text = NO_DOCUMENTS if empty else NOTHING
        return empty_reply(text, notices)
    parts: list[str] = []
    markers = Markers()
    for one in shown:
        lines = list(_lines(one.text))
        marker = markers.of([SourceSpan(one, "\n".join(lines), one.heading_path)])
        quote = "\n".join(f"> {line}" for line in _table(lines))
        parts.append(f"{_heading(one)} {marker}\n\n{quote}")
    return Reply(
        text="\n\n".join((SEARCH, *parts)),
        citations=tuple(markers.citations),
        confidence=confidence_of(best),
        score=max(best, 0.01),
        notices=tuple(notices),
    )


def _heading(one: Evidence) -> str:
    path = [part for part in one.heading_path if part != one.title]
    page = f", page {one.page}" if one.page is not None else ""
    return f"**{escape_markdown(PATH.join((one.title, *path)))}**{page}"


def _lines(text: str) -> Iterator[str]:
    """The lines of a passage, as many as fit, at least one."""
    length = 0
    for line in text.splitlines():
        if length and length + len(line) > LONGEST:
            return
        length += len(line)
        yield line if "|" in line else line[:LONGEST]


def _table(lines: Sequence[str]) -> Iterator[str]:
    """The lines as Markdown that shows them as they read; rows of a table stay rows."""
    for line in lines:
        if not (line.startswith("|") and line.rstrip().endswith("|") and len(line) > 1):
            yield escape_markdown(line)
        elif _RULE.fullmatch(line):
            yield line
        else:
            yield f"| {' | '.join(cell(one) for one in line.strip().strip('|').split('|'))} |"
