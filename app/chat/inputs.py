"""What a node reads of the state for the rooms that decide."""

from app.chat.documents import Listing
from app.chat.state import ChatState
from app.chat.tools import Asked, Tools


async def listing_of(state: ChatState, tools: Tools) -> Listing:
    """The documents that can be meant, those of this conversation told apart."""
    titles = await tools.documents.titles(tools.tenant)
    last = next((one.documents for one in reversed(state["messages"]) if one.documents), ())
    return Listing(titles=titles, registry=state["conversation_docs"], last=last)


def asked_of(state: ChatState) -> Asked:
    """What the action is to do. An inquiry searches whole sets; the other actions take their documents."""
    inquires = state["action"] == "inquire"
    return Asked(
        message=state["message"],
        plain=state["plain"],
        documents=tuple(state["documents"]),
        tagged=bool(state["explicit_doc_ids"]),
        sets=tuple(state["explicit_set_ids"]) if inquires else (),
        earlier=tuple(state["messages"]),
        source=state["source_text"],
        standing=state["intent"].question if state["intent"] is not None else "",
    )
