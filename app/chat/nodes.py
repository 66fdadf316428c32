"""The nodes of the chat: each reads the state, asks one room, and returns a patch."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.chat.actions.audit import audit_documents
from app.chat.actions.comparison import compare_documents
from app.chat.actions.inquiry import inquire_documents
from app.chat.actions.summary import summarize_documents
from app.chat.calls import chat_action
from app.chat.claims.body import confidence_of, empty_reply
from app.chat.documents.titles import document_ref
from app.chat.output.lines import memory_id, question_line
from app.chat.request.questions import (
    CheckedInputs,
    check_inputs,
    question_for_lack,
    question_of_action,
    question_of_documents,
    unknown_documents,
)
from app.chat.request.resolver import resolve_chosen, resolve_named, understand_request
from app.chat.state import (
    LONGEST_REMEMBERED,
    MOST_REGISTERED,
    MOST_REMEMBERED,
    ChatContext,
    ChatState,
    Patch,
    action_request,
    add_notices,
    load_listing,
    turn_documents,
)
from app.chat.tools import ActionRequest, Tools
from app.chat.web import WebFindings, append_web_results, search_web
from app.domain.chat import ChatAction, ChatRole, ChatTurn, DocumentRef, Reply, Resolution
from app.domain.hitl import Option, Question
from app.hitl import create_question, pending_row

MOST_ASKED_WHICH = 2  # questions of one turn about which document is meant
MOST_ASKED = 3  # questions of one turn in all: what is lacking after them is told


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
    patch["retrieval_confidence"] = confidence_of(reply.score)
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


# Nothing waits on the answer and no page changes beneath it: a day, and not a task's five minutes.
ANSWER_WITHIN = timedelta(hours=24)


async def save_question(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads question; writes it into the conversation and the inbox before `person` waits for the answer. A
    repeat after a crash changes nothing: the question's id follows from the request's.
    """
    context, asked = runtime.context, state["question"]
    assert asked is not None
    question = create_question(asked, context.request_id, within=ANSWER_WITHIN)
    row = pending_row(
        question,
        tenant=state["tenant"],
        user=state["user_id"],
        task_id=context.task_id,
        thread_id=state["thread_id"],
        trace_id=state["trace_id"],
        goal=state["message"][:500],
        url="",
    )
    stands = await context.inbox.put(row, question_line(question, state), context.lease)
    return {"question": stands.question, "asked": state["asked"] + 1} | context.usage_update(state)


def await_reply(state: ChatState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply, mentions}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "await_answer", "hitlId": question.hitl_id})
    reply = said["reply"]
    return {
        "request_id": said["request_id"],
        "reply": reply,
        "reply_mentions": said["mentions"],
        "results": [*state["results"], reply],
        "question": None,
        "cancelled": reply.decision in ("cancelled", "expired"),
    }


def format_response(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads answer, documents; writes messages and conversation_docs, unless the turn was cancelled."""
    ended = runtime.context.usage_update(state) | Patch(reply=None, reply_mentions=[])
    answer = state["answer"]
    if state["cancelled"] or answer is None:
        return ended
    about = turn_documents(state)
    texts: dict[ChatRole, str] = {"user": state["message"], "assistant": answer.text}
    said = [
        ChatTurn(
            message_id=memory_id(state["turn_id"], role),
            role=role,
            text=text[:LONGEST_REMEMBERED],
            documents=about,
        )
        for role, text in texts.items()
    ]
    new = {one.title: one.id for one in about}
    old = {title: id_ for title, id_ in state["conversation_docs"].items() if title not in new}
    return ended | Patch(
        messages=[*state["messages"], *said][-MOST_REMEMBERED:],
        conversation_docs=dict([*old.items(), *new.items()][-MOST_REGISTERED:]),  # the oldest go
    )
