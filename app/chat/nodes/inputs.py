"""Nodes `intent_resolver`, `doc_resolver` and `validate_inputs`: what is asked, and of which documents."""

from langgraph.runtime import Runtime

from app.chat.calls import chat_action
from app.chat.claims.body import empty_reply
from app.chat.documents.titles import Listing, document_ref
from app.chat.request import (
    question_of_action,
    question_of_documents,
    resolve_chosen,
    resolve_named,
    understand_request,
)
from app.chat.request.questions import (
    CheckedInputs,
    check_inputs,
    question_for_lack,
    unknown_documents,
)
from app.chat.state import ChatContext, ChatState, Patch, add_notices, load_listing
from app.domain.chat import ChatAction, DocumentRef, Resolution
from app.domain.hitl import HitlResult, Question

MOST_ASKED = 3  # questions of one turn in all: what is lacking after them is told


async def validate_inputs(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads action, documents, plain, mentions; writes documents with those of the sets, source_text,
    enable_web_search and notices. Asks for what the action lacks.
    """
    listing = await load_listing(state, runtime.context.tools)
    valid = _check(state, listing, state["documents"], state["source_text"])
    if state["reply"] is not None:
        valid = _with_answer(state, listing, valid)
    patch: Patch = {
        "documents": list(valid.documents),
        "source_text": valid.source,
        "enable_web_search": valid.web,
        "notices": add_notices(state, *valid.notices),
        "reply": None,
    }
    if valid.lack is None:
        return patch
    question = question_for_lack(valid.lack, state["action"] or "inquire")
    if state["asked"] >= MOST_ASKED:
        return patch | Patch(answer=empty_reply(question.text))
    where = {"source": "validation", "return_to": "validate_inputs/given"}
    return patch | Patch(question=question.model_copy(update=where))


def _check(
    state: ChatState, listing: Listing, documents: list[DocumentRef], source: str
) -> CheckedInputs:
    sets = set(state["explicit_set_ids"]) if state["action"] != "inquire" else set()
    in_sets = [document_ref(one) for one in listing.titles if one.set_name in sets]
    return check_inputs(
        state["action"] or "inquire",
        state["plain"],
        documents,
        in_sets,
        web=state["enable_web_search"],
        source=source,
    )


def _with_answer(state: ChatState, listing: Listing, valid: CheckedInputs) -> CheckedInputs:
    reply = state["reply"]
    assert reply is not None
    if valid.lack == "source_text":
        return _check(state, listing, list(valid.documents), reply.text)
    found = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
    known = list(dict.fromkeys((*valid.documents, *found.resolved)))
    return _check(state, listing, known, valid.source)


MOST_ASKED_WHICH = 2  # questions of one turn about which document is meant


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
    elif reply is not None:
        resolution = _apply_answer(state, reply, resolution, listing)
    patch |= Patch(resolution=resolution, documents=list(resolution.resolved))
    question = question_of_documents(resolution, action, listing)
    if question is not None and state["asked"] < MOST_ASKED_WHICH:
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


async def intent_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages; writes intent, action, enable_web_search and resolution. Asks what
    is meant if that is open; an answer needs no second model call.
    """
    if state["reply"] is not None:
        return {"action": _chosen(state), "reply": None}
    tools = runtime.context.tools
    found = await understand_request(
        state["plain"],
        state["mentions"],
        state["messages"],
        await load_listing(state, tools),
        tools,
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


def _chosen(state: ChatState) -> ChatAction:
    """The action that was picked; a question is the default for whoever wants none of them."""
    reply = state["reply"]
    return chat_action(reply.selected[0] if reply and reply.selected else None) or "inquire"
