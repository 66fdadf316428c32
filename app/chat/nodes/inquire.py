"""Node `inquire`."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.chat.context import ChatContext
from app.chat.documents import named
from app.chat.inquiring import inquire as inquired
from app.chat.inquiring import retrieved
from app.chat.knowing import asked_of, listing_of
from app.chat.nodes.acting import acted
from app.chat.state import ChatState, Patch
from app.chat.weak import question_of
from app.chat.web import sought
from app.domain.chat import Resolution
from app.domain.question import Question

TAG, WEB = "tag_docs", "web_search"
WHICH = "Which documents shall I search? Tag them with @ or say their titles."


async def inquire(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents, sets; writes answer and what it was found in. Where the documents say little
    it asks how to go on.
    """
    tools = runtime.context.tools
    heard: Patch = {}
    if state["reply"] is not None:
        heard = await _heard(state, runtime)
        state = {**state, **heard}
        if state["question"] is not None:
            return heard
    asked = asked_of(state)
    if state["retrieved_chunks"] is None:
        found = await retrieved(asked, tools)
        looked: Patch = {
            "retrieved_chunks": list(found.passages),
            "retrieval_confidence": found.confidence,
            "confidence_score": found.score,
        }
        heard |= looked
        state = {**state, **looked}
        asked = asked_of(state)
        searched = state["enable_web_search"] and tools.search is not None
        if found.weak and not (found.nothing_to_search or state["weak_accepted"] or searched):
            return heard | Patch(question=question_of(asked, tools))
    web = await sought(
        "inquire",
        asked,
        tools,
        wanted=state["enable_web_search"],
        explicit=state["web_tagged"] or state["weak_accepted"],
    )
    reply = await inquired(replace(asked, web=web.found), tools)
    return heard | await acted(state, runtime, asked, reply, web)


async def _heard(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """What the person said to a weak find: other documents, the web, or to go on with it."""
    reply = state["reply"]
    assert reply is not None
    patch: Patch = {"reply": None, "weak_accepted": True, "question": None}
    if reply.return_to == "inquire/tagged":
        listing = await listing_of(state, runtime.context.tools)
        found = named(Resolution(), reply.text, state["reply_mentions"], listing)
        again: Patch = {"documents": list(found.resolved), "retrieved_chunks": None}
        return patch | (again if found.resolved else Patch())
    if TAG in reply.selected:
        asks = Question(text=WHICH, source="retrieval", return_to="inquire/tagged")
        return patch | Patch(question=asks)
    if WEB in reply.selected:
        return patch | Patch(enable_web_search=True)
    return patch
