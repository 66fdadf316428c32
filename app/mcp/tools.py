"""MCP tools that respond to invalid arguments and errors with a result of their own, not the SDK's."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, ValidationError

from app.domain.access import Principal
from app.domain.review import SHORT
from app.errors import Invalid, NotFound, TabwrightError
from app.mcp.identity import principal_of
from app.review.service import first_of

Arguments = TypeVar("Arguments", bound=BaseModel)
ToolResult = dict[str, Any]
ToolReply = ToolResult | InputRequiredResult

ASKS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
ACTS = ToolAnnotations(  # on web sites, with the user's own accounts
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
)
STOPS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def task_tool(
    shape: type[Arguments],
    act: Callable[[Context[Any, Any], Principal, Arguments], Awaitable[ToolReply]],
    *,
    name: str,
    title: str,
    hints: ToolAnnotations,
    named: str = "task_id",
) -> Tool:
    """A tool that takes `shape` and calls `act`, whose docstring is its description. `named` is the argument
    that a `not_found` result repeats.
    """

    async def call(ctx: Context[Any, Any]) -> ToolReply:
        given = (ctx.request_context.params or {}).get("arguments") or {}
        try:
            return await act(ctx, principal_of(ctx), shape.model_validate(given))
        except ValidationError as wrong:
            return error(first_of(wrong))
        except NotFound as missing:
            asked = given.get(named)
            return not_found(asked) if isinstance(asked, str) else error(missing.detail)
        except TabwrightError as failed:
            return error(failed.detail)

    described = " ".join((act.__doc__ or "").split())
    made = Tool.from_function(
        call, name=name, title=title, description=described, annotations=hints
    )
    return made.model_copy(update={"parameters": shape.model_json_schema()})


def checked_id(given: str, most: int) -> str:
    """The id. Raises `NotFound` if it is too long to be one."""
    if len(given) > most:
        raise NotFound("There is nothing with this id.")
    return given


READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
DECIDES = ToolAnnotations(  # final: a second decision is rejected
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def ok(**more: Any) -> ToolResult:  # noqa: ANN401 - what a tool has to tell
    """A successful result."""
    return {"status": "ok", **more}


def error(message: str) -> ToolResult:
    """A failed result."""
    return {"status": "error", "message": message}


def not_found(submission_id: str) -> ToolResult:
    """The result for an unknown id, or one that the key may not see; the id is repeated, bounded."""
    told = submission_id[:SHORT].encode("utf-8", "replace").decode()
    return {"status": "not_found", "id": told}


def tool(
    shape: type[Arguments],
    act: Callable[[Principal, Arguments], Awaitable[ToolResult]],
    *,
    name: str,
    title: str,
    hints: ToolAnnotations,
    operators: bool = False,
    invalid: Callable[[Principal], Awaitable[None]] | None = None,
) -> Tool:
    """A tool that takes `shape` and calls `act`, whose docstring is its description.

    Arguments are validated here, since the SDK would respond with messages of its own. `invalid` is called
    when they do not validate.
    """

    async def call(ctx: Context[Any, Any]) -> ToolResult:
        try:
            who = principal_of(ctx)
            if operators:
                who.require("operator")
            return await act(who, await _read(shape, ctx, who, invalid))
        except TabwrightError as failed:
            return error(failed.detail)

    made = Tool.from_function(
        call, name=name, title=title, description=_described(act.__doc__), annotations=hints
    )
    return made.model_copy(update={"parameters": shape.model_json_schema()})


async def call_with_id(
    submission_id: str, act: Callable[[str], Awaitable[ToolResult]]
) -> ToolResult:
    """Call `act` with the id, or return the result for a missing or unknown one."""
    if not submission_id.strip():
        return error("submission_id is required")
    try:
        return await act(submission_id)
    except NotFound:
        return not_found(submission_id)


async def _read(
    shape: type[Arguments],
    ctx: Context[Any, Any],
    who: Principal,
    invalid: Callable[[Principal], Awaitable[None]] | None,
) -> Arguments:
    """The arguments. Raises `Invalid` with the first problem."""
    given = (ctx.request_context.params or {}).get("arguments") or {}
    try:
        return shape.model_validate(given)
    except ValidationError as wrong:
        if invalid is not None:
            await invalid(who)
        raise Invalid(_first_of(wrong)) from wrong


def _first_of(wrong: ValidationError) -> str:
    first = wrong.errors(include_input=False, include_url=False, include_context=False)[0]
    return f"{first['loc'][-1]} is required" if first["type"] == "missing" else first_of(wrong)


def _described(docstring: str | None) -> str:
    return " ".join((docstring or "").split())
