"""What one request brings to the graph and nodes never change."""

from dataclasses import dataclass

from app.chat.documents import Listing
from app.chat.state import ChatState, Patch
from app.chat.tools import ActionRequest, Tools
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
    question_inbox: Asking
    meter: Meter

    def usage_update(self, state: ChatState) -> Patch:
        """What the turn took, with this request until now; asked once a request, by the node that ends it."""
        spent = self.meter.spent
        return {
            "tokens_used": state["tokens_used"] + spent.input_tokens + spent.output_tokens,
            "cost_usd": state["cost_usd"] + spent.cost_usd,
            "cost_known": state["cost_known"] and spent.cost_known,
        }


async def load_listing(state: ChatState, tools: Tools) -> Listing:
    """The documents that can be meant, those of this conversation told apart."""
    titles = await tools.documents.titles(tools.tenant)
    last = next((one.documents for one in reversed(state["messages"]) if one.documents), ())
    return Listing(titles=titles, registry=state["conversation_docs"], last=last)


def action_request(state: ChatState) -> ActionRequest:
    """What the action is to do. An inquiry searches whole sets; the other actions take their documents."""
    inquires = state["action"] == "inquire"
    return ActionRequest(
        message=state["message"],
        plain=state["plain"],
        documents=tuple(state["documents"]),
        tagged=bool(state["explicit_doc_ids"]),
        sets=tuple(state["explicit_set_ids"]) if inquires else (),
        earlier=tuple(state["messages"]),
        source=state["source_text"],
        standing=state["intent"].question if state["intent"] is not None else "",
    )
