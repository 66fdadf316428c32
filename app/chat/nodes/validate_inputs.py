"""The node that checks whether an action has what it needs."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from app.chat.claims.body import empty_reply
from app.chat.documents.titles import document_ref
from app.chat.request.questions import CheckedInputs, check_inputs, missing_input_question
from app.chat.request.resolver import resolve_named
from app.chat.state import ChatContext, ChatState, Patch, add_notices, load_listing
from app.domain.chat import DocumentRef, Resolution

MAX_QUESTIONS = 3  # per turn; afterwards the reply says what is missing


async def validate_inputs(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Add the documents of the tagged sets, and ask for what the action still needs."""
    listing = await load_listing(state, runtime.context.tools)
    action, reply = state["action"] or "inquire", state["reply"]
    sets = set(state["explicit_set_ids"]) if action != "inquire" else set()
    in_sets = [document_ref(title) for title in listing.titles if title.set_name in sets]

    def check(documents: Sequence[DocumentRef], source: str) -> CheckedInputs:
        web = state["enable_web_search"]
        return check_inputs(action, state["plain"], documents, in_sets, web=web, source=source)

    inputs = check(state["documents"], state["source_text"])
    if reply is not None and inputs.missing == "source_text":
        inputs = check(inputs.documents, reply.text)
    elif reply is not None:
        named = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
        documents = dict.fromkeys((*inputs.documents, *named.resolved))
        inputs = check(list(documents), inputs.source)
    patch: Patch = {
        "documents": list(inputs.documents),
        "source_text": inputs.source,
        "enable_web_search": inputs.web,
        "notices": add_notices(state, *inputs.notices),
        "reply": None,
    }
    if inputs.missing is None:
        return patch
    question = missing_input_question(inputs.missing, action)
    if state["asked"] >= MAX_QUESTIONS:
        return patch | Patch(answer=empty_reply(question.text))
    return patch | Patch(question=question)
