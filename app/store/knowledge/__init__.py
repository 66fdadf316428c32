"""The storage of the team's documents: their chunks, ingestion jobs, crawls and uploads."""

from dataclasses import dataclass

from app.store.knowledge.chunks import NearChunk
from app.store.knowledge.documents import Changes, Documents
from app.store.knowledge.jobs import Files, Frontiers, Jobs, Visit
from app.store.knowledge.publication import LockResult, Locks

__all__ = [
    "Changes", "Documents", "Files", "Frontiers", "Jobs", "KnowledgeStore", "LockResult", "Locks",
    "NearChunk", "Visit",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStore:
    """The whole document storage."""

    documents: Documents
    jobs: Jobs
    frontiers: Frontiers
    files: Files
    locks: Locks
