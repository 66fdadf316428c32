"""Tools for tasks: as the review servers' they answer everything with a result, and may ask the person."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, ValidationError

from app.domain.access import Principal
from app.errors import Invalid, NotFound, TabwrightError
from app.mcp.identity import principal_of
from app.mcp.tools import Result, error, not_found
from app.review.service import first_of

Arguments = TypeVar("Arguments", bound=BaseModel)
Reply = Result | InputRequiredResult

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
    act: Callable[[Context[Any, Any], Principal, Arguments], Awaitable[Reply]],
    *,
    name: str,
    title: str,
    hints: ToolAnnotations,
    named: str = "task_id",
) -> Tool:
    """A tool that publishes the schema of `shape` and does `act`, whose docstring describes it. `named` is
    the argument that something may not be found by.
    """

    async def call(ctx: Context[Any, Any]) -> Reply:
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
