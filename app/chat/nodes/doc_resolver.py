"""Node `doc_resolver`."""

from langgraph.runtime import Runtime

from app.chat.context import ChatContext, listing_of
from app.chat.documents import Listing
from app.chat.request import chosen, named, question_of_documents, understood
from app.chat.request.questions import unknown
from app.chat.state import ChatState, Patch, noted
from app.domain.chat import Resolution
from app.domain.hitl import HitlResult, Question

MOST_ASKED = 2  # questions of one turn about which document is meant


async def doc_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages, action, resolution; writes resolution, documents, and the intent of
    an action that was chosen. Several that may be meant are asked about; an answer is taken without asking a
    model again.
    """
    tools = runtime.context.tools
    listing = await listing_of(state, tools)
    reply, action = state["reply"], state["action"] or "inquire"
    patch: Patch = {"reply": None}
    resolution = state["resolution"]
    if resolution is None:
        found = await understood(
            state["plain"], state["mentions"], state["messages"], listing, tools, action
        )
        resolution = found.documents
        patch |= Patch(intent=found.intent, notices=noted(state, found.intent.notice))
    elif reply is not None:
        resolution = _answered(state, reply, resolution, listing)
    patch |= Patch(resolution=resolution, documents=list(resolution.resolved))
    question = question_of_documents(resolution, action, listing)
    if question is not None and state["asked"] < MOST_ASKED:
        return patch | Patch(question=_put(question))
    if resolution.unresolved:
        patch["notices"] = noted({**state, **patch}, unknown(resolution.unresolved))
    return patch


def _answered(
    state: ChatState, reply: HitlResult, known: Resolution, listing: Listing
) -> Resolution:
    if reply.decision == "refused":  # none of them: it is to be named, or all are searched
        return known.model_copy(update={"candidates": (), "confidence": "low"})
    if reply.return_to == "doc_resolver/chosen":
        return chosen(known, reply.selected)
    return named(known, reply.text, state["reply_mentions"], listing)


def _put(question: Question) -> Question:
    mode = "chosen" if question.options else "named"
    where = {"source": "documents", "return_to": f"doc_resolver/{mode}"}
    return question.model_copy(update=where | {"multiple": bool(question.options)})
