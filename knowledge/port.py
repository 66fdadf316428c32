"""The knowledge port used by the API, the CLI, the agent and the chat, and advice on failures."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
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
ADVICE = MappingProxyType(
    {
        "DOCUMENT_EMPTY": "Check that it is the right file or page, and add one that has text.",
        "DOCUMENT_DAMAGED": "Open it in its own program, save it again, and add the new file.",
        "DOCUMENT_ENCRYPTED": "Save a copy without the password, and add that.",
        "DOCUMENT_UNSUPPORTED": "Save it as PDF, Word, HTML or text, and add that.",
        "DOCUMENT_TOO_LARGE": "Split it into smaller documents, and add those.",
        "DOCUMENT_TOO_SLOW": "Split it into smaller documents, and add those.",
        "DOCUMENT_PICTURES_ONLY": "Run text recognition (OCR) on it, and add the result.",
        "DOCUMENT_NOT_AVAILABLE": "Set a Gemini key on the server, or add a transcript as text.",
        "TOO_LARGE": "Split it into smaller documents, and add those.",
        "PAGE_NEEDS_BROWSER": 'Open the page in the browser, and press "Learn this page".',
        "PAGE_NOT_OPEN": 'Sign in to it in the browser, and press "Learn this page" there.',
        "PAGE_GONE": "Find its new address on the site, and add that.",
        "PAGE_NOT_ANSWERED": "Open the address in the browser; if it works there, try again.",
        "PAGE_NOT_INDEXED": 'If you may use it, open it in the browser and press "Learn this page".',
        "PAGE_OFF_SITE": "Add the other site as a link of its own if you need it.",
        "ROBOTS_DISALLOWED": 'If you may use it, open it in the browser and press "Learn this page".',
        "SITE_BUSY": "Try again later.",
        "SITEMAP_NOT_FOUND": "Enter the address of the sitemap itself, or follow the links instead.",
        "SITEMAP_EMPTY": "Follow the links of the site instead.",
        "ADDRESS_REFUSED": "Check the address. The operator has to allow addresses of your own network"
        " (TABWRIGHT_FETCH_ALLOWED).",
        "FETCH_FAILED": "Check that the address opens in a browser, and try again.",
        "CONFLICT": "Try again when no one else is changing it.",
        "JOB_GIVEN_UP": "Split it into smaller documents, and ask the operator to check the log.",
        "INTERNAL": "Ask the operator to check the log, and try again.",
    }
)
DEFAULT_ADVICE = "Try again. If it fails again, ask the operator."


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
    """A chunk in its position; `superseded_by` hides it, `version` is the document's."""

    chunk: Chunk
    placed: ChunkPlacement
    superseded_by: str | None = None
    version: int = 1


class Knowledge(Protocol):
    """Operations on documents. Every call names the tenant."""

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        """Store a request and its `body`, if any, and queue a job. Concurrent jobs for the
        same document run one after the other. Raises `TooLarge`, `Invalid`,
        `AddressRefused`.
        """

    async def job(self, who: Principal, job_id: str) -> Job:
        """The job. Raises `NotFound`, also for a job that `who` may not see."""

    async def jobs(
        self, who: Principal, *, status: JobStatus | None = None, limit: int = 50
    ) -> list[Job]:
        """Jobs that `who` may see, newest first."""

    def watch(self, who: Principal, job_id: str) -> AsyncIterator[Job]:
        """Yield the job now and after each change, at most twice a second, until it has ended."""

    async def cancel(self, who: Principal, job_id: str) -> Job:
        """Cancel the job. Documents already ingested stay; partial documents are never visible."""

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

    async def document(self, tenant: str, document_id: str) -> Document:
        """Raises `NotFound`."""

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """Chunks of a document in order. Raises `NotFound`."""

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        """Titles of the tenant's documents, newest first; at most `MOST_TITLED`."""

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete a document and everything derived from it. Raises `NotFound`."""

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        """Passages that answer the query, the tenant's own first; empty if none is relevant."""

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """Convert a file to Markdown in a reader process without storing it. Raises `Unreadable`."""

    async def get_rag_chunks(self, url: str, query: str, tenant: str) -> Retrieval:
        """`resolve` under the tenant's own policy (`getRAGChunks` in CONTRACT). Returns an empty
        retrieval if the store or a model is unavailable.
        """


def advice_for(code: str) -> str:
    return ADVICE.get(code, DEFAULT_ADVICE)
