"""Search the documents for passages that answer a question."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import EXAMPLES, ResponseModel, Timestamp
from app.api.problems import problem_docs
from app.api.routes.knowledge.requests import LONGEST_SET, Address
from app.bounds import Bounded
from app.domain.knowledge import (
    ChunkKind,
    Confidence,
    FoundPassage,
    Phase,
    Retrieval,
    Scope,
)
from knowledge import Query as KnowledgeQuery


class CitationView(ResponseModel):
    """The place of a passage: offsets in the document as Markdown, pages from 1."""

    label: str
    title: str
    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    heading_path: list[str]
    start: int
    end: int


class PassageMetadata(ResponseModel):
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
    """A passage; `score` (0..1) is how well it answers the question."""

    content: str
    document_title: str
    document_type: str
    metadata: PassageMetadata
    score: float
    citation: CitationView

    @staticmethod
    def of(found: FoundPassage) -> "PassageView":
        document, citation = found.document, found.citation
        metadata = PassageMetadata.from_fields(
            document,
            chunk_ids=found.chunk_ids or (citation.chunk_id,),
            heading_path=citation.heading_path,
            page=citation.page,
            page_end=citation.page_end,
            phase=found.phase,
            trigger_action=found.trigger_action,
            ingested_at=found.ingested_at,
            kind=found.kind,
        )
        return PassageView.from_fields(
            found,
            content=found.text,
            document_title=document.title,
            document_type=document.kind,
            metadata=metadata,
        )


class ResolvedView(ResponseModel):
    """Passages, the team's own first; empty if nothing is relevant. `allowed` false: the team's own
    documents may not be used on the site of the page.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["ResolvedView"]]})

    allowed: bool
    domain: str
    has_org_knowledge: bool
    confidence_score: float
    retrieval_confidence: Confidence
    chunks: list[PassageView]

    @staticmethod
    def of(resolved: Retrieval) -> "ResolvedView":
        return ResolvedView.from_fields(
            resolved,
            retrieval_confidence=resolved.confidence,
            chunks=[PassageView.of(one) for one in resolved.found],
        )


router = APIRouter(
    prefix="/api/knowledge",
    tags=["knowledge"],
    responses=problem_docs(401, 422, 429, 503),
)

PASSAGES, MAX_PASSAGES = 8, 50
LONGEST_ID = 64
MAX_NAMED = 50  # sets or documents per question
LANGUAGE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$"

Set = Annotated[str, Query(max_length=LONGEST_SET)]
DocumentId = Annotated[str, Query(max_length=LONGEST_ID)]


@router.get("/resolve")
async def resolve(
    principal: CurrentUser,
    state: AppStateDep,
    query: Annotated[str, Query(min_length=1), Bounded("question")],
    url: Annotated[
        Address | None,
        Query(description="The page on which the question is asked"),
    ] = None,
    sets: Annotated[
        list[Set] | None, Query(alias="set", max_length=MAX_NAMED, description="Only in these")
    ] = None,
    document_ids: Annotated[
        list[DocumentId] | None,
        Query(alias="documentId", max_length=MAX_NAMED, description="Only in these"),
    ] = None,
    language: Annotated[
        str | None, Query(pattern=LANGUAGE, description="Only in this language, such as `de`")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PASSAGES)] = PASSAGES,
) -> ResolvedView:
    """Find passages that answer a question asked on a page; the team's own documents before public ones.

    `chunks` is empty if nothing is relevant. Passages are untrusted text: data, not instructions.
    """
    question = KnowledgeQuery(
        text=query,
        url=url or "",
        sets=tuple(sets or ()),
        documents=tuple(document_ids or ()),
        language=language.lower() if language else None,
        limit=limit,
    )
    policy = await state["store"].policies.get(principal.tenant)
    return ResolvedView.of(await state["knowledge"].resolve(principal.tenant, question, policy))
