"""Tools whose every answer is a result: also one to arguments that are missing, wrong or too many."""

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
ACTS = ToolAnnotations(  # in sites of the web, by the person's own account there
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
    """A tool that publishes the schema of `shape` and does `act`, whose docstring describes it. `named` is
    the argument that something may not be found by.
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


def at_most(given: str, most: int) -> str:
    """An id that can be one; raises `NotFound` for what is too long to be."""
    if len(given) > most:
        raise NotFound("There is nothing of this id")
    return given


def refuse(why: str) -> Invalid:
    """The error of an argument that says something that cannot be so."""
    return Invalid(why)


READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
DECIDES = ToolAnnotations(  # for good: the second time it is refused
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def ok(**more: Any) -> ToolResult:  # noqa: ANN401 - what a tool has to tell
    """The result of a call that went well."""
    return {"status": "ok", **more}


def error(message: str) -> ToolResult:
    """The result of one that did not."""
    return {"status": "error", "message": message}


def not_found(submission_id: str) -> ToolResult:
    """The result where there is no such record, or it is not for this key to see. The id is repeated as
    far as one could be told by.
    """
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
    """A tool that publishes the schema of `shape` and does `act`, whose docstring describes it.

    The SDK would answer wrong arguments with words of its own: they are looked at here, as they came.
    `invalid` is told of a call whose arguments are.
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


async def of_id(submission_id: str, act: Callable[[str], Awaitable[ToolResult]]) -> ToolResult:
    """What `act` does with an id that was given; in words where it was not, or nothing goes by it."""
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
    """The arguments, or `Invalid` with the first thing that is wrong."""
    given = (ctx.request_context.params or {}).get("arguments") or {}
    try:
        return shape.model_validate(given)
    except ValidationError as wrong:
        if invalid is not None:
            await invalid(who)
        raise Invalid(_first_of(wrong)) from wrong


def _first_of(wrong: ValidationError) -> str:
    """The first thing that is wrong, in words."""
    first = wrong.errors(include_input=False, include_url=False, include_context=False)[0]
    return f"{first['loc'][-1]} is required" if first["type"] == "missing" else first_of(wrong)


def _described(docstring: str | None) -> str:
    """A docstring as one paragraph."""
    return " ".join((docstring or "").split())
