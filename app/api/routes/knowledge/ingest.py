"""Ingest a document: a file, a page, a text or an address. Each request becomes a job."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.middleware.body_limits import BodyLimit
from app.api.problems import problem_doc, problem_docs
from app.api.request_body import body_schema, invalid_body, parse_body, read_body
from app.api.routes.knowledge.jobs import AcceptedView
from app.api.routes.knowledge.requests import DocumentFields, IndexLinkIn, IngestIn
from app.api.routes.knowledge.upload import read_upload
from app.domain.access import Principal
from app.domain.knowledge import Job

INGEST = "/api/knowledge/ingest"
FORM = "multipart/form-data"
JSON_BYTES = 10_000_000  # a long rendered page; the largest reference pages have 4 MB
FORM_BYTES = 100_000  # size of a form without its file
SLOWEST = 32_000  # minimum bytes per second: a poor mobile connection passes
REF = "#/components/schemas/{model}"

NOT_VOUCHED = problem_doc("Only operators may add a site as the team's own")
REFUSALS: dict[int | str, dict[str, Any]] = problem_docs(401, 413, 422, 429, 503)
router = APIRouter(tags=["knowledge"], responses={403: NOT_VOUCHED, **REFUSALS})
UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["file"],
    "description": "Send the fields before the file.",
    "properties": {
        "title": {"type": "string", "maxLength": 300},
        "domain": {
            "type": "string",
            "maxLength": 260,
            "description": "The site that the document is about",
        },
        "set": {"type": "string", "maxLength": 64, "default": "default"},
        "scope": {"type": "string", "enum": ["organization", "public"]},
        "file": {"type": "string", "format": "binary"},
    },
}
INGEST_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": IngestIn.model_json_schema(ref_template=REF)},
            FORM: {"schema": UPLOAD_SCHEMA},
        },
    }
}
SLOW = problem_doc("The body arrived too slowly")


def body_limits(upload_bytes: int) -> dict[str, BodyLimit]:
    """The limits of the paths whose bodies may be larger than others."""
    return {INGEST: BodyLimit(most=max(upload_bytes, JSON_BYTES) + FORM_BYTES, slowest=SLOWEST)}


@router.post(INGEST, status_code=202, responses={408: SLOW}, openapi_extra=INGEST_SCHEMA)
async def ingest(request: Request, principal: CurrentUser, state: AppStateDep) -> AcceptedView:
    """Ingest a document: the `html` of a page, a `text` or a `url` as JSON, or a `file` as a form.

    Responds as soon as the document is stored; the job reports progress and what could not be read. A
    file of the same name in the same `set`, or a page of the same address, becomes a new version; an
    unchanged one costs nothing.
    """
    if request.headers.get("content-type", "").lower().startswith(FORM):
        return AcceptedView.of(await _uploaded(request, principal, state))
    body = await read_body(request, JSON_BYTES)
    asked = parse_body(IngestIn, body)
    pieces = None if asked.body is None else _one(asked.body)
    return AcceptedView.of(await state["knowledge"].submit(principal, asked.request(), pieces))


@router.post("/api/knowledge/index-link", status_code=202, openapi_extra=body_schema(IndexLinkIn))
async def index_link(request: Request, principal: CurrentUser, state: AppStateDep) -> AcceptedView:
    """Ingest pages of a site: one page, its sitemap, or the pages it links to.

    Pages that `robots.txt` disallows are skipped. Addresses outside the public web are rejected unless
    the installation allows them.
    """
    asked = parse_body(IndexLinkIn, await read_body(request))
    return AcceptedView.of(await state["knowledge"].submit(principal, asked.request()))


async def _uploaded(request: Request, principal: Principal, state: AppState) -> Job:
    upload = await read_upload(request, state["upload_bytes"])
    said = {name: value for name, value in upload.fields.items() if value.strip()}
    try:
        about = DocumentFields.model_validate(said)
    except ValidationError as error:
        raise invalid_body(error) from None
    return await state["knowledge"].submit(
        principal, about.file(upload.name, upload.declared), upload.pieces
    )


async def _one(piece: bytes) -> AsyncIterator[bytes]:
    yield piece
