"""What one request brings to the graph and nodes never change."""

from dataclasses import dataclass

from app.chat.state import ChatState, Patch
from app.chat.tools import Tools
from app.domain.access import Principal
from app.hitl.inbox import Asking
from app.usage.meter import Meter


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

    def spent(self, state: ChatState) -> Patch:
        """What the turn took, with this request until now; asked once a request, by the node that ends it."""
        spent = self.meter.spent
        return {
            "tokens_used": state["tokens_used"] + spent.input_tokens + spent.output_tokens,
            "cost_usd": state["cost_usd"] + spent.cost_usd,
            "cost_known": state["cost_known"] and spent.cost_known,
        }
