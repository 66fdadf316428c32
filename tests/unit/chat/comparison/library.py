"""Markdown documents, chunked as on ingestion, and a scripted model."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.chat.tools import ActionRequest, Tools
from app.domain.access import Policy
from app.domain.chat import DocumentRef
from app.domain.knowledge import Chunk, ChunkPlacement, Retrieval
from app.errors import NotFound
from app.llm.port import ModelRequest
from knowledge.chunk.chunker import chunk_document
from knowledge.extract.port import Extracted
from knowledge.port import Part, Query

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def parts(document_id: str, text: str, language: str = "en") -> list[Part]:
    """The document as it is kept."""
    pieces = chunk_document(Extracted(markdown=text, kind="markdown"), document_id=document_id)
    return [
        Part(
            chunk=Chunk(
                chunk_id=one.chunk_id,
                tenant="acme",
                document_id=document_id,
                text=one.text,
                heading_path=one.heading_path,
                kind=one.kind,
                language=language,
                created_at=NOW,
            ),
            placed=ChunkPlacement(chunk_id=one.chunk_id, start=one.start, end=one.end),
        )
        for one in pieces
    ]


class Documents:
    """Documents by their ids; what is not there is not found."""

    def __init__(self, **kept: str | Sequence[Part]) -> None:
        self.kept = {
            name: parts(name, text) if isinstance(text, str) else text
            for name, text in kept.items()
        }
        self.queries: list[Query] = []

    async def titles(self, tenant: str) -> list[Any]:
        return []

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        if document_id not in self.kept:
            raise NotFound("no such document")
        return self.kept[document_id]

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        self.queries.append(query)
        return Retrieval(allowed=True, domain="")


class Scripted:
    """A model that answers from its script; a call too many fails the test."""

    names = {"fast": "scripted", "strong": "scripted"}

    def __init__(self, *replies: Mapping[str, Any] | Exception) -> None:
        self.left = list(replies)
        self.asked: list[ModelRequest[Any]] = []

    async def ask(self, request: ModelRequest[Any]) -> Any:
        self.asked.append(request)
        assert self.left, "nothing is scripted for this call"
        reply = self.left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return request.reply.model_validate(reply)


def tools(documents: Documents, model: Any = None) -> Tools:
    return Tools(tenant="acme", documents=documents, policy=Policy(tenant="acme"), model=model)


def asked(plain: str, *names: str, source: str = "") -> ActionRequest:
    documents = tuple(DocumentRef(id=name, title=name.title()) for name in names)
    return ActionRequest(message=plain, plain=plain, documents=documents, source=source)
