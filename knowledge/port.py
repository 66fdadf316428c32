"""The documents of a team, as the API, the command line, the agent and the chat use them."""

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

MOST_TITLED = 20_000  # documents of one tenant that can be named


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question to the documents, asked on the page at `url` ("" for none). Without `sets`, `documents` or
    `language` given all are searched. `limit` passages at most; `nearest`: also where none is relevant
    enough, for those who read them to find out.
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
    """A chunk of a document with its place; `superseded_by` is the chunk that hides it, if one does.
    `version` is the document's.
    """

    chunk: Chunk
    placed: ChunkPlacement
    superseded_by: str | None = None
    version: int = 1


class Knowledge(Protocol):
    """All that can be done with documents; every call names the tenant."""

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        """Accept a request to ingest: kept, with the bytes of `body` where it has any, and queued. The same
        document twice at once is done one after the other. Raises `TooLarge`, `Invalid`, `AddressRefused`.
        """
        ...

    async def job(self, who: Principal, job_id: str) -> Job:
        """How far it is. `NotFound`, also for another user's unless `who` sees it."""
        ...

    async def jobs(
        self, who: Principal, *, status: JobStatus | None = None, limit: int = 50
    ) -> list[Job]:
        """Those that `who` sees, newest first."""
        ...

    def watch(self, who: Principal, job_id: str) -> AsyncIterator[Job]:
        """The job now, then each time it is further, at most twice a second, until it has ended."""
        ...

    async def cancel(self, who: Principal, job_id: str) -> Job:
        """Have it stop. What it has ingested stays; nothing half-done is ever seen."""
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
        """One, or `NotFound`."""
        ...

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """Its chunks in their order, or `NotFound`."""
        ...

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        """Every document of the tenant by its name, newest first; `MOST_TITLED` at most."""
        ...

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete a document and everything derived from it, or `NotFound`."""
        ...

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        """What the documents say, the team's own before public ones; nothing where nothing is relevant."""
        ...

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """A file as Markdown, read by the process that reads documents, and kept nowhere. `Unreadable` says
        what is wrong with it.
        """
        ...

    async def get_rag_chunks(self, url: str, query: str, tenant: str) -> Retrieval:
        """`resolve` under the tenant's own policy: `getRAGChunks` of the source documents. Never raises for
        a store or a model that is away: there is then nothing found.
        """
        ...
