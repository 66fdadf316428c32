"""Ingest a document: a page, a text, an address, or an upload, which is streamed. Each becomes a job."""

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.middleware.body_limits import BodyLimit
from app.api.models import json_schema
from app.api.problems import problem_doc, problem_docs
from app.api.request_body import body_schema, invalid_body, parse_body, read_body
from app.api.routes.knowledge.jobs import AcceptedView
from app.api.routes.knowledge.requests import DocumentFields, IndexLinkIn, IngestIn
from app.domain.access import Principal
from app.domain.knowledge import Job
from app.errors import Invalid, TooLarge

INGEST = "/api/knowledge/ingest"
FORM = "multipart/form-data"
JSON_BYTES = 10_000_000  # a long rendered page; the largest reference pages have 4 MB
FORM_BYTES = 100_000  # size of a form without its file
SLOWEST = 32_000  # minimum bytes per second: a poor mobile connection passes

OPERATORS_ONLY = problem_doc("Only operators may add a site as the team's own")
REFUSALS: dict[int | str, dict[str, Any]] = problem_docs(401, 413, 422, 429, 503)
router = APIRouter(tags=["knowledge"], responses={403: OPERATORS_ONLY, **REFUSALS})
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
            "application/json": {"schema": json_schema(IngestIn)},
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
        return AcceptedView.from_fields(await _submit_upload(request, principal, state))
    body = parse_body(IngestIn, await read_body(request, JSON_BYTES))
    pieces = None if body.content is None else _single_piece(body.content)
    return AcceptedView.from_fields(
        await state["knowledge"].submit(principal, body.request(), pieces)
    )


@router.post("/api/knowledge/index-link", status_code=202, openapi_extra=body_schema(IndexLinkIn))
async def index_link(request: Request, principal: CurrentUser, state: AppStateDep) -> AcceptedView:
    """Ingest pages of a site: one page, its sitemap, or the pages it links to.

    Pages that `robots.txt` disallows are skipped. Addresses outside the public web are rejected unless
    the installation allows them.
    """
    body = parse_body(IndexLinkIn, await read_body(request))
    return AcceptedView.from_fields(await state["knowledge"].submit(principal, body.request()))


async def _submit_upload(request: Request, principal: Principal, state: AppState) -> Job:
    upload = await read_upload(request, state["upload_bytes"])
    fields = {name: value for name, value in upload.fields.items() if value.strip()}
    try:
        metadata = DocumentFields.model_validate(fields)
    except ValidationError as error:
        raise invalid_body(error) from None
    return await state["knowledge"].submit(
        principal, metadata.file_request(upload.name, upload.declared), upload.pieces
    )


async def _single_piece(piece: bytes) -> AsyncIterator[bytes]:
    yield piece


FILE = "file"
MAX_FIELDS = 16
LONGEST_FIELD = 4_096
UNREADABLE = "The form cannot be parsed: send multipart/form-data with its boundary."


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file and the fields before it. `name` and `declared` (the media type) are the client's claims."""

    fields: dict[str, str]
    name: str
    declared: str | None
    pieces: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class _PartStart:
    """The beginning of a part; `filename` is None for a field."""

    name: str
    filename: str | None
    declared: str | None


_Event = _PartStart | bytes | None  # None: end of the part


async def read_upload(request: Request, most: int) -> Upload:
    """Parse the form up to its file. Raises `Invalid` for a form without one.

    Iterating `pieces` reads the rest of the body. It raises `TooLarge` beyond `most` bytes, and `Invalid`
    if the form is truncated or continues after the file.
    """
    events = _parse_events(request)
    fields: dict[str, str] = {}
    async for event in events:
        if not isinstance(event, _PartStart):
            raise Invalid(UNREADABLE)
        if event.name == FILE and event.filename is not None:
            return Upload(
                fields=fields,
                name=event.filename,
                declared=event.declared,
                pieces=_file_pieces(events, most),
            )
        if event.filename is not None or len(fields) == MAX_FIELDS:
            raise Invalid("file: send exactly one file, in the field `file`.")
        fields[event.name] = await _read_field(events, event.name)
    raise Invalid("file: missing.")


async def _read_field(events: AsyncIterator[_Event], name: str) -> str:
    value = bytearray()
    async for event in events:
        if not isinstance(event, bytes):
            break
        value += event
        if len(value) > LONGEST_FIELD:
            raise Invalid(f"{name[:40]}: too long.")
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"{name[:40]}: not valid UTF-8.") from error


async def _file_pieces(events: AsyncIterator[_Event], most: int) -> AsyncIterator[bytes]:
    read = 0
    async for event in events:
        if not isinstance(event, bytes):
            break
        read += len(event)
        if read > most:
            raise TooLarge(f"The document exceeds {most:,} bytes.")
        yield event
    async for _ in events:
        raise Invalid("file: must be the last part of the form.")


async def _parse_events(request: Request) -> AsyncIterator[_Event]:
    """The parts of the form in order. Raises `Invalid` if it is malformed or truncated."""
    form = _Form(request.headers.get("content-type", ""))
    async for piece in request.stream():
        form.feed(piece)
        while form.events:
            yield form.events.popleft()
    if not form.is_complete:
        raise Invalid("The multipart body is truncated.")


class _Form:
    """A push parser; `events` holds those of the last piece."""

    def __init__(self, kind: str) -> None:
        boundary = parse_options_header(kind)[1].get(b"boundary", b"")
        self.events: deque[_Event] = deque()
        self.is_complete = False
        self._headers: dict[str, str] = {}
        self._name, self._value = bytearray(), bytearray()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._headers.clear,
                    "on_header_field": self._add_name,
                    "on_header_value": self._add_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._start_part,
                    "on_part_data": self._add_data,
                    "on_part_end": lambda: self.events.append(None),
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error
        if not boundary:
            raise Invalid(UNREADABLE)

    def feed(self, piece: bytes) -> None:
        if not piece or self.is_complete:
            return
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error

    def _add_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        name = self._name.decode("latin-1").lower()
        self._headers[name] = self._value.decode("latin-1")
        self._name.clear()
        self._value.clear()

    def _start_part(self) -> None:
        options = parse_options_header(self._headers.get("content-disposition", ""))[1]
        filename = options.get(b"filename")
        self.events.append(
            _PartStart(
                name=options.get(b"name", b"").decode(errors="replace"),
                filename=None if filename is None else _unescape(filename),
                declared=self._headers.get("content-type"),
            )
        )

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        self.events.append(data[start:end])

    def _end(self) -> None:
        self.is_complete = True


def _unescape(filename: bytes) -> str:
    """Undo the escapes of browsers (WHATWG HTML, multipart/form-data)."""
    name = filename.decode(errors="replace")
    for escape, character in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):
        name = name.replace(escape, character)
    return name
