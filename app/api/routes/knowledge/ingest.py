"""Documents come in: a file, a page, a text or an address. What is done with them is a job."""

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from pydantic import ValidationError

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.middleware.body_limits import BodyLimit
from app.api.models import RequestModel
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.knowledge.requests import DocumentFields, IndexLinkIn, IngestIn
from app.api.routes.knowledge.responses import AcceptedView
from app.api.routes.knowledge.upload import read_upload
from app.domain.access import Principal
from app.domain.knowledge import Job
from app.errors import InvalidBody

INGEST = "/api/knowledge/ingest"
FORM = "multipart/form-data"
JSON_BYTES = (
    10_000_000  # a long page as a browser shows it; the largest of the reference pages have 4 MB
)
FORM_BYTES = 100_000  # of a form around its file
SLOWEST = 32_000  # bytes a second of an upload: a poor mobile connection, and no slow drip
REF = "#/components/schemas/{model}"

T = TypeVar("T", bound=RequestModel)
NOT_VOUCHED = PROBLEMS[401] | {"description": "Only an operator may call a site the team's own"}
REFUSALS: dict[int | str, dict[str, Any]] = {k: PROBLEMS[k] for k in (401, 413, 422, 429, 503)}
router = APIRouter(tags=["knowledge"], responses={403: NOT_VOUCHED, **REFUSALS})
UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["file"],
    "description": "The fields stand before the file.",
    "properties": {
        "title": {"type": "string", "maxLength": 300},
        "domain": {"type": "string", "maxLength": 260, "description": "The site it is about"},
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
LINK_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": IndexLinkIn.model_json_schema(ref_template=REF)}
        },
    }
}
LATE = {**PROBLEMS[413], "description": "The body came too slowly"}


def body_limits(upload_bytes: int) -> dict[str, BodyLimit]:
    """What bodies of these paths may have beyond others."""
    return {INGEST: BodyLimit(most=max(upload_bytes, JSON_BYTES) + FORM_BYTES, slowest=SLOWEST)}


@router.post(INGEST, status_code=202, responses={408: LATE}, openapi_extra=INGEST_SCHEMA)
async def ingest(request: Request, principal: CurrentUser, state: AppStateDep) -> AcceptedView:
    """Take in a document: as JSON the `html` of a page, a `text`, or a `url` to read; as a form a `file`.

    Answers as soon as it is kept. The job says how far it is, and what could not be read. A file of the
    same name in the same `set`, and a page of the same address, is a new version of it; one that is as
    it was costs nothing.
    """
    if request.headers.get("content-type", "").lower().startswith(FORM):
        return AcceptedView.of(await _uploaded(request, principal, state))
    body = await read_body(request, JSON_BYTES)
    asked = _parsed(IngestIn, body)
    pieces = None if asked.body is None else _one(asked.body)
    return AcceptedView.of(await state["knowledge"].submit(principal, asked.request(), pieces))


@router.post("/api/knowledge/index-link", status_code=202, openapi_extra=LINK_SCHEMA)
async def index_link(request: Request, principal: CurrentUser, state: AppStateDep) -> AcceptedView:
    """Read the pages of a site: one, those of its site map, or those that it links to.

    What its `robots.txt` keeps for itself is not read. An address that is not of the public web is
    refused, unless the installation allows it.
    """
    asked = _parsed(IndexLinkIn, await read_body(request))
    return AcceptedView.of(await state["knowledge"].submit(principal, asked.request()))


async def _uploaded(request: Request, principal: Principal, state: AppState) -> Job:
    upload = await read_upload(request, state["upload_bytes"])
    said = {name: value for name, value in upload.fields.items() if value.strip()}
    try:
        about = DocumentFields.model_validate(said)
    except ValidationError as error:
        raise _refused(error) from None
    return await state["knowledge"].submit(
        principal, about.file(upload.name, upload.declared), upload.pieces
    )


async def _one(piece: bytes) -> AsyncIterator[bytes]:
    yield piece


def _parsed(shape: type[T], body: bytes) -> T:
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        raise _refused(error) from None


def _refused(error: ValidationError) -> InvalidBody:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return InvalidBody([dict(item) for item in found])
