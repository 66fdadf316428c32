"""Turns a file or page into a published document: extract, chunk, embed, store, publish."""

from knowledge.ingest.document_builder import (
    DocumentSource,
    canonical_url,
    document_id_of,
    document_key,
    normalize_file_name,
    now_ms,
    page_document_key,
)
from knowledge.ingest.document_lock import DocumentLock
from knowledge.ingest.pipeline import Pipeline
from knowledge.ingest.reembedder import Reembedder

__all__ = [
    "DocumentLock",
    "DocumentSource",
    "Pipeline",
    "Reembedder",
    "canonical_url",
    "document_id_of",
    "document_key",
    "normalize_file_name",
    "now_ms",
    "page_document_key",
]
