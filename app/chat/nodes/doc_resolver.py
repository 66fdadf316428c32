"""Node `doc_resolver`."""

from langgraph.runtime import Runtime

from app.chat.context import ChatContext, load_listing
from app.chat.documents import Listing
from app.chat.request import (
    question_of_documents,
    resolve_chosen,
    resolve_named,
    understand_request,
)
from app.chat.request.questions import unknown_documents
from app.chat.state import ChatState, Patch, add_notices
from app.domain.chat import Resolution
from app.domain.hitl import HitlResult, Question

MOST_ASKED = 2  # questions of one turn about which document is meant


async def doc_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages, action, resolution; writes resolution, documents, and the intent of
    an action that was chosen. Several that may be meant are asked about; an answer is taken without asking a
    model again.
    """
    tools = runtime.context.tools
    listing = await load_listing(state, tools)
    reply, action = state["reply"], state["action"] or "inquire"
    patch: Patch = {"reply": None}
    resolution = state["resolution"]
    if resolution is None:
        found = await understand_request(
            state["plain"], state["mentions"], state["messages"], listing, tools, action
        )
        resolution = found.documents
        patch |= Patch(intent=found.intent, notices=add_notices(state, found.intent.notice))
    elif reply is not None:
        resolution = _apply_answer(state, reply, resolution, listing)
    patch |= Patch(resolution=resolution, documents=list(resolution.resolved))
    question = question_of_documents(resolution, action, listing)
    if question is not None and state["asked"] < MOST_ASKED:
        return patch | Patch(question=_document_question(question))
    if resolution.unresolved:
        patch["notices"] = add_notices({**state, **patch}, unknown_documents(resolution.unresolved))
    return patch


def _apply_answer(
    state: ChatState, reply: HitlResult, known: Resolution, listing: Listing
) -> Resolution:
    if reply.decision == "refused":  # none of them: it is to be named, or all are searched
        return known.model_copy(update={"candidates": (), "confidence": "low"})
    if reply.return_to == "doc_resolver/chosen":
        return resolve_chosen(known, reply.selected)
    return resolve_named(known, reply.text, state["reply_mentions"], listing)


def _document_question(question: Question) -> Question:
    mode = "chosen" if question.options else "named"
    where = {"source": "documents", "return_to": f"doc_resolver/{mode}"}
    return question.model_copy(update=where | {"multiple": bool(question.options)})
