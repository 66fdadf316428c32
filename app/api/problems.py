"""Maps errors to `application/problem+json` (RFC 9457); the only module that knows HTTP status
codes.
"""

from collections.abc import Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Scope

from app import errors
from app.agent import hand_over_view
from app.api.models import ResponseModel


class InvalidField(ResponseModel):
    """A field and what is wrong with it."""

    loc: str
    msg: str


class HandOverView(ResponseModel):
    """The step that a person may do; a new task then resumes with `continueFrom`."""

    step: str
    message: str


class Problem(ResponseModel):
    """RFC 9457. `code` is stable; `detail` is for people; `traceId` finds the request in the logs.
    `handOver` is set if the task stopped at a step that a person may do.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    trace_id: str
    errors: list[InvalidField] | None = None
    hand_over: HandOverView | None = None


log = structlog.get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
STATUS: dict[type[errors.TabwrightError], int] = {
    errors.TabwrightError: 500,
    errors.Refused: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Invalid: 422,
    errors.CannotBeRecipe: 422,
    errors.TooLarge: 413,
    errors.TreeTooLarge: 413,
    errors.Unreadable: 422,
    errors.TextTooSlow: 422,
    errors.SlowBody: 408,
    errors.UnsupportedEncoding: 415,
    errors.HostRefused: 421,
    errors.ProtocolUnsupported: 426,
    errors.RateLimited: 429,
    errors.Conflict: 409,
    errors.LimitReached: 400,
    errors.BudgetReached: 402,
    errors.AddressRefused: 422,
    errors.FetchFailed: 502,
    errors.ModelFailed: 503,
    errors.PricesUnusable: 503,
    errors.Unavailable: 503,
}
CLIENT_GONE = 499  # nginx's status for a closed connection
PROBLEM_STATUSES = {
    400: "A limit stopped the task, or no question is pending",
    401: "The API key is missing or invalid",
    403: "The key lacks the required scope",
    404: "Not found, or not visible to this key",
    408: "The body arrived too slowly",
    409: "The task has ended or is busy, the question has expired, or the requestId belongs to another body",
    413: "The body is too large",
    422: "The request is invalid",
    429: "Too many requests",
    503: "A service that the request needs is unavailable",
}
CODES = {404: errors.NotFound.code, 405: "METHOD_NOT_ALLOWED"}


def problem_doc(description: str) -> dict[str, Any]:
    return {"model": Problem, "content": {MEDIA_TYPE: {}}, "description": description}


NEEDS_ADMIN = problem_doc("Requires scope `admin`")
NEEDS_OPERATOR = problem_doc("Requires scope `operator`")


def problem_docs(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: problem_doc(PROBLEM_STATUSES[status]) for status in statuses}


def http_status(error: errors.TabwrightError) -> int:
    return next(STATUS[cls] for cls in type(error).__mro__ if cls in STATUS)


def problem_document(error: Exception, trace_id: str) -> dict[str, Any]:
    """The problem document; details of unexpected errors are not disclosed."""
    known = error if isinstance(error, errors.TabwrightError) else errors.TabwrightError()
    document = _document(http_status(known), known.code, known.title, known.detail, trace_id)
    offer = hand_over_view(known.hand_over)
    return document if offer is None else document | {"handOver": offer}


def _document(
    status: int, code: str, title: str, detail: str, trace_id: str, invalid: list[Any] | None = None
) -> dict[str, Any]:
    problem = Problem(
        type=f"urn:tabwright:problem:{code.lower().replace('_', '-')}",
        title=title,
        status=status,
        code=code,
        detail=detail,
        trace_id=trace_id,
        errors=invalid,
    )
    return problem.model_dump(by_alias=True, exclude_none=True)


def problem_response(error: Exception, scope: Scope) -> JSONResponse:
    """The response to an error of a route or of middleware."""
    trace_id = str(scope.get("trace_id", ""))
    if isinstance(error, errors.InvalidBody):
        document = _validation_problem(error.found, trace_id)
    elif isinstance(error, RequestValidationError):
        document = _validation_problem(error.errors(), trace_id)
    elif isinstance(error, HTTPException):
        code = CODES.get(error.status_code, f"HTTP_{error.status_code}")
        detail = str(error.detail)
        document = _document(error.status_code, code, detail, detail, trace_id)
    else:
        document = problem_document(error, trace_id)
    retry_after: int | None = getattr(error, "retry_after", None)
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    if document["status"] == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(document, document["status"], headers, media_type=MEDIA_TYPE)


def _validation_problem(invalid: Sequence[Any], trace_id: str) -> dict[str, Any]:
    """A 422 problem that names each invalid field, without repeating the values."""
    places = [
        {"loc": ".".join(str(part) for part in item.get("loc", ())), "msg": item.get("msg", "")}
        for item in invalid[:20]
    ]
    first = places[0] if places else {"loc": "", "msg": ""}
    detail = f"{first['loc']}: {first['msg']}".strip(": ")
    kind = errors.Invalid
    return _document(422, kind.code, kind.title, detail, trace_id, places)


def add_error_handlers(app: FastAPI) -> None:
    async def respond(request: Request, error: Exception) -> Response:
        return problem_response(error, request.scope)

    async def drop(request: Request, error: Exception) -> Response:
        return Response(status_code=CLIENT_GONE)  # while sending its body

    async def report(request: Request, error: Exception) -> Response:
        log.error("request failed", path=request.url.path, exc_info=error)
        return problem_response(error, request.scope)

    for known in (errors.TabwrightError, RequestValidationError, HTTPException):
        app.add_exception_handler(known, respond)
    app.add_exception_handler(ClientDisconnect, drop)
    app.add_exception_handler(Exception, report)
