"""The team's documents: what is kept of them, how they come in, and what is found in them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from app.domain.access import site_of
from app.domain.base import Value

Phase = Literal["initial", "post-interaction"]
"""Of a page: as it loaded, or after something on it was opened."""
Scope = Literal["organization", "public"]
"""Whose knowledge it is: the team's own comes before what everybody can read."""
ChunkKind = Literal["prose", "list", "table", "code"]
JobKind = Literal["file", "html", "text", "url", "link", "embed"]
JobStatus = Literal["queued", "running", "completed", "failed", "cancelled"]
Strategy = Literal["single", "sitemap", "spider"]
Confidence = Literal["high", "medium", "low"]

DEFAULT_SET = "default"
JOB_ENDED: frozenset[JobStatus] = frozenset({"completed", "failed", "cancelled"})


class Document(Value):
    """One document that can be searched. `kind` is its type, as in "pdf"; `source` the file name or the
    address it came from, `key` what tells it from the others of its set: ingesting the same key again
    replaces it. `digest` is the SHA-256 of the bytes it was made of.

    `domain` is the site it is about, with a port that is not the scheme's own; None for one of no site.
    `revision` names the manifest that is in force: what that does not list is not there for anyone.
    `version` counts from 1 on how often its bytes were others.
    `sections` are its first headings of the highest level that tells them apart. `notes` say what could not
    be read of it, in sentences. Sizes in bytes and tokens.
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
    """Whether a person said which site it is about: then it answers there only, unless it is named."""
    return document.domain not in (None, site_of(document.url or ""))


class DocumentTitle(Value):
    """A document by what it is called; `source` is the file name or address it came from."""

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
    """A piece of a document, small enough to be read at once. `chunk_id` follows from the document, the
    heading path and the text, so that what did not change keeps its row and its vector.

    `vector` is float32, little-endian, of unit length, made by `model`; empty until it was made.
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
    """Where a chunk stands in one revision of its document: characters of its Markdown, and pages from 1
    on where it has pages. `marks` are characters of the chunk's own text at which another page begins, or a
    row where it is of a sheet, each with its number from 1 on.
    """

    chunk_id: str
    start: int
    end: int
    page: int | None = None
    page_end: int | None = None
    marks: tuple[tuple[int, int], ...] = ()


class Manifest(Value):
    """Which chunks one revision of a document consists of, in their order.

    `supersedes` are chunks of other documents of the same address whose area this one shows anew, each
    with the chunk that takes its place. That holds while this revision is in force, and of documents that
    were ingested before it: see `superseded_chunks`.
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
    """The chunks of a document that later documents supersede, each with what took its place."""
    found: dict[str, str] = {}
    for other, manifest in others:
        if other.document_id != document.document_id and other.ingested_at > document.ingested_at:
            found |= manifest.supersedes
    return found


class Progress(Value):
    """How far a job is. `total` numbers are None while they are not known; `remaining_s` is an estimate.
    `unchanged` documents were there already and cost nothing; they are among `documents`, `failed` are not.
    `current` is what is worked on.
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
    """A document that could not be ingested: which, a stable code, and why in a sentence."""

    source: str
    code: str
    reason: str


class IngestRequest(Value):
    """What is to be ingested. Of `file`, `text`, `html` the bytes are the stored file `file_id`; of `url`
    and `link` they are fetched. `declared` is the media type that was claimed for it.

    A `link` is followed by `strategy`, `max_pages` at most, a spider `max_depth` links away.
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
    """One request to ingest, from its acceptance to its end. `documents` are those it made or kept, the
    newest `MOST_LISTED`; `errors` likewise, `progress.failed` counts them all. `reason` says why it failed,
    `notes` in sentences what of a site was left out, and why.
    `owner` works on it until `leased_until`, and has to say so again before that.
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
    tries: int = 0  # since it last made something, or was given back in order
    owner: str = ""
    leased_until: datetime | None = None
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    updated_at: datetime


MOST_LISTED = 100


class Citation(Value):
    """Where a passage stands, so that a person can look it up. `label` is how it is written in an answer."""

    label: str
    document_id: str
    chunk_id: str
    title: str
    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


class FoundPassage(Value):
    """A passage that was found: neighbours joined. `score` in 0..1: how well it answers the query.
    `chunk_ids` are all of the chunks it was joined from, best first.
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
    """What the documents say to a query on a page. `allowed`: the page is of a site where the team's own
    documents may be used. `confidence_score` in 0..1 is that of the best passage; `found` is empty where
    nothing is relevant.
    """

    allowed: bool
    domain: str
    has_org_knowledge: bool = False
    confidence_score: float = 0.0
    confidence: Confidence = "low"
    found: tuple[FoundPassage, ...] = ()
