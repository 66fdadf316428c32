"""The port of the document storage. Every query names its tenant."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Protocol

from app.domain.knowledge import (
    Chunk,
    Document,
    DocumentTitle,
    IngestFailure,
    Job,
    JobStatus,
    Manifest,
    Progress,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed in a tenant's documents since an earlier version: `documents` in force now, ids of
    `deleted` ones. `version` is the new version; `whole` says that `documents` are complete.
    """

    version: int
    whole: bool = False
    documents: tuple[Document, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk near a query vector, with its cosine."""

    chunk_id: str
    document_id: str
    cosine: float


class Documents(Protocol):
    """Documents, their chunks, and which of those are in force. Unpublished data is invisible."""

    async def get(self, tenant: str, document_id: str) -> Document:
        """The document, or `NotFound`."""
        ...

    async def by_key(self, tenant: str, set_name: str, key: str) -> Document | None:
        """The document with this key, or None."""
        ...

    async def of_url(self, tenant: str, url: str) -> list[Document]:
        """All documents from this address: each phase and each expanded part is one."""
        ...

    async def listed(
        self,
        tenant: str,
        *,
        limit: int,
        set_name: str | None = None,
        domain: str | None = None,
        text: str | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Document]:
        """Newest first by `ingested_at`, then by id; if given, only those whose title or source contains
        `text`.
        """
        ...

    async def titles(self, tenant: str, limit: int) -> list[DocumentTitle]:
        """The titles of its documents, newest first by `ingested_at`."""

    async def known(self, tenant: str, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Those of these chunks that are stored, with the model that made their vector."""
        ...

    async def put(self, chunks: Sequence[Chunk]) -> None:
        """Store chunks; an existing one gets the new vector and model."""
        ...

    async def publish(
        self,
        document: Document,
        manifest: Manifest,
        *,
        replaces: str,
        chunks: Sequence[Chunk] = (),
    ) -> int:
        """Put a revision in force and return the tenant's new version.

        Its chunks must be stored already, except for `chunks`, which are stored first. Readers see either
        the previous revision or the whole new one. `replaces` is the revision in force when this one was
        begun, "" for none; raises `Conflict` if it has changed.
        """
        ...

    async def touch(
        self,
        tenant: str,
        document_id: str,
        *,
        now: datetime,
        etag: str | None,
        last_modified: str | None,
    ) -> None:
        """Record that it was checked again and is unchanged."""
        ...

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete the document and its parts, or raise `NotFound`; chunks that it superseded reappear."""
        ...

    async def sweep(self, tenant: str, document_id: str) -> int:
        """Delete the document's chunks and manifests that no revision in force lists; returns how many."""
        ...

    async def manifests(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """The manifests in force, by document id."""
        ...

    async def chunks(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        """Chunks by id, without vectors unless requested."""
        ...

    async def searches_vectors(self, dimensions: int) -> bool:
        """Whether the server itself can search vectors of this length, so that `nearest` is available and
        clients need not hold the vectors.
        """
        ...

    async def nearest(
        self, tenant: str, model: str, vector: bytes, *, limit: int
    ) -> list[NearChunk]:
        """The chunks with the nearest vectors of that model, nearest first; includes chunks that no
        manifest in force lists.
        """
        ...

    def vectors(self, tenant: str, document_ids: Sequence[str]) -> AsyncIterator[Sequence[Chunk]]:
        """All stored chunks of these documents with text and vector, in batches."""
        ...

    async def other_models(self, tenant: str, model: str, *, limit: int) -> list[Chunk]:
        """Chunks whose vector is from another model, without the vector."""
        ...

    async def version(self, tenant: str) -> int:
        """A number that grows with each publication and deletion, starting from 0."""
        ...

    async def changes(self, tenant: str, since: int) -> Changes:
        """Changes since version `since`; everything if 0."""
        ...


class Jobs(Protocol):
    """Ingestion jobs. Finished ones are kept for 30 days."""

    async def add(self, job: Job) -> None: ...

    async def get(self, tenant: str, job_id: str) -> Job:
        """The job, or `NotFound`."""
        ...

    async def listed(
        self, tenant: str, *, user: str | None = None, status: JobStatus | None = None, limit: int
    ) -> list[Job]:
        """Newest first."""
        ...

    async def claim(
        self, tenant: str, job_id: str, *, owner: str, now: datetime, until: datetime
    ) -> Job | None:
        """Claim an unfinished job without a valid lease; otherwise None."""
        ...

    async def waiting(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, job id) of unclaimed jobs, oldest first, such as those left by a restart."""
        ...

    async def queued(self, tenant: str, *, limit: int) -> int:
        """The number of jobs not started yet, counted up to the limit."""
        ...

    async def advance(
        self,
        job: Job,
        *,
        owner: str,
        until: datetime,
        progress: Progress,
        documents: Sequence[str] = (),
        errors: Sequence[IngestFailure] = (),
        notes: Sequence[str] = (),
        tries: int | None = None,
    ) -> Job | None:
        """Record progress, append created documents, failures and notes, and extend the lease; `tries` sets
        the number of tries. Returns None if another owner has the lease by now; `cancelling` of the result
        says whether to stop.
        """
        ...

    async def finish(
        self, job: Job, *, owner: str, status: JobStatus, reason: str | None, now: datetime
    ) -> Job | None:
        """End the job; None if another owner has the lease by now."""
        ...

    async def cancel(self, tenant: str, job_id: str, *, now: datetime) -> Job:
        """Cancel: at once if nobody works on it, otherwise by asking its owner.

        A finished job is unchanged. Raises `NotFound`.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """An address of a crawl, `depth` links from the start; `state` says whether it was processed."""

    url: str
    depth: int = 0
    state: str = "waiting"  # "waiting", "done" or "failed"


class Frontiers(Protocol):
    """The addresses that a crawl has found, so that it can resume after a restart. Deleted with the job."""

    async def add(self, tenant: str, job_id: str, visits: Sequence[Visit]) -> int:
        """Store new addresses; returns how many were new."""
        ...

    async def next(self, tenant: str, job_id: str, *, limit: int) -> list[Visit]:
        """Waiting addresses in order of discovery."""
        ...

    async def settle(self, tenant: str, job_id: str, url: str, state: str) -> None:
        """Record the final state of an address."""
        ...

    async def counts(self, tenant: str, job_id: str) -> dict[str, int]:
        """The number of addresses by state."""
        ...

    async def clear(self, tenant: str, job_id: str) -> None: ...


class Files(Protocol):
    """Uploaded bytes, kept until their job ends.

    They are in the store so that any machine can do the job.
    """

    async def put(self, tenant: str, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Store the pieces; returns the number of bytes. An aborted upload leaves nothing."""
        ...

    def read(self, tenant: str, file_id: str) -> AsyncIterator[bytes]:
        """Yield the pieces, or raise `NotFound`."""
        ...

    async def delete(self, tenant: str, file_id: str) -> None:
        """Delete the file; a missing one is ignored."""
        ...


class LockResult(IntEnum):
    """The result of acquiring a lock; truthy if held.

    `LEFT`: the previous owner did not release it and may have left rows that no revision lists.
    """

    NO = 0
    FRESH = 1
    LEFT = 2


class Locks(Protocol):
    """Write locks on documents.

    An expired lock indicates that its owner died. An owner name is used for one turn at one document only.
    """

    async def acquire(
        self, tenant: str, document_id: str, *, owner: str, now: datetime, until: datetime
    ) -> LockResult:
        """Acquire or extend the lock; `NO` while another owner's is valid."""
        ...

    async def release(self, tenant: str, document_id: str, *, owner: str) -> None:
        """Release one's own lock; another owner's is unaffected."""
        ...

    async def lapsed(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, document id) of expired locks that were not released, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStore:
    """The whole document storage."""

    documents: Documents
    jobs: Jobs
    frontiers: Frontiers
    files: Files
    locks: Locks
