"""Passages that an answer may cite, each with a reference of ours."""

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
_CHARACTERS = 4  # per token, roughly, if tokens were not counted
Item = TypeVar("Item")


@dataclass(slots=True)
class OpenedDocuments:
    """Non-empty documents with all of their passages, and their total number of tokens; `notices` are
    sentences for the person about missing or empty ones.
    """

    passages: list[tuple[DocumentRef, tuple[Evidence, ...]]] = field(default_factory=list)
    tokens: int = 0
    notices: list[str] = field(default_factory=list)


async def read_documents(
    documents: Sequence[DocumentRef], tools: Tools, *, max_tokens: int | None = None
) -> OpenedDocuments:
    """Read whole documents, until they exceed `max_tokens`. Raises `StoreUnavailable`."""
    opened = OpenedDocuments()
    for document in documents:
        try:
            parts = await tools.documents.parts(tools.tenant, document.id)
        except NotFound:
            opened.notices.append(f"\u201c{document.title}\u201d no longer exists.")
            continue
        if passages := from_parts(document, parts):
            opened.passages.append((document, passages))
        else:
            opened.notices.append(f"\u201c{document.title}\u201d has no text.")
        opened.tokens += sum(
            part.chunk.tokens or len(part.chunk.text) // _CHARACTERS for part in parts
        )
        if max_tokens is not None and opened.tokens > max_tokens:
            break
    return opened


def from_found(found: Sequence[FoundPassage]) -> tuple[Evidence, ...]:
    """The results of a search, best first: P1, P2 and so on."""
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
    """A whole document in order, without superseded and empty parts: P1, P2 and so on."""
    current = [part for part in parts if part.superseded_by is None and part.chunk.text.strip()]
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
        for number, part in enumerate(current, 1)
    )


def from_web(results: Sequence[WebResult], day: date) -> tuple[Evidence, ...]:
    """Web results of this day, labelled with site and day: W1, W2 and so on."""
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


def tokens_of(passage: Evidence) -> int:
    return len(passage.text) // _CHARACTERS


def batches(
    items: Iterable[Item], tokens: Callable[[Item], int], max_tokens: int
) -> Iterator[list[Item]]:
    """Consecutive batches of at most `max_tokens`; a larger item is a batch of its own."""
    batch: list[Item] = []
    used = 0
    for item in items:
        if batch and used + tokens(item) > max_tokens:
            yield batch
            batch, used = [], 0
        batch.append(item)
        used += tokens(item)
    if batch:
        yield batch


def _label(title: str, part: Part) -> str:
    if part.placed.page is not None:
        return f"{title}, page {part.placed.page}"
    return _once(
        f"{title}, {part.chunk.heading_path[-1]}" if part.chunk.heading_path else title, title
    )


def _once(label: str, title: str) -> str:
    """Remove the repeated title from a label whose only heading is the title."""
    name, _, rest = label.partition(f"{title}, ")
    same = not name and " ".join(rest.split()).casefold() == " ".join(title.split()).casefold()
    return title if same and rest else label
