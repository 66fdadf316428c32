"""The node that finds out which documents the person means."""

from langgraph.runtime import Runtime

from app.chat.request.questions import document_question, unknown_documents
from app.chat.request.resolver import resolve_chosen, resolve_named, understand_request
from app.chat.state import ChatContext, ChatState, Patch, add_notices, load_listing

MAX_DOCUMENT_QUESTIONS = 2  # per turn, about which document is meant


async def doc_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Resolve the documents, and ask if they are ambiguous. The answer needs no second model call."""
    tools = runtime.context.tools
    listing = await load_listing(state, tools)
    reply, action = state["reply"], state["action"] or "inquire"
    patch: Patch = {"reply": None}
    resolution = state["resolution"]
    if resolution is None:
        intent, resolution = await understand_request(
            state["plain"], state["mentions"], state["messages"], listing, tools, action
        )
        patch |= Patch(intent=intent, notices=add_notices(state, intent.notice))
    elif reply is not None and reply.decision == "refused":
        # None of the candidates: ask for a name, or search all documents.
        resolution = resolution.model_copy(update={"candidates": (), "confidence": "low"})
    elif reply is not None and reply.return_to == "doc_resolver/chosen":
        resolution = resolve_chosen(resolution, reply.selected)
    elif reply is not None:
        resolution = resolve_named(resolution, reply.text, state["reply_mentions"], listing)
    patch |= Patch(resolution=resolution, documents=list(resolution.resolved))
    question = document_question(resolution, action, listing)
    if question is not None and state["asked"] < MAX_DOCUMENT_QUESTIONS:
        return patch | Patch(question=question)
    if resolution.unresolved:
        patch["notices"] = add_notices({**state, **patch}, unknown_documents(resolution.unresolved))
    return patch
