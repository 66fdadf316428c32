"""What the documents say to a question, on the wire."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from app.api.models import ResponseModel, Timestamp
from app.domain.knowledge import (
    ChunkKind,
    Citation,
    Confidence,
    FoundPassage,
    Phase,
    Retrieval,
    Scope,
)

RESOLVED_EXAMPLE: dict[str, Any] = {
    "allowed": True,
    "domain": "shop.example",
    "hasOrgKnowledge": True,
    "confidenceScore": 0.86,
    "retrievalConfidence": "high",
    "chunks": [
        {
            "content": "Goods come back within 30 days.",
            "documentTitle": "Returns",
            "documentType": "pdf",
            "score": 0.86,
            "metadata": {
                "documentId": "5d41402abc4b2a76b9719d91",
                "chunkIds": ["7d793037a0760186574b0282"],
                "domain": "shop.example",
                "set": "default",
                "scope": "organization",
                "headingPath": ["Returns"],
                "page": 3,
                "pageEnd": 3,
                "ingestedAt": "2026-11-22T10:00:00.000Z",
                "kind": "prose",
                "language": "en",
                "model": "wordllama-256",
            },
            "citation": {
                "label": "Returns, p. 3",
                "title": "Returns",
                "page": 3,
                "pageEnd": 3,
                "headingPath": ["Returns"],
                "start": 120,
                "end": 151,
            },
        }
    ],
}


class CitationView(ResponseModel):
    """Where a passage stands: characters of the document as Markdown, pages from 1 on."""

    label: str
    title: str
    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    heading_path: list[str]
    start: int
    end: int

    @staticmethod
    def of(citation: Citation) -> "CitationView":
        """The wire form."""
        said = citation.model_dump(exclude={"document_id", "chunk_id", "heading_path"})
        return CitationView(**said, heading_path=list(citation.heading_path))


class PassageMetadata(ResponseModel):
    """Of which document and which of its chunks a passage is, and what else is known of it."""

    document_id: str
    chunk_ids: list[str]
    url: str | None = None
    domain: str | None = None
    set_name: Annotated[str, Field(alias="set")]
    scope: Scope
    heading_path: list[str]
    page: int | None = None
    page_end: int | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    ingested_at: Timestamp
    superseded_by: None = None
    kind: ChunkKind
    language: str | None = None
    model: str


class PassageView(ResponseModel):
    """A passage that was found; `score` in 0..1 is how well it answers."""

    content: str
    document_title: str
    document_type: str
    metadata: PassageMetadata
    score: float
    citation: CitationView

    @staticmethod
    def of(found: FoundPassage) -> "PassageView":
        """The wire form."""
        document, citation = found.document, found.citation
        return PassageView(
            content=found.text,
            document_title=document.title,
            document_type=document.kind,
            metadata=PassageMetadata(
                document_id=document.document_id,
                chunk_ids=list(found.chunk_ids or (citation.chunk_id,)),
                url=document.url,
                domain=document.domain,
                set_name=document.set_name,
                scope=document.scope,
                heading_path=list(citation.heading_path),
                page=citation.page,
                page_end=citation.page_end,
                phase=found.phase,
                trigger_action=found.trigger_action,
                ingested_at=found.ingested_at,
                kind=found.kind,
                language=document.language,
                model=document.model,
            ),
            score=found.score,
            citation=CitationView.of(citation),
        )


class ResolvedView(ResponseModel):
    """What the documents say, the team's own first; `chunks` is empty where nothing is relevant.
    `allowed` false: the page is of no site where the team's own documents may be used.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [RESOLVED_EXAMPLE]})

    allowed: bool
    domain: str
    has_org_knowledge: bool
    confidence_score: float
    retrieval_confidence: Confidence
    chunks: list[PassageView]

    @staticmethod
    def of(resolved: Retrieval) -> "ResolvedView":
        """The wire form."""
        return ResolvedView(
            allowed=resolved.allowed,
            domain=resolved.domain,
            has_org_knowledge=resolved.has_org_knowledge,
            confidence_score=resolved.confidence_score,
            retrieval_confidence=resolved.confidence,
            chunks=[PassageView.of(one) for one in resolved.found],
        )
