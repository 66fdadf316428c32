"""The action `compare`: the differences between documents by section, with quotes of each."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.chat.actions import differences
from app.chat.actions.changes import CALL_TOKENS, LETTERS, Change, Changes, find_changes
from app.chat.actions.material import PATH, Material
from app.chat.actions.sections import Group, are_versions, group_sections, moved_groups, sections_of
from app.chat.claims.body import DOUBTED, SCORES, Markers, contested_claims, empty_reply
from app.chat.claims.sources import Sources
from app.chat.documents.passages import batches, read_documents, tokens_of
from app.chat.model_request import UNAVAILABLE
from app.chat.output.markdown import cell, escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import ChangeNote, Comparison, DocumentRef, Evidence, Reply
from app.domain.knowledge import Confidence

FEWEST, MOST = 2, len(LETTERS)  # documents
MOST_CALLS = 12
MOST_OTHERS = 20
OTHERS = "Other differences in wording"
SAME = "The documents contain the same text."
NO_CHANGE = "Their words differ, but no difference in meaning was found."
NO_WORDS = "\u2014"


@dataclass(frozen=True, slots=True)
class ReadSections:
    """The documents with their passages, and the groups of their corresponding sections."""

    documents: tuple[DocumentRef, ...]
    passages: list[list[Evidence]]
    groups: list[Group]

    @property
    def differing(self) -> list[Group]:
        return [group for group in self.groups if not group.same(len(self.documents))]

    @property
    def moved(self) -> list[Group]:
        """The sections that are elsewhere in the other of two documents."""
        return moved_groups(self.groups) if len(self.documents) == FEWEST else []


async def compare_documents(request: ActionRequest, tools: Tools) -> Reply:
    """A table of the differences, with quotes of each document; without a model, a diff of the texts. Raises
    `StoreUnavailable`.
    """
    documents = tuple(dict.fromkeys(request.documents))
    notices: list[str] = []
    if len(documents) > MOST:
        names = ", ".join(f"\u201c{one.title}\u201d" for one in documents[:MOST])
        notices.append(
            f"{len(documents)} documents were named; the first {MOST} were compared: {names}."
        )
    opened = await read_documents(documents[:MOST], tools)
    notices += opened.notices
    read = await asyncio.to_thread(_read_sections, opened.passages)
    if len(read.documents) < FEWEST:
        titles = [escape_markdown(document.title) for document in read.documents]
        only = f" Only \u201c{titles[0]}\u201d could be read." if titles else ""
        return empty_reply(f"There are not two documents to compare.{only}", notices)
    if not read.differing and not read.moved:
        return Reply(text=SAME, notices=tuple(notices))
    if tools.model is None:
        return await asyncio.to_thread(_diff_reply, read, notices)
    request = replace(request, documents=read.documents)
    changes = Changes()
    calls = list(
        batches(read.differing, lambda group: sum(map(tokens_of, group.passages)), CALL_TOKENS)
    )
    sources = [Sources(passages) for passages in read.passages]
    for at, batch in enumerate(calls[:MOST_CALLS]):
        try:
            found = await find_changes(batch, request, sources, read.groups, tools.model)
        except UNAVAILABLE as error:
            why = f"The model could not be asked: {error.detail}"
            if not at:
                return await asyncio.to_thread(_diff_reply, read, [*notices, why])
            notices.append(f"{why} {_left_out_notice(calls[at:])}")
            break
        changes.certified += found.certified
        changes.failed += found.failed
        changes.notices += [one for one in found.notices if one not in changes.notices]
    if len(calls) > MOST_CALLS:
        notices.append(f"The documents differ a lot. {_left_out_notice(calls[MOST_CALLS:])}")
    return await asyncio.to_thread(_reply, read, changes, notices)


def _read_sections(opened: Sequence[tuple[DocumentRef, Sequence[Evidence]]]) -> ReadSections:
    numbered = Material()
    passages = [numbered.add(evidence) for _, evidence in opened]
    documents = tuple(document for document, _ in opened)
    return ReadSections(documents, passages, group_sections(list(map(sections_of, passages))))


def _reply(read: ReadSections, changes: Changes, notices: list[str]) -> Reply:
    markers = Markers()
    rows = [_row(change, read, markers) for change in changes.certified]
    rows += [_moved_row(group, markers) for group in read.moved]
    counts = Counter(_change_name(change, read) for change in changes.certified)
    counts.update({"moved": len(read.moved)})
    summary = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    header = ["Section", *(cell(document.title) for document in read.documents), "Difference"]
    lines = [header, ["---"] * len(header), *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    doubted = sum(change.doubt is not None for change in changes.certified)
    is_unsure = doubted or changes.failed or changes.notices or notices
    confidence: Confidence = "medium" if is_unsure else "high"
    others = differences.difference_lines(
        [group for group in read.differing if are_versions(group)],
        [document.title for document in read.documents],
        markers,
        mentioned=[span.words for one in changes.certified for span in one.certified.spans],
        limit=MOST_OTHERS,
    )
    parts = [
        f"**{summary}.**\n\n{table}" if rows else NO_CHANGE,
        f"### {OTHERS}\n\n{others}" if others else "",
    ]
    return Reply(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(markers.citations),
        confidence=confidence,
        score=SCORES[confidence],
        by_model=True,
        claims=len(changes.certified) + len(changes.failed),
        unsupported=contested_claims(changes.failed),
        doubted=doubted,
        notices=(*notices, *changes.notices),
        comparison=_comparison(read, changes.certified, markers),
    )


def _comparison(
    read: ReadSections, changes: Sequence[Change], markers: Markers
) -> Comparison | None:
    """For two documents the differing sections, line by line; for more the quotes of each change."""
    sections: list[tuple[str, list[ChangeNote], Sequence[differences.Row]]] = []
    if len(read.documents) > FEWEST:
        for change in changes:
            spans = change.certified.spans
            quotes = {span.evidence.document_id: span for span in reversed(spans)}
            row = tuple(quotes.get(document.id) for document in read.documents)
            sections.append((_path(spans[0].path), [_change_note(change, read)], [row]))
        return differences.build_comparison(read.documents, sections, markers)
    for group in read.differing:
        refs = {one.ref for one in group.passages}
        notes = [
            _change_note(change, read)
            for change in changes
            if any(span.evidence.ref in refs for span in change.certified.spans)
        ]
        sections.append((_path(group.path), notes, differences.side_by_side(group)))
    return differences.build_comparison(read.documents, sections, markers)


def _change_note(change: Change, read: ReadSections) -> ChangeNote:
    return ChangeNote(
        kind=_change_name(change, read),
        text=change.certified.claim.text,
        doubted=change.doubt is not None,
    )


def _row(change: Change, read: ReadSections, markers: Markers) -> list[str]:
    certified, cells = change.certified, []
    for document in read.documents:
        own = [span for span in certified.spans if span.evidence.document_id == document.id]
        cells.append(" ".join(map(markers.quote, own)) or NO_WORDS)
    text = f"**{_change_name(change, read)}**: {cell(certified.claim.text)}"
    text += f" ({cell(certified.computed)})" if certified.computed else ""
    text += f" {DOUBTED}" if change.doubt is not None else ""
    text += f" ({cell(change.doubt)})" if change.doubt else ""
    return [cell(_path(certified.spans[0].path)), *cells, text]


def _moved_row(group: Group, markers: Markers) -> list[str]:
    """A section that is elsewhere, represented by its first line."""
    sections = [group.sections[number] for number in range(FEWEST)]
    cells = [markers.quote(section.lines[0]) for section in sections]
    paths = [cell(_path(section.path)) for section in sections]
    return [" \u2192 ".join(dict.fromkeys(paths)), *cells, "**moved**: the same words"]


def _change_name(change: Change, read: ReadSections) -> str:
    """Among three or more documents none is the older one."""
    if len(read.documents) == FEWEST:
        return change.kind
    documents = {span.evidence.document_id for span in change.certified.spans}
    return "only in one" if len(documents) == 1 else "differ"


def _diff_reply(read: ReadSections, notices: list[str]) -> Reply:
    markers = Markers()
    titles = [document.title for document in read.documents]
    rows = [f"- {cell(_path(group.sections[0].path))}" for group in read.moved]
    text = differences.difference_lines(read.differing, titles, markers)
    moved = f"**The same words elsewhere**\n\n{chr(10).join(rows)}" if rows else ""
    order = " \u2192 ".join(f"\u201c{escape_markdown(title)}\u201d" for title in titles)
    return Reply(
        text="\n\n".join(filter(None, (differences.BY_WORDS, order, text, moved))),
        citations=tuple(markers.citations),
        confidence="medium",
        score=SCORES["medium"],
        notices=tuple(notices),
        comparison=_comparison(read, (), markers),
    )


def _path(path: Sequence[str]) -> str:
    return PATH.join(path[1:] if len(path) > 1 else path)


def _left_out_notice(calls: Sequence[Sequence[Group]]) -> str:
    headings = dict.fromkeys(group.path[-1:] for batch in calls for group in batch)
    names = ", ".join(f"\u201c{heading[0]}\u201d" for heading in list(headings)[:10] if heading)
    return f"These sections were not compared: {names}." if names else "Not all was compared."
