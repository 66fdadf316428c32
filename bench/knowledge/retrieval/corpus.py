"""The documents of the retrieval benchmark: Debian manuals, extracted and chunked by our own pipeline."""

import hashlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest
from app.llm.embedder import AccountedEmbedder, Embedder, WordLlama
from knowledge.chunk.chunker import chunk_document
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.reader import read_document
from knowledge.ingest.document_builder import build_chunk
from knowledge.ingest.reembedder import embedding_text

TENANT = "bench"
THEN = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Package:
    """A package of Debian 12 (`apt-get download name=version`), its checksum, and the pages used."""

    name: str
    version: str
    sha256: str
    pages: tuple[str, ...]


PACKAGES = (
    Package(
        "debian-handbook",
        "11.20220922",
        "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa",
        ("usr/share/doc/debian-handbook/html/en-US/*.html",),
    ),
    Package(
        "gnucash-docs",
        "4.13-1",
        "09979baf0ff8ddc1f9c39320c2c38ff606d6f4656e04742ff2dc51f2d562996f",
        ("usr/share/doc/gnucash-docs/gnucash-guide-en/*.html",),
    ),
    Package(
        "python-celery-doc",
        "5.2.6-5",
        "820d22b28d4f15c08305e21dbb04bdc626e3f6d3f2ec0c295d56e070febd7dc4",
        (
            "usr/share/doc/python-celery-doc/html/userguide/*.html",
            "usr/share/doc/python-celery-doc/html/getting-started/*.html",
        ),
    ),
    Package(
        "python-requests-doc",
        "2.28.1+dfsg-1",
        "499f6c095d09971ec3aa7b7ff5197eaf999476ce3ee61edfccac64fe3f9e520f",
        ("usr/share/doc/python-requests-doc/html/user/*.html",),
    ),
    Package(
        "mailman3-doc",
        "3.3.8-2~deb12u2",
        "384c5462f155b700b410e09e470dce99097e054cc847a923ac46c5c4f6a88482",
        ("usr/share/doc/mailman3/html/src/mailman/docs/*.html",),
    ),
)


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document with its chunks as stored."""

    document: Document
    chunks: tuple[Chunk, ...]
    manifest: Manifest


def corpus(cache: Path, embedder: Embedder | None = None) -> list[ChunkedDocument]:
    """All documents; packages are fetched into `cache` once. Raises `SystemExit` if one is unavailable."""
    embedder = embedder or AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)
    return [
        made_of(
            name,
            read_document(Raw(data=page.read_bytes(), name=page.name, declared="text/html")),
            embedder,
        )
        for name, page in _pages(cache)
    ]


def _pages(cache: Path) -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        root = _unpacked(package, cache)
        for pattern in package.pages:
            for page in sorted(root.glob(pattern)):
                yield f"{package.name}/{page.name}", page


def _unpacked(package: Package, cache: Path) -> Path:
    root = cache / f"{package.name}-{package.version}"
    if root.is_dir():
        return root
    cache.mkdir(parents=True, exist_ok=True)
    asked = f"{package.name}={package.version}"
    subprocess.run(["apt-get", "download", "-q", asked], cwd=cache, check=True)
    (file,) = cache.glob(f"{package.name}_*.deb")
    if hashlib.sha256(file.read_bytes()).hexdigest() != package.sha256:
        raise SystemExit(f"{file.name} is not the file the questions were written for")
    subprocess.run(["dpkg-deb", "-x", str(file), str(root)], check=True)
    return root


def made_of(
    key: str, extracted: Extracted, embedder: Embedder, tenant: str = TENANT
) -> ChunkedDocument:
    """A document as the pipeline produces it from the extracted text."""
    document_id = hashlib.sha256(f"{tenant} {key}".encode()).hexdigest()[:24]
    pieces = chunk_document(extracted, document_id=document_id)
    document = Document(
        document_id=document_id,
        tenant=tenant,
        key=key,
        title=extracted.title or key,
        source=key,
        kind="html",
        language=extracted.language,
        chunks=len(pieces),
        revision="1",
        created_at=THEN,
        ingested_at=THEN,
    )
    chunks = [build_chunk(piece, document) for piece in pieces]
    rows = embedder.embed([embedding_text(chunk) for chunk in chunks])
    embedded = tuple(
        chunk.model_copy(update={"model": embedder.name, "vector": row.astype("<f4").tobytes()})
        for chunk, row in zip(chunks, rows, strict=True)
    )
    manifest = Manifest(
        tenant=tenant,
        document_id=document_id,
        revision="1",
        entries=tuple(
            ChunkPlacement.model_validate(piece, from_attributes=True) for piece in pieces
        ),
        created_at=THEN,
    )
    return ChunkedDocument(document, embedded, manifest)
