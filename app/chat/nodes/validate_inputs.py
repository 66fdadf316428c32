"""Node `validate_inputs`."""

from langgraph.runtime import Runtime

from app.chat.claims.body import empty_reply
from app.chat.context import ChatContext, load_listing
from app.chat.documents.library import Listing, document_ref
from app.chat.request import resolve_named
from app.chat.request.requirements import CheckedInputs, check_inputs, question_for_lack
from app.chat.state import ChatState, Patch, add_notices
from app.domain.chat import DocumentRef, Resolution

MOST_ASKED = 3  # questions of one turn in all: what is lacking after them is told


async def validate_inputs(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads action, documents, plain, mentions; writes documents with those of the sets, source_text,
    enable_web_search and notices. What the action lacks is asked for.
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
    """With what the person gave for what was lacking."""
    reply = state["reply"]
    assert reply is not None
    if valid.lack == "source_text":
        return _check(state, listing, list(valid.documents), reply.text)
    found = resolve_named(Resolution(), reply.text, state["reply_mentions"], listing)
    known = list(dict.fromkeys((*valid.documents, *found.resolved)))
    return _check(state, listing, known, valid.source)
