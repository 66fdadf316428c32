"""The knowledge port used by the API, the CLI, the agent and the chat."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.access import Policy, Principal
from app.domain.knowledge import (
    Chunk,
    ChunkPlacement,
    Document,
    DocumentTitle,
    IngestRequest,
    Job,
    JobStatus,
    Retrieval,
)

MOST_TITLED = 20_000  # maximum number of titles per tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search query. `url` is the page it was asked on, "" if unknown.

    Empty `sets`, `documents` and `language` do not filter. At most `limit` passages are returned.
    `nearest` also returns passages below the relevance threshold, for callers that judge them.
    """

    text: str
    url: str = ""
    sets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    language: str | None = None
    limit: int = 8
    nearest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A chunk of a document with its position. `superseded_by` is the chunk that hides it, if any;
    `version` is the document's.
    """

    chunk: Chunk
    placed: ChunkPlacement
    superseded_by: str | None = None
    version: int = 1


class Knowledge(Protocol):
    """Operations on documents. Every call names the tenant."""

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        """Store a request and its `body`, if any, and queue a job. Concurrent jobs for the same
        document run one after the other.

        Raises `TooLarge`, `Invalid`, `AddressRefused`.
        """
        ...

    async def job(self, who: Principal, job_id: str) -> Job:
        """The job. Raises `NotFound`, also for a job that `who` may not see."""
        ...

    async def jobs(
        self, who: Principal, *, status: JobStatus | None = None, limit: int = 50
    ) -> list[Job]:
        """Jobs that `who` may see, newest first."""
        ...

    def watch(self, who: Principal, job_id: str) -> AsyncIterator[Job]:
        """Yield the job now and after each change, at most twice a second, until it has ended."""
        ...

    async def cancel(self, who: Principal, job_id: str) -> Job:
        """Cancel the job. Documents already ingested stay; partial documents are never visible."""
        ...

    async def documents(
        self,
        tenant: str,
        *,
        limit: int = 50,
        set_name: str | None = None,
        domain: str | None = None,
        text: str | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Document]:
        """Newest first."""
        ...

    async def document(self, tenant: str, document_id: str) -> Document:
        """Raises `NotFound`."""
        ...

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """Chunks of a document in order. Raises `NotFound`."""
        ...

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        """Titles of the tenant's documents, newest first; at most `MOST_TITLED`."""
        ...

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete a document and everything derived from it. Raises `NotFound`."""
        ...

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        """Passages that answer the query, the tenant's own documents before public ones; empty if
        none is relevant.
        """
        ...

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """Convert a file to Markdown in a reader process without storing it. Raises `Unreadable`."""
        ...

    async def get_rag_chunks(self, url: str, query: str, tenant: str) -> Retrieval:
        """`resolve` under the tenant's own policy (`getRAGChunks` in CONTRACT). Returns an empty
        retrieval if the store or a model is unavailable.
        """
        ...
