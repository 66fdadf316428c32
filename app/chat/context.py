"""What one request brings to the graph and nodes never change."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.chat.tools import Tools
from app.domain.task import Principal
from app.hitl.inbox import Asking
from app.usage.meter import Meter

Begun = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatContext:
    """Handed to nodes as `runtime.context`. `task_id` is the thread in the graph; `asking` is where questions
    are written down before anyone is asked; `meter` counts what this request spends.
    """

    tools: Tools
    who: Principal
    request_id: str
    task_id: str
    asking: Asking
    meter: Meter
