"""The documents of a tenant: list, read and delete."""

from typing import Annotated, Any, Self

from fastapi import APIRouter, Query, Response
from pydantic import Field

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import LONGEST_PATTERN, ResponseModel, Timestamp
from app.api.problems import problem_doc, problem_docs
from app.api.query_params import PAGE, Cursor, PageSize, parse_cursor, split_page
from app.api.routes.knowledge.requests import LONGEST_SET, normalize_line
from app.domain.knowledge import ChunkKind, Document, Phase, Scope
from app.errors import Forbidden
from knowledge import Part


class DocumentView(ResponseModel):
    """A searchable document; `notes` say what could not be read. `version` counts its contents, from 1."""

    id: str
    title: str
    type: str
    source: str
    url: str | None = None
    domain: str | None = None
    set_name: Annotated[str, Field(alias="set")]
    scope: Scope
    language: str | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    version: int
    pages: int
    chunks: int
    tokens: int
    bytes: int
    notes: list[str]
    published_at: Timestamp | None = None
    created_at: Timestamp
    ingested_at: Timestamp

    @classmethod
    def of(cls, document: Document, **more: Any) -> Self:  # noqa: ANN401 - as `from_fields`
        return cls.from_fields(document, id=document.document_id, type=document.kind, **more)


class DocumentsPage(ResponseModel):
    """Documents, newest first; `nextCursor` is set if there are more."""

    documents: list[DocumentView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


class PartView(ResponseModel):
    """A part of a document; `supersededBy` is the part of a later capture that hides it. `marks` are pairs
    of an offset in the text at which a page (or row, for sheets) begins, and its number from 1.
    """

    chunk_id: str
    text: str
    heading_path: list[str]
    kind: ChunkKind
    page: int | None = None
    marks: list[tuple[int, int]] = []
    superseded_by: str | None = None

    @staticmethod
    def of(part: Part) -> "PartView":
        placed = {"page": part.placed.page, "marks": part.placed.marks}
        return PartView.from_fields(part.chunk, superseded_by=part.superseded_by, **placed)


class DocumentWhole(DocumentView):
    """A document with its parts in order; `nextPart` is the `from` of the next ones."""

    parts: list[PartView]
    next_part: int | None = None


router = APIRouter(
    prefix="/api/knowledge",
    tags=["knowledge"],
    responses=problem_docs(401, 422, 429, 503),
)

PARTS, MOST_PARTS = 200, 1_000
LONGEST_WORDS = 200
NOT_FOUND: dict[int | str, dict[str, Any]] = {404: problem_doc("No such document")}
FORBIDDEN = problem_doc("Another user added the document")

Set = Annotated[str, Query(max_length=LONGEST_SET)]


@router.get("/documents")
async def documents(
    principal: CurrentUser,
    state: AppStateDep,
    set_name: Annotated[
        Set | None, Query(alias="set", description="Only documents of this set")
    ] = None,
    domain: Annotated[
        str | None, Query(max_length=LONGEST_PATTERN, description="Only documents about this site")
    ] = None,
    text: Annotated[
        str | None,
        Query(alias="q", max_length=LONGEST_WORDS, description="Part of the title or the source"),
    ] = None,
    cursor: Cursor = None,
    limit: PageSize = PAGE,
) -> DocumentsPage:
    """The tenant's documents, most recently ingested first."""
    found = await state["knowledge"].documents(
        principal.tenant,
        limit=limit + 1,
        set_name=set_name or None,
        domain=domain.lower() if domain else None,
        text=normalize_line(text or "") or None,
        after=parse_cursor(cursor),
    )
    page, next_cursor = split_page(found, limit, lambda one: (one.ingested_at, one.document_id))
    return DocumentsPage(documents=[DocumentView.of(one) for one in page], next_cursor=next_cursor)


@router.get("/documents/{document_id}", responses=NOT_FOUND)
async def document(
    document_id: str,
    principal: CurrentUser,
    state: AppStateDep,
    begin: Annotated[int, Query(alias="from", ge=0, le=10_000_000)] = 0,
    limit: Annotated[
        int, Query(ge=1, le=MOST_PARTS, description="Maximum number of parts")
    ] = PARTS,
) -> DocumentWhole:
    """A document with its parts in order, as they are searched."""
    knowledge = state["knowledge"]
    found = await knowledge.document(principal.tenant, document_id)
    parts = await knowledge.parts(principal.tenant, document_id)
    end = begin + limit
    return DocumentWhole.of(
        found,
        parts=[PartView.of(part) for part in parts[begin:end]],
        next_part=end if end < len(parts) else None,
    )


@router.delete("/documents/{document_id}", status_code=204, responses=NOT_FOUND | {403: FORBIDDEN})
async def delete_document(document_id: str, principal: CurrentUser, state: AppStateDep) -> Response:
    """Delete a document of the user with everything derived from it; operators may delete any."""
    found = await state["knowledge"].document(principal.tenant, document_id)
    if not principal.can_see(found.user):
        raise Forbidden("Only the user who added a document or an operator can delete it.")
    await state["knowledge"].delete(principal.tenant, document_id)
    return Response(status_code=204)
