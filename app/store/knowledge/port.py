"""What the rest needs from the storage of documents. Every query names its tenant."""

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
    """What of a tenant's documents is other than at an earlier moment: `documents` in force now,
    `deleted` by their ids. `version` is the moment; `whole` says that `documents` are all there are.
    """

    version: int
    whole: bool = False
    documents: tuple[Document, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk near a direction, with its cosine."""

    chunk_id: str
    document_id: str
    cosine: float


class Documents(Protocol):
    """Documents, their chunks and which of these are in force. What is not published is not there."""

    async def get(self, tenant: str, document_id: str) -> Document:
        """The document, or `NotFound`."""
        ...

    async def by_key(self, tenant: str, set_name: str, key: str) -> Document | None:
        """The document of this key, or None."""
        ...

    async def of_url(self, tenant: str, url: str) -> list[Document]:
        """All that were made of this address: each phase and each opened part is one."""
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
        """Newest first by `ingested_at`, then by id; those whose title or source holds `text`, if given."""
        ...

    async def titles(self, tenant: str, limit: int) -> list[DocumentTitle]:
        """What its documents are called, newest first by `ingested_at`."""

    async def known(self, tenant: str, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Of these chunks those that are stored, with the model that made their vector."""
        ...

    async def put(self, chunks: Sequence[Chunk]) -> None:
        """Store chunks; one that is there gets the vector and model of the new one."""
        ...

    async def publish(
        self,
        document: Document,
        manifest: Manifest,
        *,
        replaces: str,
        chunks: Sequence[Chunk] = (),
    ) -> int:
        """Put a revision in force, whose chunks are stored but for these, which are stored first; give the
        tenant's new version. A reader sees the revision before, or all of this one. `replaces` is the
        revision that was in force when this one was begun, "" for none; `Conflict` when it is another by
        now.
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
        """Write that it was looked at again and is as it was."""
        ...

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete it and all that was made of it, or `NotFound`; what it superseded is there again."""
        ...

    async def sweep(self, tenant: str, document_id: str) -> int:
        """Delete chunks and manifests of the document that no revision in force lists; how many."""
        ...

    async def manifests(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """Those in force, by document id."""
        ...

    async def chunks(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        """These, by id, without their vectors unless they are asked for."""
        ...

    async def searches_vectors(self, dimensions: int) -> bool:
        """Whether the server itself searches vectors of this many numbers: `nearest` can be asked, and
        nobody needs to hold them.
        """
        ...

    async def nearest(
        self, tenant: str, model: str, vector: bytes, *, limit: int
    ) -> list[NearChunk]:
        """The chunks whose vector of that model is nearest, the nearest first; also some that no manifest
        in force lists.
        """
        ...

    def vectors(self, tenant: str, document_ids: Sequence[str]) -> AsyncIterator[Sequence[Chunk]]:
        """All stored chunks of these documents with text and vector, in batches."""
        ...

    async def other_models(self, tenant: str, model: str, *, limit: int) -> list[Chunk]:
        """Chunks whose vector another model made, without the vector."""
        ...

    async def version(self, tenant: str) -> int:
        """A number that grows with each publication and deletion; 0 where nothing ever was."""
        ...

    async def changes(self, tenant: str, since: int) -> Changes:
        """What is other than at version `since`; from 0 on everything."""
        ...


class Jobs(Protocol):
    """Requests to ingest. Ended ones live 30 days."""

    async def add(self, job: Job) -> None:
        """Keep a new one."""
        ...

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
        """Take it to work on, if it has not ended and nobody's lease on it is alive; None otherwise."""
        ...

    async def waiting(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, job id) of those that nobody works on, oldest first: what a restart left."""
        ...

    async def queued(self, tenant: str, *, limit: int) -> int:
        """How many wait for their beginning, counted up to the limit."""
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
        """Write how far it is, add what it made, what failed and what is to be said of it, and hold the lease
        until then; with `tries`, that so many count from here on. None when the lease is another's by now;
        its `cancelling` says whether it is to stop.
        """
        ...

    async def finish(
        self, job: Job, *, owner: str, status: JobStatus, reason: str | None, now: datetime
    ) -> Job | None:
        """End it; None when the lease is another's by now."""
        ...

    async def cancel(self, tenant: str, job_id: str, *, now: datetime) -> Job:
        """Have it stop: at once if nobody works on it. `NotFound`. One that has ended stays as it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """An address of a crawl, `depth` links from its beginning; `state` says whether it was dealt with."""

    url: str
    depth: int = 0
    state: str = "waiting"  # "waiting", "done" or "failed"


class Frontiers(Protocol):
    """The addresses that a crawl has found, for going on after a restart. They go with their job."""

    async def add(self, tenant: str, job_id: str, visits: Sequence[Visit]) -> int:
        """Keep those that are new; how many were."""
        ...

    async def next(self, tenant: str, job_id: str, *, limit: int) -> list[Visit]:
        """Those that wait, in the order they were found."""
        ...

    async def settle(self, tenant: str, job_id: str, url: str, state: str) -> None:
        """Write that one was dealt with."""
        ...

    async def counts(self, tenant: str, job_id: str) -> dict[str, int]:
        """How many there are, by state."""
        ...

    async def clear(self, tenant: str, job_id: str) -> None:
        """Forget them all."""
        ...


class Files(Protocol):
    """Uploaded bytes, until their job has ended. In the store, so that any machine can do the job."""

    async def put(self, tenant: str, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Keep them; how many bytes. What broke off on the way is not there."""
        ...

    def read(self, tenant: str, file_id: str) -> AsyncIterator[bytes]:
        """Its pieces, or `NotFound`."""
        ...

    async def delete(self, tenant: str, file_id: str) -> None:
        """Forget it; nothing happens if it is not there."""
        ...


class LockResult(IntEnum):
    """What came of asking for a lock; true if it is held. `LEFT`: somebody before did not give it back,
    and may have left rows that no revision lists.
    """

    NO = 0
    FRESH = 1
    LEFT = 2


class Locks(Protocol):
    """Whose turn it is to write a document. A lock that lapsed tells of one who died at it. An owner is
    somebody's turn at one document, and at no other.
    """

    async def acquire(
        self, tenant: str, document_id: str, *, owner: str, now: datetime, until: datetime
    ) -> LockResult:
        """Take it, or hold one's own longer; `NO` while another's is alive."""
        ...

    async def release(self, tenant: str, document_id: str, *, owner: str) -> None:
        """Give one's own back; nothing happens if it is another's."""
        ...

    async def lapsed(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, document id) of those that nobody holds and nobody gave back, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStore:
    """All of it, opened together."""

    documents: Documents
    jobs: Jobs
    frontiers: Frontiers
    files: Files
    locks: Locks
