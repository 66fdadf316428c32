"""The team's documents: storage, ingestion jobs and retrieval results."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from app.domain.access import site_of
from app.domain.base import Value

Phase = Literal["initial", "post-interaction"]
"""Phase of a page: as it loaded, or after something on it was opened."""

Scope = Literal["organization", "public"]
"""Ownership of knowledge: the team's own ranks above public knowledge."""

ChunkKind = Literal["prose", "list", "table", "code"]
JobKind = Literal["file", "html", "text", "url", "link", "embed"]
JobStatus = Literal["queued", "running", "completed", "failed", "cancelled"]
Strategy = Literal["single", "sitemap", "spider"]
Confidence = Literal["high", "medium", "low"]

DEFAULT_SET = "default"
JOB_ENDED: frozenset[JobStatus] = frozenset({"completed", "failed", "cancelled"})


class Document(Value):
    """A searchable document. `kind` is its type, such as "pdf"; `source` is the file name or address; `key`
    identifies it within its set, so that ingesting the same key again replaces it. `digest` is the SHA-256
    of its original bytes.

    `domain` is the site it is about, with a non-default port; None if none. `revision` names the manifest
    in force; chunks not listed there are invisible. `version` counts changes of its bytes, from 1.
    `sections` are the first headings of the highest level with more than one. `notes` are sentences on what
    could not be read. Sizes are in bytes and tokens.
    """

    document_id: str
    tenant: str
    user: str = ""
    key: str
    set_name: str = DEFAULT_SET
    title: str
    source: str
    kind: str
    url: str | None = None
    domain: str | None = None
    language: str | None = None
    scope: Scope = "organization"
    phase: Phase | None = None
    trigger_action: str | None = None
    container: str | None = None
    digest: str = ""
    etag: str | None = None
    last_modified: str | None = None
    published_at: datetime | None = None
    bytes: int = 0
    pages: int = 0
    chunks: int = 0
    tokens: int = 0
    model: str = ""
    revision: str = ""
    sections: tuple[str, ...] = ()
    version: int = 1
    notes: tuple[str, ...] = ()
    created_at: datetime
    ingested_at: datetime


def is_site_bound(document: "Document | DocumentTitle") -> bool:
    """Whether a person bound the document to a site; it then only answers on that site, unless named."""
    return document.domain not in (None, site_of(document.url or ""))


class DocumentTitle(Value):
    """A document's title; `source` is the file name or address."""

    document_id: str
    title: str
    source: str = ""
    set_name: str = DEFAULT_SET
    domain: str | None = None
    url: str | None = None
    sections: tuple[str, ...] = ()
    version: int = 1
    ingested_at: datetime


class Chunk(Value):
    """A piece of a document, small enough for one prompt. `chunk_id` is derived from the document, heading
    path and text, so that unchanged chunks keep their row and vector.

    `vector` is little-endian float32 of unit length, made by `model`; empty until computed.
    """

    chunk_id: str
    tenant: str
    document_id: str
    text: str
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "prose"
    tokens: int = 0
    language: str | None = None
    containers: tuple[str, ...] = ()
    model: str = ""
    vector: bytes = b""
    created_at: datetime


class ChunkPlacement(Value):
    """The position of a chunk in one revision: character offsets in the document's Markdown, and pages from
    1 if it has pages. `marks` are (offset in the chunk's text, number) pairs for the start of each further
    page or sheet row; numbers count from 1.
    """

    chunk_id: str
    start: int
    end: int
    page: int | None = None
    page_end: int | None = None
    marks: tuple[tuple[int, int], ...] = ()


class Manifest(Value):
    """The chunks of one revision of a document, in order.

    `supersedes` maps chunks of other documents with the same address, whose area this one shows again, to
    their replacements. It applies while this revision is in force, and only to documents ingested earlier:
    see `superseded_chunks`.
    """

    tenant: str
    document_id: str
    revision: str
    entries: tuple[ChunkPlacement, ...] = ()
    supersedes: dict[str, str] = {}
    created_at: datetime


def superseded_chunks(
    document: Document, others: Iterable[tuple[Document, Manifest]]
) -> dict[str, str]:
    """Map the document's chunks that later documents supersede to their replacements."""
    found: dict[str, str] = {}
    for other, manifest in others:
        if other.document_id != document.document_id and other.ingested_at > document.ingested_at:
            found |= manifest.supersedes
    return found


class Progress(Value):
    """The progress of a job.

    Totals are None while unknown; `remaining_s` is an estimate. `documents` include the `unchanged` ones,
    which cost nothing, but not the `failed` ones. `current` is the item being processed.
    """

    documents: int = 0
    documents_total: int | None = None
    unchanged: int = 0
    failed: int = 0
    chunks: int = 0
    bytes: int = 0
    bytes_total: int | None = None
    current: str = ""
    remaining_s: float | None = None


class IngestFailure(Value):
    """A document that could not be ingested: its name, a stable code and a sentence."""

    source: str
    code: str
    reason: str


class IngestRequest(Value):
    """A request to ingest. `file`, `text` and `html` refer to the stored file `file_id`; `url` and `link`
    are fetched. `declared` is the claimed media type.

    A `link` is crawled with `strategy`, up to `max_pages` pages and, for a spider, `max_depth` links deep.
    """

    kind: JobKind
    name: str = ""
    file_id: str | None = None
    bytes: int = 0
    declared: str | None = None
    url: str | None = None
    title: str | None = None
    domain: str | None = None
    set_name: str = DEFAULT_SET
    scope: Scope | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    container: str | None = None
    strategy: Strategy = "single"
    max_pages: int = 100
    max_depth: int = 2


class Job(Value):
    """One ingestion request, from acceptance to end.

    `documents` are those it created or kept, the newest `MOST_LISTED`; `errors` likewise, while
    `progress.failed` counts all. `reason` explains a failure; `notes` are sentences on what was skipped and
    why. `owner` works on it until `leased_until` and must renew the lease before then.
    """

    job_id: str
    tenant: str
    user: str = ""
    request: IngestRequest
    status: JobStatus = "queued"
    progress: Progress = Progress()
    errors: tuple[IngestFailure, ...] = ()
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str | None = None
    cancelling: bool = False
    attempts: int = 0
    tries: int = 0  # since it last made progress or was released properly
    owner: str = ""
    leased_until: datetime | None = None
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    updated_at: datetime


MOST_LISTED = 100


class PassageLocation(Value):
    """The place of a passage: pages count from 1; `start` and `end` are character offsets in the document's
    Markdown.
    """

    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


class Citation(PassageLocation):
    """The location of a passage, for people to look up. `label` is how an answer writes it."""

    label: str
    document_id: str
    chunk_id: str
    title: str


class FoundPassage(Value):
    """A retrieved passage, joined from neighbouring chunks.

    `score` in 0..1 rates how well it answers the query. `chunk_ids` are its chunks, best first.
    """

    text: str
    score: float
    document: Document
    citation: Citation
    kind: ChunkKind = "prose"
    chunk_ids: tuple[str, ...] = ()
    phase: Phase | None = None
    trigger_action: str | None = None
    ingested_at: datetime


class Retrieval(Value):
    """The documents' response to a query on a page.

    `allowed`: the page's site may use the team's own documents. `confidence_score` in 0..1 is the best
    passage's; `found` is empty if nothing is relevant.
    """

    allowed: bool
    domain: str
    has_org_knowledge: bool = False
    confidence_score: float = 0.0
    confidence: Confidence = "low"
    found: tuple[FoundPassage, ...] = ()
