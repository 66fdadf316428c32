"""The team's documents, read before anything is decided."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol
from urllib.parse import urlsplit

import structlog

from app.bounds import bounds, cut
from app.domain.access import Principal
from app.domain.background import Background, Passage
from app.domain.knowledge import FoundPassage, IngestRequest, Job, Retrieval
from app.errors import Unreadable
from app.search.query import cleaned

log = structlog.get_logger(__name__)

MAX_PASSAGES = 6  # passages of one look; what a prompt takes
MAX_PASSAGE_CHARS = 1_500  # characters of one, which is more than a chunk has
SEARCH_TIMEOUT_S = 3.0  # a task goes on without documents that are not there by then
READ_TIMEOUT_S = 5.0  # of a file, with others at the same time
MEMORY_SET = "memory"  # the set of documents that hold what people had saved


class Documents(Protocol):
    """Where passages come from: `knowledge.port.Knowledge`."""

    async def get_rag_chunks(self, url: str, query: str, tenant: str) -> Retrieval:
        """What the tenant's documents say to the query on that page."""
        ...

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        """Take a text in as a document."""
        ...

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """A file as Markdown; it is kept nowhere."""
        ...


class KnowledgeLookup:
    """The documents of people and tasks that may have none: asked, and added to. Never fails."""

    def __init__(self, documents: Documents | None) -> None:
        self._documents = documents

    @property
    def is_available(self) -> bool:
        """Whether there is anything to ask."""
        return self._documents is not None

    async def search(
        self,
        tenant: str,
        url: str,
        query: str,
        hidden: frozenset[str] = frozenset(),
    ) -> Retrieval | None:
        """What the documents say, and how surely; None where nothing is relevant, or could be asked.
        `hidden` values are left out of the query.
        """
        asked = cleaned(query, hidden)
        if self._documents is None or not asked:
            return None
        try:
            async with asyncio.timeout(SEARCH_TIMEOUT_S):
                found = await self._documents.get_rag_chunks(url, asked, tenant)
        except Exception:
            log.exception("the documents could not be asked")
            return None
        return found if found.found else None

    async def extract_text(
        self, tenant: str, name: str, declared: str, data: bytes
    ) -> tuple[str, str]:
        """A file as Markdown, or else why there is none, in words."""
        if self._documents is None:
            return "", "files are not read here"
        try:
            async with asyncio.timeout(READ_TIMEOUT_S):
                return await self._documents.read(tenant, name, declared, data), ""
        except Unreadable as error:
            return "", error.detail
        except TimeoutError:
            return "", "reading it takes too long"
        except Exception:
            log.exception("a file could not be read")
            return "", "it could not be read"

    async def save_text(self, who: Principal, text: str) -> bool:
        """Have the text taken in as a document of the team's; whether that was accepted."""
        if self._documents is None:
            return False
        title = cut(text, bounds().title)
        request = IngestRequest(
            kind="text",
            title=title,
            set_name=MEMORY_SET,
            declared="text/plain",
            scope="organization",
        )
        try:
            await self._documents.submit(who, request, _bytes_of(text))
        except Exception:
            log.exception("a text could not be kept among the documents")
            return False
        return True


async def _bytes_of(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


def passages_of(found: Retrieval) -> tuple[Passage, ...]:
    """As the background holds them."""
    return tuple(_passage(one) for one in found.found[:MAX_PASSAGES])


def _passage(one: FoundPassage) -> Passage:
    own = one.document.scope == "organization"
    return Passage(
        text=one.text[:MAX_PASSAGE_CHARS],
        title=one.document.title,
        url=one.document.url,
        score=round(one.score, 3),
        label=one.citation.label,
        document_id=one.document.document_id,
        own=own,
        vouched=own and one.document.phase is None,
    )


def with_passages(url: str, background: Background, passages: tuple[Passage, ...]) -> Background:
    """The background with what the documents say on that page."""
    return background.model_copy(update={"knowledge": passages, "knowledge_url": page_key(url)})


def page_key(url: str) -> str:
    """A page by its address, without query and fragment: within it the documents say the same."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}"
