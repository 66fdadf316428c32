"""Passages that an answer may cite, each under a reference of ours."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar
from urllib.parse import urlsplit

from app.chat.tools import Tools
from app.domain.chat import DocumentRef, Evidence
from app.domain.knowledge import FoundPassage
from app.domain.reasoner import WebResult
from app.errors import NotFound
from knowledge import Part

_PLACE = {"chunk_id", "page", "page_end", "heading_path", "start", "end", "marks"}
_CHARACTERS = 4  # of a token, about, where it was not counted
Given = TypeVar("Given")


@dataclass(slots=True)
class OpenedDocuments:
    """Documents that have text, with all of their passages and the tokens of all together; `notices` are
    sentences for the person on those that are gone or empty.
    """

    passages: list[tuple[DocumentRef, tuple[Evidence, ...]]] = field(default_factory=list)
    tokens: int = 0
    notices: list[str] = field(default_factory=list)


async def read_documents(
    documents: Sequence[DocumentRef], tools: Tools, *, most: int | None = None
) -> OpenedDocuments:
    """The whole documents; after more than `most` tokens no other one is read. Raises `StoreUnavailable`."""
    found = OpenedDocuments()
    for one in documents:
        try:
            parts = await tools.documents.parts(tools.tenant, one.id)
        except NotFound:
            found.notices.append(f"\u201c{one.title}\u201d is not there any more.")
            continue
        if passages := from_parts(one, parts):
            found.passages.append((one, passages))
        else:
            found.notices.append(f"\u201c{one.title}\u201d has no text.")
        found.tokens += sum(
            part.chunk.tokens or len(part.chunk.text) // _CHARACTERS for part in parts
        )
        if most is not None and found.tokens > most:
            break
    return found


def from_found(found: Sequence[FoundPassage]) -> tuple[Evidence, ...]:
    """Passages that were found, best first: P1, P2 and so on."""
    return tuple(
        Evidence(
            ref=f"P{number}",
            text=one.text,
            title=one.document.title,
            label=_once(one.citation.label, one.document.title),
            document_id=one.document.document_id,
            version=one.document.version,
            url=one.document.url,
            score=one.score,
            language=one.document.language or "",
            **one.citation.model_dump(include=_PLACE),
        )
        for number, one in enumerate(found, 1)
    )


def from_parts(document: DocumentRef, parts: Iterable[Part]) -> tuple[Evidence, ...]:
    """A whole document in order: P1, P2 and so on, without superseded and empty parts."""
    there = [one for one in parts if one.superseded_by is None and one.chunk.text.strip()]
    return tuple(
        Evidence(
            ref=f"P{number}",
            text=part.chunk.text,
            title=document.title,
            label=_label(document.title, part),
            document_id=document.id,
            version=part.version,
            heading_path=part.chunk.heading_path,
            language=part.chunk.language or "",
            **part.placed.model_dump(include=_PLACE),
        )
        for number, part in enumerate(there, 1)
    )


def from_web(results: Sequence[WebResult], day: date) -> tuple[Evidence, ...]:
    """Results of a search of the web on this day: W1, W2 and so on, labelled by site and day."""
    return tuple(
        Evidence(
            ref=f"W{number}",
            kind="web",
            text=one.text,
            title=one.title,
            label=f"{urlsplit(one.url).hostname}, {day.isoformat()}",
            url=one.url,
        )
        for number, one in enumerate(results, 1)
    )


def tokens_of(one: Evidence) -> int:
    return len(one.text) // _CHARACTERS


def batches(
    given: Iterable[Given], tokens: Callable[[Given], int], most: int
) -> Iterator[list[Given]]:
    """The items of each call, in order: of at most `most` tokens together, or a single larger one."""
    batch: list[Given] = []
    used = 0
    for one in given:
        if batch and used + tokens(one) > most:
            yield batch
            batch, used = [], 0
        batch.append(one)
        used += tokens(one)
    if batch:
        yield batch


def _label(title: str, part: Part) -> str:
    if part.placed.page is not None:
        return f"{title}, page {part.placed.page}"
    return _once(
        f"{title}, {part.chunk.heading_path[-1]}" if part.chunk.heading_path else title, title
    )


def _once(label: str, title: str) -> str:
    """The label without the title a second time, where the only heading is the title."""
    name, _, rest = label.partition(f"{title}, ")
    same = not name and " ".join(rest.split()).casefold() == " ".join(title.split()).casefold()
    return title if same and rest else label
