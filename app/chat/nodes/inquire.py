"""The node that answers a question, from the documents or the web."""

from langgraph.runtime import Runtime

from app.chat.actions.inquiry import inquire_documents
from app.chat.claims.body import confidence_of
from app.chat.request.resolver import resolve_named
from app.chat.state import (
    ChatContext,
    ChatState,
    Patch,
    action_request,
    answer_patch,
    load_listing,
)
from app.chat.web import append_web_results, search_web
from app.domain.chat import Resolution
from app.domain.hitl import Option, Question

TAG, WEB = "tag_docs", "web_search"
WHICH_DOCUMENTS = Question(
    text="Which documents should be searched? Tag them with @ or enter their titles.",
    source="retrieval",
    return_to="inquire/tagged",
)
NOT_ANSWERED = Question(
    text="The documents do not answer this. How should I continue?",
    source="retrieval",
    return_to="inquire/weak",
    options=(
        Option(id=TAG, label="Choose documents"),
        Option(id=WEB, label="Search the web"),
        Option(id="continue", label="Continue anyway"),
    ),
)


async def inquire(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Answer the question. If the documents do not answer it, search the web if that is allowed, or ask
    how to continue.
    """
    tools = runtime.context.tools
    patch: Patch = {}
    if state["reply"] is not None:
        patch = await _apply_answer(state, runtime)
        state = {**state, **patch}
        if state["question"] is not None or state["answer"] is not None:
            return patch
    request = action_request(state)
    requested = state["web_tagged"] or any(WEB in one.selected for one in state["results"])
    web = await search_web(request, tools, enabled=requested)
    reply = await inquire_documents(request, tools, web.found)
    if not reply.score and not web.query and state["enable_web_search"]:
        web = await search_web(request, tools, enabled=True)
        reply = await inquire_documents(request, tools, web.found) if web.found else reply
    patch |= answer_patch(state, append_web_results(reply, web), web.query)
    patch["retrieval_confidence"] = confidence_of(reply.score)
    # Unsupported claims are shown, so there is something to read before any question.
    is_empty = not reply.score and not reply.unsupported
    can_search = tools.search is not None and tools.search.available is None
    was_asked = any((one.return_to or "").startswith("inquire/") for one in state["results"])
    if is_empty and not web.query and can_search and not was_asked:
        patch["question"] = NOT_ANSWERED
    return patch


async def _apply_answer(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Continue with other documents, with the web, or with the current answer."""
    reply = state["reply"]
    assert reply is not None
    patch: Patch = {"reply": None, "question": None}
    if reply.return_to == "inquire/tagged":
        listing = await load_listing(state, runtime.context.tools)
        named = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
        if documents := named.resolved or named.candidates:
            patch |= Patch(documents=list(documents), answer=None)
    elif TAG in reply.selected:
        patch["question"] = WHICH_DOCUMENTS
    elif WEB in reply.selected:
        patch |= Patch(enable_web_search=True, answer=None)
    return patch
