"""What a conversation accumulates and the checkpointer saves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from app.chat.calls import ChatCall, Message
from app.chat.documents.titles import Listing
from app.chat.tools import ActionRequest, Tools
from app.domain.access import Principal
from app.domain.chat import ChatAction, ChatTurn, DocumentRef, Intent, Mention, Reply, Resolution
from app.domain.hitl import HitlResult, Question
from app.domain.knowledge import Confidence
from app.hitl import Inbox
from app.store.tasks.leases import Lease
from app.usage import Meter

MOST_REMEMBERED = 12  # lines of the conversation
MOST_REGISTERED = 100  # documents of its registry
LONGEST_REMEMBERED = 2_000  # characters of one line: what a model is told of it is less


class Patch(TypedDict, total=False):
    """What a node may change."""

    messages: list[ChatTurn]
    conversation_docs: dict[str, str]

    request_id: str
    action: ChatAction | None
    enable_web_search: bool
    intent: Intent | None
    resolution: Resolution | None
    documents: list[DocumentRef]
    source_text: str
    web_search_query: str | None
    retrieval_confidence: Confidence | None
    question: Question | None
    reply: HitlResult | None
    reply_mentions: list[Mention]
    results: list[HitlResult]
    asked: int
    notices: list[str]
    answer: Reply | None
    tokens_used: int
    cost_usd: float
    cost_known: bool
    cancelled: bool


class ChatState(Patch):
    """Everything a node may read; all of it is there from the beginning of a turn.

    What lasts, and no turn's input may hold: `messages`, the last lines of the conversation, and
    `conversation_docs`, title to id of every document it was about, the latest last.

    What a turn begins with: `request_id`, the request whose run wrote this state, which is another one
    after an answer; `turn_id`, the request that brought the message. `message` with mentions as their
    labels, `plain` without them; `web_tagged`: the person asked for the web.

    What it works out: `intent` and `action`, `resolution`, `documents` (with those of the sets),
    `source_text` to audit; `retrieval_confidence` is None before an inquiry. `question` waits for a person,
    `reply` is what they said, and tagged, until it is taken up; `results` keeps each of them, `asked` counts.
    `answer` is what the action came to. `tokens_used` and `cost_usd` are of the whole turn; `cancelled`:
    its question was.
    """

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


LASTING = frozenset({"messages", "conversation_docs"})


def turn_input(call: ChatCall, said: Message) -> dict[str, object]:
    """The input of a turn: every key but those of `LASTING`, which the thread keeps."""
    return {
        "request_id": call.request_id,
        "turn_id": call.request_id,
        "trace_id": call.trace_id,
        "tenant": call.principal.tenant,
        "user_id": call.principal.user,
        "thread_id": call.thread_id,
        "message": said.text,
        "plain": said.plain,
        "mentions": list(said.mentions),
        "explicit_doc_ids": [one.id for one in said.mentions if one.kind == "document"],
        "explicit_set_ids": [one.id for one in said.mentions if one.kind == "set"],
        "explicit_action": said.action is not None,
        "web_tagged": said.web,
        "action": said.action,
        "enable_web_search": said.web,
        "intent": None,
        "resolution": None,
        "documents": [],
        "source_text": "",
        "web_search_query": None,
        "retrieval_confidence": None,
        "question": None,
        "reply": None,
        "reply_mentions": [],
        "results": [],
        "asked": 0,
        "notices": [],
        "answer": None,
        "tokens_used": 0,
        "cost_usd": 0.0,
        "cost_known": True,
        "cancelled": False,
    }


def thread_memory(
    documents: Sequence[DocumentRef], messages: Sequence[ChatTurn]
) -> dict[str, object]:
    """What a thread begins with: nothing, or what its conversation kept if the store has let go of it."""
    return {
        "messages": list(messages)[-MOST_REMEMBERED:],
        "conversation_docs": {one.title: one.id for one in documents},
    }


def turn_documents(state: ChatState) -> tuple[DocumentRef, ...]:
    """The documents of the turn: those that were meant, or else those that the answer cites."""
    if state["documents"]:
        return tuple(state["documents"])
    cited = state["answer"].citations if state["answer"] is not None else ()
    found = {one.document_id: one.title for one in cited if one.document_id}
    return tuple(DocumentRef(id=id_, title=title) for id_, title in found.items())


def add_notices(state: ChatState, *notices: str) -> list[str]:
    return list(dict.fromkeys((*state["notices"], *filter(None, notices))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatContext:
    """Passed to nodes as `runtime.context`. `task_id` is the thread in the graph; `inbox` is where questions
    are stored before anyone is asked, under the `lease` of the turn; `meter` counts what this request spends.
    """

    tools: Tools
    who: Principal
    request_id: str
    task_id: str
    inbox: Inbox
    lease: Lease
    meter: Meter

    def usage_update(self, state: ChatState) -> Patch:
        """What the turn took until now; called once a request, by the node that ends it."""
        spent = self.meter.spent
        return {
            "tokens_used": state["tokens_used"] + spent.input_tokens + spent.output_tokens,
            "cost_usd": state["cost_usd"] + spent.cost_usd,
            "cost_known": state["cost_known"] and spent.cost_known,
        }


async def load_listing(state: ChatState, tools: Tools) -> Listing:
    titles = await tools.documents.titles(tools.tenant)
    last = next((one.documents for one in reversed(state["messages"]) if one.documents), ())
    return Listing(titles=titles, registry=state["conversation_docs"], last=last)


def action_request(state: ChatState) -> ActionRequest:
    """What the action is to do. An inquiry searches whole sets; the other actions take their documents."""
    inquires = state["action"] == "inquire"
    return ActionRequest(
        message=state["message"],
        plain=state["plain"],
        documents=tuple(state["documents"]),
        tagged=bool(state["explicit_doc_ids"]),
        sets=tuple(state["explicit_set_ids"]) if inquires else (),
        earlier=tuple(state["messages"]),
        source=state["source_text"],
        standalone=state["intent"].question if state["intent"] is not None else "",
    )
