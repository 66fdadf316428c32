"""Nodes `inquire`, `summarize`, `compare` and `audit`: one action each."""

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from app.chat.actions.audit import audit_documents
from app.chat.actions.comparison import compare_documents
from app.chat.actions.inquiry import inquire_documents
from app.chat.actions.summary import summarize_documents
from app.chat.claims.body import confidence_of
from app.chat.request.plain import resolve_named
from app.chat.state import ChatContext, ChatState, Patch, action_request, add_notices, load_listing
from app.chat.tools import ActionRequest, Tools
from app.chat.web import WebFindings, append_web_results, search_web
from app.domain.chat import ChatAction, Reply, Resolution
from app.domain.hitl import Option, Question

Action = Callable[[ActionRequest, Tools], Awaitable[Reply]]
WHOLE_DOCUMENTS: dict[ChatAction, Action] = {
    "summarize": summarize_documents,
    "compare": compare_documents,
    "audit": audit_documents,
}
TAG, WEB = "tag_docs", "web_search"
WHICH = "Which documents shall I search? Tag them with @ or say their titles."
NOT_SAID = Question(
    text="The documents do not answer this. How shall I go on?",
    kind="clarification",
    source="retrieval",
    return_to="inquire/weak",
    options=(
        Option(id=TAG, label="Choose documents"),
        Option(id=WEB, label="Search the web"),
        Option(id="continue", label="Continue anyway"),
    ),
)


async def run_action(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """An action on whole documents. Reads action, message, documents, source_text; writes answer."""
    tools, asked = runtime.context.tools, action_request(state)
    web = await search_web(asked, tools, wanted=state["enable_web_search"])
    assert state["action"] is not None
    return _action_update(state, await WHOLE_DOCUMENTS[state["action"]](asked, tools), web)


async def inquire(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents, sets; writes answer. If the documents do not answer, and the web may, it asks
    how to go on.
    """
    tools = runtime.context.tools
    given: Patch = {}
    if state["reply"] is not None:
        given = await _apply_answer(state, runtime)
        state = {**state, **given}
        if state["question"] is not None or state["answer"] is not None:
            return given
    asked = action_request(state)
    said_so = state["web_tagged"] or any(WEB in one.selected for one in state["results"])
    web = await search_web(asked, tools, wanted=said_so)
    reply = await inquire_documents(asked, tools, web.found)
    if not reply.score and not web.query and state["enable_web_search"]:
        web = await search_web(asked, tools, wanted=True)
        reply = await inquire_documents(asked, tools, web.found) if web.found else reply
    patch = given | _action_update(state, reply, web)
    patch |= Patch(retrieval_confidence=confidence_of(reply.score), confidence_score=reply.score)
    # What nothing supports is shown before anything is asked.
    silent = not reply.score and not reply.unsupported
    searchable = tools.search is not None and tools.search.available is None
    was_asked = any((one.return_to or "").startswith("inquire/") for one in state["results"])
    if silent and not web.query and searchable and not was_asked:
        patch["question"] = NOT_SAID
    return patch


def _action_update(state: ChatState, reply: Reply, web: WebFindings) -> Patch:
    whole = append_web_results(reply, web)
    return {
        "answer": whole,
        "web_search_query": web.query or None,
        "notices": add_notices(state, *whole.notices),
    }


async def _apply_answer(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Other documents, the web, or to go on with what there is."""
    reply = state["reply"]
    assert reply is not None
    patch: Patch = {"reply": None, "question": None}
    if reply.return_to == "inquire/tagged":
        listing = await load_listing(state, runtime.context.tools)
        found = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
        documents = list(found.resolved or found.candidates)
        return patch | (Patch(documents=documents, answer=None) if documents else Patch())
    if TAG in reply.selected:
        asks = Question(text=WHICH, source="retrieval", return_to="inquire/tagged")
        return patch | Patch(question=asks)
    if WEB in reply.selected:
        return patch | Patch(enable_web_search=True, answer=None)
    return patch
