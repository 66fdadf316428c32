"""Nodes `intent_resolver`, `doc_resolver` and `validate_inputs`: what is asked, and of which documents."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from app.chat.calls import chat_action
from app.chat.claims.body import empty_reply
from app.chat.documents.titles import document_ref
from app.chat.request.plain import resolve_chosen, resolve_named
from app.chat.request.questions import (
    CheckedInputs,
    check_inputs,
    question_for_lack,
    question_of_action,
    question_of_documents,
    unknown_documents,
)
from app.chat.request.resolver import understand_request
from app.chat.state import ChatContext, ChatState, Patch, add_notices, load_listing
from app.domain.chat import DocumentRef, Resolution

MOST_ASKED_WHICH = 2  # questions of one turn about which document is meant
MOST_ASKED = 3  # questions of one turn in all: what is lacking after them is told


async def validate_inputs(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads action, documents, plain, mentions; writes documents with those of the sets, source_text,
    enable_web_search and notices. Asks for what the action lacks.
    """
    listing = await load_listing(state, runtime.context.tools)
    action, reply = state["action"] or "inquire", state["reply"]
    sets = set(state["explicit_set_ids"]) if action != "inquire" else set()
    in_sets = [document_ref(one) for one in listing.titles if one.set_name in sets]

    def check(documents: Sequence[DocumentRef], source: str) -> CheckedInputs:
        web = state["enable_web_search"]
        return check_inputs(action, state["plain"], documents, in_sets, web=web, source=source)

    valid = check(state["documents"], state["source_text"])
    if reply is not None and valid.lack == "source_text":
        valid = check(valid.documents, reply.text)
    elif reply is not None:
        found = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
        known = dict.fromkeys((*valid.documents, *found.resolved))
        valid = check(list(known), valid.source)
    patch: Patch = {
        "documents": list(valid.documents),
        "source_text": valid.source,
        "enable_web_search": valid.web,
        "notices": add_notices(state, *valid.notices),
        "reply": None,
    }
    if valid.lack is None:
        return patch
    question = question_for_lack(valid.lack, action)
    if state["asked"] >= MOST_ASKED:
        return patch | Patch(answer=empty_reply(question.text))
    where = {"source": "validation", "return_to": "validate_inputs/given"}
    return patch | Patch(question=question.model_copy(update=where))


async def doc_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages, action, resolution; writes resolution, documents, and the intent of
    an action that was chosen. Asks which of several is meant; an answer needs no second model call.
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
    elif reply is not None and reply.decision == "refused":
        # None of them: it is to be named, or all are searched.
        resolution = resolution.model_copy(update={"candidates": (), "confidence": "low"})
    elif reply is not None and reply.return_to == "doc_resolver/chosen":
        resolution = resolve_chosen(resolution, reply.selected)
    elif reply is not None:
        mentions = state["reply_mentions"]
        resolution = resolve_named(resolution, reply.text, mentions, listing)
    patch |= Patch(resolution=resolution, documents=list(resolution.resolved))
    question = question_of_documents(resolution, action, listing)
    if question is not None and state["asked"] < MOST_ASKED_WHICH:
        choice = bool(question.options)
        where = {"source": "documents", "multiple": choice}
        where["return_to"] = f"doc_resolver/{'chosen' if choice else 'named'}"
        return patch | Patch(question=question.model_copy(update=where))
    if resolution.unresolved:
        patch["notices"] = add_notices({**state, **patch}, unknown_documents(resolution.unresolved))
    return patch


async def intent_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages; writes intent, action, enable_web_search and resolution. Asks what
    is meant if that is open; an answer needs no second model call.
    """
    if (reply := state["reply"]) is not None:  # a question is the default for whoever wants none
        return {"action": chat_action(*reply.selected[:1]) or "inquire", "reply": None}
    tools = runtime.context.tools
    listing = await load_listing(state, tools)
    found = await understand_request(
        state["plain"], state["mentions"], state["messages"], listing, tools
    )
    patch: Patch = {
        "intent": found.intent,
        "action": found.intent.action,
        "enable_web_search": state["enable_web_search"] or found.intent.web,
        "resolution": found.documents,
        "notices": add_notices(state, found.intent.notice),
    }
    question = question_of_action(found.intent)
    if question is not None:
        where = {"source": "intent", "return_to": "intent_resolver/chosen"}
        patch["question"] = question.model_copy(update=where)
    return patch
