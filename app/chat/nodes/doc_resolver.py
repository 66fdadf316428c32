"""Node `doc_resolver`."""

from langgraph.runtime import Runtime

from app.chat.context import ChatContext
from app.chat.documents import Listing, chosen, documents_of, named, question_of
from app.chat.knowing import listing_of
from app.chat.state import ChatState, Patch, noted
from app.domain.chat import Resolution
from app.domain.hitl import HitlResult
from app.domain.question import Question

MOST_ASKED = 2  # questions of one turn about which document is meant


async def doc_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages, action, conversation_docs; writes resolution and documents. Several
    that may be meant, or none that is, are asked about; an answer is taken without asking a model again.
    """
    tools = runtime.context.tools
    listing = await listing_of(state, tools)
    reply, action = state["reply"], state["action"] or "inquire"
    known = state["resolution"]
    if reply is not None and known is not None:
        resolution = _answered(state, reply, known, listing)
    else:
        resolution = known or await documents_of(
            state["plain"],
            state["mentions"],
            state["messages"],
            action,
            listing,
            tools,
        )
    patch: Patch = {
        "resolution": resolution,
        "documents": list(resolution.resolved),
        "reply": None,
        "notices": noted(state, resolution.notice),
    }
    question = question_of(resolution, action, listing) if state["asked"] < MOST_ASKED else None
    if question is not None:
        patch["question"] = _put(question)
    return patch


def _answered(
    state: ChatState, reply: HitlResult, known: Resolution, listing: Listing
) -> Resolution:
    if reply.decision == "refused":  # none of them: it is to be named
        return known.model_copy(update={"candidates": (), "confidence": "low"})
    if reply.return_to == "doc_resolver/chosen":
        return chosen(known, reply.selected)
    return named(known, reply.text, state["reply_mentions"], listing)


def _put(question: Question) -> Question:
    mode = "chosen" if question.options else "named"
    where = {"source": "documents", "return_to": f"doc_resolver/{mode}"}
    return question.model_copy(update=where | {"multiple": bool(question.options)})
