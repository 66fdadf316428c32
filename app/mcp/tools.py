"""MCP tools that report invalid arguments and errors as a result of their own, and their callers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp import MCPError
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import INVALID_REQUEST, InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, ValidationError

from app.domain.access import Principal
from app.domain.review import SHORT
from app.errors import NotFound, TabwrightError, Unauthenticated
from app.review import first_error
from app.store.people.keys import KeyWatch

Arguments = TypeVar("Arguments", bound=BaseModel)
ToolResult = dict[str, Any]
ToolReply = ToolResult | InputRequiredResult
ToolContext = Context[Any, Any]

HINTS = ("read_only", "destructive", "idempotent", "open_world")


def _hints(*given: str) -> ToolAnnotations:
    return ToolAnnotations.model_validate({f"{one}_hint": one in given for one in HINTS})


READS = _hints("read_only", "idempotent")
ASKS = _hints("read_only")
ADDS = _hints()
STOPS = _hints("idempotent")
DECIDES = _hints("destructive")  # final: a second decision is rejected
ACTS = _hints("destructive", "open_world")  # on web sites, with the user's own accounts


def tool(
    model: type[Arguments],
    act: Callable[[ToolContext, Principal, Arguments], Awaitable[ToolReply]],
    name: str,
    title: str,
    hints: ToolAnnotations,
    *,
    named: str = "",
    operators: bool = False,
    invalid: Callable[[Principal], Awaitable[None]] | None = None,
) -> Tool:
    """A tool that validates its arguments with `model` and calls `act`, whose docstring is its
    description. A `not_found` result repeats the argument `named`.

    Arguments are validated here, since the SDK would respond with messages of its own. `invalid` is called
    when they do not validate.
    """

    async def call(ctx: ToolContext) -> ToolReply:
        given = (ctx.request_context.params or {}).get("arguments") or {}
        try:
            principal = principal_of(ctx.request_context.request)
            if operators:
                principal.require("operator")
            try:
                arguments = model.model_validate(given)
            except ValidationError as wrong:
                if invalid is not None:
                    await invalid(principal)
                first = wrong.errors(include_input=False, include_url=False)[0]
                if first["type"] == "missing":
                    return error(f"{first['loc'][-1]} is required")
                return error(first_error(wrong))
            return await act(ctx, principal, arguments)
        except NotFound as missing:
            sent_id = given.get(named)
            return not_found(sent_id) if isinstance(sent_id, str) else error(missing.detail)
        except TabwrightError as failed:
            return error(failed.detail)

    described = " ".join((act.__doc__ or "").split())
    built = Tool.from_function(
        call, name=name, title=title, description=described, annotations=hints
    )
    return built.model_copy(update={"parameters": model.model_json_schema()})


def ok(**more: Any) -> ToolResult:  # noqa: ANN401 - fields of a result
    return {"status": "ok", **more}


def error(message: str) -> ToolResult:
    return {"status": "error", "message": message}


def not_found(sent_id: str) -> ToolResult:
    """The result for an unknown id, or one that the key may not see; the id is repeated, bounded."""
    return {"status": "not_found", "id": sent_id[:SHORT].encode("utf-8", "replace").decode()}


def check_id(value: str, longest: int) -> None:
    """Raises `NotFound` if it is too long to be an id."""
    if len(value) > longest:
        raise NotFound("There is nothing with this id.")


PRINCIPAL = "tabwright.principal"  # key in the scope of a request


@dataclass(frozen=True, slots=True)
class StdioRequest:
    """Takes the place of the HTTP request for messages over standard input."""

    principal: Principal


def principal_of(request: object) -> Principal:
    """The principal of an HTTP request or a `StdioRequest`. Raises `Unauthenticated`."""
    if isinstance(request, StdioRequest):
        return request.principal
    found = getattr(request, "scope", {}).get(PRINCIPAL)
    if not isinstance(found, Principal):
        raise Unauthenticated("Send an API key as `Authorization: Bearer <key>`.")
    return found


def abort_on_revocation(watch: KeyWatch) -> ServerMiddleware[Any]:
    """Middleware that aborts the handling of a message when its key is revoked. Sessions of the older
    protocol handle messages in tasks of their own, which outlive the request.
    """

    async def guarded(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            async with watch.open(principal_of(ctx.request)):
                return await call_next(ctx)
        except Unauthenticated as error:
            raise MCPError(INVALID_REQUEST, error.detail) from None

    return guarded


def client_of(ctx: ToolContext) -> tuple[str, str]:
    """The name and version that the client reports, in the handshake or with each request; "" if unknown.

    Clients can claim any name: it is displayed, and never used to authorize.
    """
    params = ctx.session.client_params
    if params is None:
        return "", ""
    name, version = (
        " ".join("".join(c if c.isprintable() else " " for c in text[:SHORT]).split())
        for text in (params.client_info.name, params.client_info.version)
    )
    return name, version


def sdk_user(principal: Principal) -> AuthenticatedUser:
    """The user for the SDK, which isolates sessions and request state between users."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=principal.key_id or f"{principal.tenant}/{principal.user}",
            scopes=[],
            subject=f"{principal.tenant}/{principal.user}",
        )
    )
