"""The action `compare`: what differs between documents, by section, with the words of each."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.chat.actions import differences
from app.chat.actions.changes import CALL_TOKENS, LETTERS, Change, Changes, changes_of
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
SAME = "The documents hold the same text."
NO_CHANGE = "Their words differ, and no difference in meaning was found."
SILENT = "\u2014"


@dataclass(frozen=True, slots=True)
class ReadSections:
    """The documents with their passages, and their sections as they belong together."""

    documents: tuple[DocumentRef, ...]
    passages: list[list[Evidence]]
    groups: list[Group]

    @property
    def differing(self) -> list[Group]:
        return [one for one in self.groups if not one.same(len(self.documents))]

    @property
    def moved(self) -> list[Group]:
        """The sections that stand elsewhere in the other of two documents."""
        return moved_groups(self.groups) if len(self.documents) == FEWEST else []


async def compare_documents(asked: ActionRequest, tools: Tools) -> Reply:
    """A table of what differs, with the words of each document; without a model, a difference of the texts.
    Raises `StoreUnavailable`.
    """
    documents = tuple(dict.fromkeys(asked.documents))
    notices: list[str] = []
    if len(documents) > MOST:
        names = ", ".join(f"\u201c{one.title}\u201d" for one in documents[:MOST])
        notices.append(
            f"{len(documents)} documents were named; the first {MOST} were compared: {names}."
        )
    found = await read_documents(documents[:MOST], tools)
    notices += found.notices
    read = await asyncio.to_thread(_read_sections, found.passages)
    if len(read.documents) < FEWEST:
        titles = [escape_markdown(one.title) for one in read.documents]
        left = f" Only \u201c{titles[0]}\u201d could be read." if titles else ""
        return empty_reply(f"There are not two documents to compare.{left}", notices)
    if not read.differing and not read.moved:
        return Reply(text=SAME, notices=tuple(notices))
    if tools.model is None:
        return await asyncio.to_thread(_by_words, read, notices)
    there = replace(asked, documents=read.documents)
    changes = Changes()
    asks = list(batches(read.differing, lambda one: sum(map(tokens_of, one.passages)), CALL_TOKENS))
    whole = [Sources(one) for one in read.passages]
    for at, batch in enumerate(asks[:MOST_CALLS]):
        try:
            made = await changes_of(batch, there, whole, read.groups, tools.model)
        except UNAVAILABLE as error:
            why = f"The model could not be asked: {error.detail}"
            if not at:
                return await asyncio.to_thread(_by_words, read, [*notices, why])
            notices.append(f"{why} {_left_out_notice(asks[at:])}")
            break
        changes.holding += made.holding
        changes.failed += made.failed
        changes.notices += [one for one in made.notices if one not in changes.notices]
    if len(asks) > MOST_CALLS:
        notices.append(f"There is much that differs. {_left_out_notice(asks[MOST_CALLS:])}")
    return await asyncio.to_thread(_reply, read, changes, notices)


def _read_sections(found: Sequence[tuple[DocumentRef, Sequence[Evidence]]]) -> ReadSections:
    numbered = Material()
    passages = [numbered.add(given) for _, given in found]
    documents = tuple(document for document, _ in found)
    return ReadSections(documents, passages, group_sections([sections_of(one) for one in passages]))


def _reply(read: ReadSections, changes: Changes, notices: list[str]) -> Reply:
    markers = Markers()
    rows = [_row(one, read, markers) for one in changes.holding]
    rows += [_moved_row(one, markers) for one in read.moved]
    counts = Counter(_change_name(one, read) for one in changes.holding)
    counts.update({"moved": len(read.moved)})
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    head = ["Section", *(cell(one.title) for one in read.documents), "Difference"]
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    doubted = sum(one.doubt is not None for one in changes.holding)
    open_ = doubted or changes.failed or changes.notices or len(notices) > 0
    sure: Confidence = "medium" if open_ else "high"
    others = differences.difference_lines(
        [one for one in read.differing if are_versions(one)],
        [one.title for one in read.documents],
        markers,
        told=[span.words for one in changes.holding for span in one.certified.spans],
        most=MOST_OTHERS,
    )
    parts = [
        f"**{said}.**\n\n{table}" if rows else NO_CHANGE,
        f"### {OTHERS}\n\n{others}" if others else "",
    ]
    return Reply(
        text="\n\n".join(filter(None, parts)),
        citations=tuple(markers.citations),
        confidence=sure,
        score=SCORES[sure],
        by_model=True,
        claims=len(changes.holding) + len(changes.failed),
        unsupported=contested_claims(changes.failed),
        doubted=doubted,
        notices=(*notices, *changes.notices),
        comparison=_picture(read, changes.holding, markers),
    )


def _picture(read: ReadSections, changes: Sequence[Change], markers: Markers) -> Comparison | None:
    """Of two documents the sections that differ, line by line; of more the quotes of each change."""
    sections: list[tuple[str, list[ChangeNote], Sequence[differences.Row]]] = []
    if len(read.documents) > FEWEST:
        for one in changes:
            quotes = {span.evidence.document_id: span for span in reversed(one.certified.spans)}
            row = tuple(quotes.get(document.id) for document in read.documents)
            sections.append((_path(one.certified.spans[0].path), [_change_note(one, read)], [row]))
        return differences.build_picture(read.documents, sections, markers)
    for group in read.differing:
        refs = {one.ref for one in group.passages}
        told = [
            _change_note(one, read)
            for one in changes
            if any(span.evidence.ref in refs for span in one.certified.spans)
        ]
        sections.append((_path(group.path), told, differences.side_by_side(group)))
    return differences.build_picture(read.documents, sections, markers)


def _change_note(one: Change, read: ReadSections) -> ChangeNote:
    return ChangeNote(
        kind=_change_name(one, read), text=one.certified.claim.text, doubted=one.doubt is not None
    )


def _row(one: Change, read: ReadSections, markers: Markers) -> list[str]:
    cells: list[str] = []
    for document in read.documents:
        own = [span for span in one.certified.spans if span.evidence.document_id == document.id]
        cells.append(" ".join(map(markers.quote, own)) or SILENT)
    path = one.certified.spans[0].path
    computed = f" ({cell(one.certified.computed)})" if one.certified.computed else ""
    doubt = f" {DOUBTED}" if one.doubt is not None else ""
    why = f" ({cell(one.doubt)})" if one.doubt else ""
    told = f"**{_change_name(one, read)}**: {cell(one.certified.claim.text)}{computed}{doubt}{why}"
    return [cell(_path(path)), *cells, told]


def _moved_row(group: Group, markers: Markers) -> list[str]:
    """A section that stands elsewhere, by its first line."""
    sections = [group.sections[number] for number in range(FEWEST)]
    cells = [markers.quote(one.lines[0]) for one in sections]
    paths = [cell(_path(one.path)) for one in sections]
    return [" \u2192 ".join(dict.fromkeys(paths)), *cells, "**moved**: the same words"]


def _change_name(one: Change, read: ReadSections) -> str:
    """Of three and more documents none is the older one."""
    if len(read.documents) == FEWEST:
        return one.kind
    of = {span.evidence.document_id for span in one.certified.spans}
    return "only in one" if len(of) == 1 else "differ"


def _by_words(read: ReadSections, notices: list[str]) -> Reply:
    markers = Markers()
    titles = [one.title for one in read.documents]
    rows = [f"- {cell(_path(one.sections[0].path))}" for one in read.moved]
    text = differences.difference_lines(read.differing, titles, markers)
    there = f"**The same words elsewhere**\n\n{chr(10).join(rows)}" if rows else ""
    order = " \u2192 ".join(f"\u201c{escape_markdown(one)}\u201d" for one in titles)
    return Reply(
        text="\n\n".join(filter(None, (differences.BY_WORDS, order, text, there))),
        citations=tuple(markers.citations),
        confidence="medium",
        score=SCORES["medium"],
        notices=tuple(notices),
        comparison=_picture(read, (), markers),
    )


def _path(path: Sequence[str]) -> str:
    return PATH.join(path[1:] if len(path) > 1 else path)


def _left_out_notice(asks: Sequence[Sequence[Group]]) -> str:
    paths = dict.fromkeys(one.path[-1:] for each in asks for one in each)
    names = ", ".join(f"\u201c{one[0]}\u201d" for one in list(paths)[:10] if one)
    return f"These sections were not compared: {names}." if names else "Not all was compared."
