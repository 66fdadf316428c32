"""One question to the model, and a second one when its actions cannot be."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.domain.action import PARAMETERS
from app.domain.page import Observation
from app.errors import InvalidAction, ModelReplyInvalid
from app.llm.fence import NAME
from app.llm.port import Model, ModelRequest, Reply
from app.llm.prompting import fill
from app.reasoners.model.bounds import LONGEST_TEXT, MOST_ACTIONS, cut
from app.reasoners.model.writer import Writer

Read = TypeVar("Read")


async def ask(
    model: Model, request: ModelRequest[Reply], read: Callable[[Reply], Read], write: Writer
) -> Read:
    """What `read` makes of the reply; where it raises `InvalidAction`, the model is told why, once.

    Raises `ModelFailed`; `ModelReplyInvalid` when the second reply is no better.
    """
    reply = await model.ask(request)
    try:
        return read(reply)
    except InvalidAction as error:
        reason = write.fenced("Reason", cut(error.detail, 2 * LONGEST_TEXT))
    again = fill("again.v1", reason=reason)
    reply = await model.ask(replace(request, prompt=f"{request.prompt}\n{again}"))
    try:
        return read(reply)
    except InvalidAction as error:
        # The reason repeats what the model wrote, values too: it is for the model, not for a log.
        raise ModelReplyInvalid("twice it gave actions that this page cannot take") from error


def page_rules() -> str:
    """What every call that acts is told of pages, actions and values."""
    calls = " ".join(
        f"{name}({', '.join(key for key, _ in wanted)})" for name, wanted in PARAMETERS.items()
    )
    return fill("page.v2", fence=NAME, actions=calls, most_actions=str(MOST_ACTIONS))


def pictures(page: Observation) -> tuple[bytes, ...]:
    """The page's picture, where one was asked for."""
    return (page.screenshot,) if page.screenshot else ()
