"""Builds the stored values of an ingestion: the document with its key and id, chunks, placements."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path, PurePath, PureWindowsPath
from uuid import uuid4

from app.bounds import bounds, cut
from app.domain.access import site_of
from app.domain.knowledge import Chunk, Document, IngestRequest, Phase, Scope
from app.errors import AddressRefused
from knowledge.chunk import Piece, common_path
from knowledge.crawl import normalize_url
from knowledge.extract import Extracted

TICK = timedelta(milliseconds=1)  # resolution of stored timestamps
MOST_SECTIONS, LONGEST_SECTION = 12, 60  # headings kept per document, and characters of each


def document_id_of(tenant: str, set_name: str, key: str) -> str:
    """Document id, 24 hex digits: one per key and set."""
    name = "\n".join((tenant, set_name, key))
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def canonical_url(url: str) -> str:
    """Normalize a URL; returns it unchanged if it is not a page on the web. A fragment is kept only
    if it is a route of a single-page app: `#/orders`, `#!orders`.
    """
    place, _, fragment = url.strip().partition("#")
    route = f"#{fragment}" if fragment.startswith(("/", "!")) and fragment.strip("/!") else ""
    try:
        return normalize_url(place) + route
    except AddressRefused:
        return place.strip() + route


def page_document_key(url: str, request: IngestRequest | None = None) -> str:
    """Key of a page. A capture after an interaction has its own, beside the loaded page's."""
    if request is None or request.phase != "post-interaction":
        return canonical_url(url)
    return "\n".join((canonical_url(url), request.trigger_action or "", request.container or ""))


def document_key(request: IngestRequest, digest: str) -> str:
    """Key of uploaded bytes with this SHA-256: URL, name or title; the digest for untitled text."""
    if request.url:
        return page_document_key(request.url, request)
    if request.kind == "file" and request.name:
        return f"file:{normalize_file_name(request.name)}"
    return f"{request.kind}:{request.title or request.name or digest}"


def normalize_file_name(name: str) -> str:
    """A file name with its folders, since names recur. The API passes the last part."""
    path = PureWindowsPath(name)
    return "/".join(part for part in path.parts[bool(path.anchor) :] if part != "..") or name


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSource:
    """`name` is the file name or URL; `digest` the SHA-256 of the bytes at `path`. `title` and
    `domain` given by a user take precedence over the document's own.
    """

    tenant: str
    user: str
    key: str
    set_name: str
    name: str
    path: Path
    bytes: int
    digest: str
    scope: Scope
    title: str | None = None
    declared: str | None = None
    url: str | None = None
    domain: str | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    container: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOutcome:
    """`chunks` is the total; `unchanged` means that nothing was written."""

    document_id: str
    chunks: int
    unchanged: bool = False


def now_ms() -> datetime:
    """Now, in milliseconds: the resolution of the store."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1_000 * 1_000)


def build_document(
    source: DocumentSource,
    extracted: Extracted,
    document_id: str,
    old: Document | None,
    model: str,
) -> Document:
    now = now_ms()
    url = canonical_url(source.url) if source.url else None
    fallback = source.name if source.url else PurePath(source.name).stem or source.name or "Text"
    title = source.title or extracted.title or fallback
    return Document(
        document_id=document_id,
        tenant=source.tenant,
        user=source.user,
        key=source.key,
        set_name=source.set_name,
        title=cut(" ".join(title.split()), bounds().title),
        source=source.name,
        kind=extracted.kind,
        url=url,
        domain=source.domain or (site_of(url) if url else "") or None,
        language=extracted.language,
        scope=source.scope,
        phase=source.phase,
        trigger_action=source.trigger_action,
        container=source.container,
        digest=source.digest,
        etag=source.etag,
        last_modified=source.last_modified,
        published_at=extracted.published_at,
        bytes=source.bytes,
        pages=len(extracted.pages),
        model=model,
        revision=uuid4().hex,
        version=old.version + (old.digest != source.digest) if old else 1,
        notes=extracted.notes,
        created_at=old.created_at if old else now,
        ingested_at=now,
    )


def section_names(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The first headings, below those common to the whole document."""
    paths = list(dict.fromkeys(one.heading_path for one in pieces if one.heading_path))
    shared = len(common_path(*paths))
    names = dict.fromkeys(cut(path[shared], LONGEST_SECTION) for path in paths if path[shared:])
    return tuple(names)[:MOST_SECTIONS]


def build_chunk(piece: Piece, document: Document) -> Chunk:
    return Chunk(
        chunk_id=piece.chunk_id,
        tenant=document.tenant,
        document_id=document.document_id,
        text=piece.text,
        heading_path=piece.heading_path,
        kind=piece.kind,
        tokens=piece.tokens,
        language=document.language,
        containers=piece.containers,
        created_at=document.ingested_at,
    )
