"""The state of a conversation, which the checkpointer saves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from app.chat.calls import ChatCall, Message
from app.chat.documents.titles import Listing
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import ChatAction, ChatTurn, DocumentRef, Intent, Mention, Reply, Resolution
from app.domain.hitl import HitlResult, Question
from app.domain.knowledge import Confidence
from app.hitl import Inbox
from app.store.tasks.leases import Lease
from app.usage import Meter

MAX_TURNS = 12  # remembered turns of a thread
MAX_DOCUMENTS = 100  # remembered documents of a thread
MAX_TURN_LENGTH = 2_000  # characters of a remembered turn; prompts quote less


class ThreadKeys(TypedDict, total=False):
    """What lasts between turns; written by `format_response`.

    `conversation_docs` maps the title of each document that the conversation was about to its id, the
    latest last.
    """

    messages: list[ChatTurn]
    conversation_docs: dict[str, str]


class TurnKeys(TypedDict, total=False):
    """The request; written when a turn begins.

    `request_id` is the request whose run wrote this state; `person` replaces it by that of the answer.
    `turn_id` is the request that brought the message. `message` has mentions written as their labels,
    `plain` omits them. `web_tagged`: the person asked for the web.
    """

    request_id: str
    turn_id: str
    trace_id: str
    tenant: str
    user_id: str
    thread_id: str
    message: str
    plain: str
    mentions: list[Mention]
    explicit_doc_ids: list[str]
    explicit_set_ids: list[str]
    explicit_action: bool
    web_tagged: bool


class UnderstandingKeys(TypedDict, total=False):
    """What the message asks for; written by `intent_resolver`, `doc_resolver` and `validate_inputs`, and by
    `inquire` after an answer.

    `documents` includes those of the tagged sets. `source_text` is the text to audit. `notices`, to which
    the actions add theirs, are sentences for the person.
    """

    intent: Intent | None
    action: ChatAction | None
    enable_web_search: bool
    resolution: Resolution | None
    documents: list[DocumentRef]
    source_text: str
    notices: list[str]


class AnswerKeys(TypedDict, total=False):
    """The answer; written by the node of the action, or by `validate_inputs` if an input is missing.
    `retrieval_confidence` is set by `inquire` alone. The usage is that of the whole turn; written by
    `put_question` and `format_response`, which end a request.
    """

    answer: Reply | None
    web_search_query: str | None
    retrieval_confidence: Confidence | None
    tokens_used: int
    cost_usd: float
    cost_known: bool


class QuestionKeys(TypedDict, total=False):
    """Questions to the person. `question` is left by the node that asks, and stored and counted (`asked`)
    by `put_question`. `person` writes the rest: `reply`, with its mentions, is removed by the node that
    asked; `results` holds all answers of the turn.
    """

    question: Question | None
    reply: HitlResult | None
    reply_mentions: list[Mention]
    results: list[HitlResult]
    asked: int
    cancelled: bool


class Patch(ThreadKeys, TurnKeys, UnderstandingKeys, AnswerKeys, QuestionKeys, total=False):
    """What a node returns: only the keys it changed."""


class ChatState(Patch):
    """Everything a node may read. All keys are set from the beginning of a turn."""


def new_turn(call: ChatCall, message: Message) -> Patch:
    """The input of a turn: every key but those of the thread."""
    return {
        "request_id": call.request_id,
        "turn_id": call.request_id,
        "trace_id": call.trace_id,
        "tenant": call.principal.tenant,
        "user_id": call.principal.user,
        "thread_id": call.thread_id,
        "message": message.text,
        "plain": message.plain,
        "mentions": list(message.mentions),
        "explicit_doc_ids": [one.id for one in message.mentions if one.kind == "document"],
        "explicit_set_ids": [one.id for one in message.mentions if one.kind == "set"],
        "explicit_action": message.action is not None,
        "web_tagged": message.web,
        "intent": None,
        "action": message.action,
        "enable_web_search": message.web,
        "resolution": None,
        "documents": [],
        "source_text": "",
        "notices": [],
        "answer": None,
        "web_search_query": None,
        "retrieval_confidence": None,
        "tokens_used": 0,
        "cost_usd": 0.0,
        "cost_known": True,
        "question": None,
        "reply": None,
        "reply_mentions": [],
        "results": [],
        "asked": 0,
        "cancelled": False,
    }


def new_thread(documents: Sequence[DocumentRef], messages: Sequence[ChatTurn]) -> Patch:
    """The memory of a new thread, or of one that was deleted while its conversation was kept."""
    return {
        "messages": list(messages)[-MAX_TURNS:],
        "conversation_docs": {document.title: document.id for document in documents},
    }


def turn_documents(state: ChatState) -> tuple[DocumentRef, ...]:
    """The documents that the person meant, or else those that the answer cites."""
    if state["documents"]:
        return tuple(state["documents"])
    citations = state["answer"].citations if state["answer"] is not None else ()
    titles = {one.document_id: one.title for one in citations if one.document_id}
    return tuple(DocumentRef(id=id_, title=title) for id_, title in titles.items())


def add_notices(state: ChatState, *notices: str) -> list[str]:
    return list(dict.fromkeys((*state["notices"], *filter(None, notices))))


def answer_patch(state: ChatState, answer: Reply, web_query: str) -> Patch:
    return {
        "answer": answer,
        "web_search_query": web_query or None,
        "notices": add_notices(state, *answer.notices),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatContext:
    """Passed to nodes as `runtime.context`. `task_id` is the thread of the graph; questions are stored in
    `inbox` under the `lease` of the turn; `meter` counts the usage of this request.
    """

    tools: Tools
    request_id: str
    task_id: str
    inbox: Inbox
    lease: Lease
    meter: Meter

    def usage_patch(self, state: ChatState) -> Patch:
        """The usage of the turn so far. Call it once per request, in the node that ends it."""
        spent = self.meter.spent
        return {
            "tokens_used": state["tokens_used"] + spent.input_tokens + spent.output_tokens,
            "cost_usd": state["cost_usd"] + spent.cost_usd,
            "cost_known": state["cost_known"] and spent.cost_known,
        }


async def load_listing(state: ChatState, tools: Tools) -> Listing:
    titles = await tools.documents.titles(tools.tenant)
    last = next((turn.documents for turn in reversed(state["messages"]) if turn.documents), ())
    return Listing(titles=titles, registry=state["conversation_docs"], last=last)


def action_request(state: ChatState) -> ActionRequest:
    """The request to the action. An inquiry searches whole sets; other actions read their documents."""
    return ActionRequest(
        message=state["message"],
        plain=state["plain"],
        documents=tuple(state["documents"]),
        tagged=bool(state["explicit_doc_ids"]),
        sets=tuple(state["explicit_set_ids"]) if state["action"] == "inquire" else (),
        earlier=tuple(state["messages"]),
        source=state["source_text"],
        standalone=state["intent"].question if state["intent"] is not None else "",
    )
