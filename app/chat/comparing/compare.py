"""The action `compare`."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from app.chat.comparing.asking import Worded, worded
from app.chat.comparing.rows import Row, rows_of
from app.chat.comparing.table import Line, counted, lines_of, table
from app.chat.comparing.topic import about, topic_of
from app.chat.evidence import Citing
from app.chat.evidence.markdown import plain
from app.chat.statements import Held, Statement, opened
from app.chat.statements.held import language_named
from app.chat.tools import Asked, Tools
from app.domain.chat import DocumentRef, Reply

FEWEST, MOST = 2, 6  # documents


async def compare(asked: Asked, tools: Tools) -> Reply:
    """The reply, every claim of which is cited; extractive without a model."""
    documents = tuple({one.id: one for one in asked.documents}.values())
    there = await opened(documents[:MOST], tools)
    notices = [*_taken(documents), *there.notices]
    if len(there.held) < FEWEST:
        return _too_few(there.held, notices)
    topic = topic_of(asked.plain, [one.document.title for one in there.held])
    groups, told = await asyncio.to_thread(_chosen, there.held, topic, tools)
    notices += [*told, *_languages(there.held)]
    rows = await asyncio.to_thread(rows_of, there.held, groups, tools.embedder)
    made: Worded | None = None
    if tools.model is not None and any(groups):
        made = await worded(asked, there.held, groups, rows, tools.model)
        notices += made.notices
        if made.lines:
            return _reply(made.lines, made.citing, there.held, notices, by_model=True)
    shown = _comparable(rows, there.held)
    return await asyncio.to_thread(_extractive, shown, there.held, notices)


def _extractive(rows: list[Row], held: Sequence[Held], notices: list[str]) -> Reply:
    citing = Citing([passage for one in held for passage in one.passages])
    lines = lines_of(rows, citing)
    if not lines:
        titles = " and ".join(f"“{plain(one.document.title)}”" for one in held)
        text = f"No statements of {titles} were found that are about the same things."
        return Reply(text=text, confidence="low", score=0.0, notices=tuple(notices))
    return _reply(lines, citing, held, notices, counts=Counter(row.verdict for row in rows))


def _reply(
    lines: Sequence[Line],
    citing: Citing,
    held: Sequence[Held],
    notices: list[str],
    *,
    counts: Counter[str] | None = None,
    by_model: bool = False,
) -> Reply:
    every = dict(counts or Counter(line.verdict for line in lines))
    documents = [one.document for one in held]
    same = _identical(held)
    text = "\n\n".join(
        filter(None, [same, table(lines, documents), counted(every, len(lines))])  # type: ignore[arg-type]
    )
    both = sum(line.verdict != "only" for line in lines)
    return Reply(
        text=text,
        citations=tuple(citing.citations),
        confidence="high" if both >= 3 else "medium" if both else "low",
        score=1.0 if both >= 3 else 0.6 if both else 0.3,
        by_model=by_model,
        dropped=citing.dropped,
        notices=tuple(notices),
    )


def _too_few(held: Sequence[Held], notices: list[str]) -> Reply:
    left = f" Only “{plain(held[0].document.title)}” could be read." if held else ""
    text = f"There are not two documents to compare.{left}"
    return Reply(text=text, confidence="low", score=0.0, notices=tuple(notices))


def _chosen(
    held: Sequence[Held], topic: frozenset[str], tools: Tools
) -> tuple[list[list[Statement]], list[str]]:
    """The statements on the topic, if one was named and is there; else all."""
    every = [list(one.statements) for one in held]
    if not topic:
        return every, []
    found = about(held, topic, tools.embedder)
    if found is None:
        return every, ["Nothing on the topic that was asked for was found: all was compared."]
    without = [held[at].document.title for at, group in enumerate(found) if not group]
    return found, [f"“{title}” has nothing on the topic that was asked for." for title in without]


def _comparable(rows: list[Row], held: Sequence[Held]) -> list[Row]:
    """Between languages, that nothing like it was found in the other document says nothing."""
    languages = {one.language for one in held if one.language}
    return rows if len(languages) < 2 else [row for row in rows if row.verdict != "only"]


def _languages(held: Sequence[Held]) -> list[str]:
    languages = {one.document.title: one.language for one in held if one.language}
    if len(set(languages.values())) < 2:
        return []
    said = ", ".join(f"“{title}” is in {language_named(code)}" for title, code in languages.items())
    return [f"{said}: statements in different languages are matched less surely."]


def _identical(held: Sequence[Held]) -> str:
    texts = [tuple(passage.text for passage in one.passages) for one in held]
    if all(one == texts[0] for one in texts[1:]):
        return "The documents hold the same text."
    return ""


def _taken(documents: Sequence[DocumentRef]) -> list[str]:
    if len(documents) <= MOST:
        return []
    names = ", ".join(f"“{one.title}”" for one in documents[:MOST])
    return [f"{len(documents)} documents were named; the first {MOST} were compared: {names}."]
