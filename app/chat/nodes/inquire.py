"""Node `inquire`."""

from langgraph.runtime import Runtime

from app.chat.claims.body import confidence_of
from app.chat.context import ChatContext, action_request, load_listing
from app.chat.inquiry import inquire as inquired
from app.chat.nodes.actions import action_update
from app.chat.request import resolve_named
from app.chat.state import ChatState, Patch
from app.chat.tools import Tools
from app.chat.web import search_web
from app.domain.chat import Resolution
from app.domain.hitl import Option, Question

TAG, WEB = "tag_docs", "web_search"
WHICH = "Which documents shall I search? Tag them with @ or say their titles."
NOT_SAID = "The documents do not answer this. How shall I go on?"


async def inquire(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents, sets; writes answer. Where the documents do not answer, and the web may, it
    asks how to go on; whoever does so as it is gets the answer that says so.
    """
    tools = runtime.context.tools
    heard: Patch = {}
    if state["reply"] is not None:
        heard = await _apply_answer(state, runtime)
        state = {**state, **heard}
        if state["question"] is not None or state["answer"] is not None:
            return heard
    asked = action_request(state)
    said_so = state["web_tagged"] or any(WEB in one.selected for one in state["results"])
    web = await search_web(asked, tools, wanted=said_so)
    reply = await inquired(asked, tools, web.found)
    if not reply.score and not web.query and state["enable_web_search"]:
        web = await search_web(asked, tools, wanted=True)
        reply = await inquired(asked, tools, web.found) if web.found else reply
    patch = heard | action_update(state, reply, web)
    patch |= Patch(retrieval_confidence=confidence_of(reply.score), confidence_score=reply.score)
    # What nothing supports is shown before anything is asked.
    silent = not reply.score and not reply.unsupported
    if silent and not web.query and _searchable(tools) and not _was_asked(state):
        patch["question"] = weak_answer_question()
    return patch


def weak_answer_question() -> Question:
    """Other documents, the web, or what there is."""
    return Question(
        text=NOT_SAID,
        kind="clarification",
        source="retrieval",
        return_to="inquire/weak",
        options=(
            Option(id=TAG, label="Choose documents"),
            Option(id=WEB, label="Search the web"),
            Option(id="continue", label="Continue anyway"),
        ),
    )


def _searchable(tools: Tools) -> bool:
    return tools.search is not None and tools.search.available is None


def _was_asked(state: ChatState) -> bool:
    """Whether the person was asked already how to go on."""
    return any((one.return_to or "").startswith("inquire/") for one in state["results"])


async def _apply_answer(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """What the person said: other documents, the web, or to go on with what there is."""
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
