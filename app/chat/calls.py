"""A request to the chat, as it reaches the graph."""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.domain.access import Principal
from app.domain.chat import ACTIONS, ChatAction, Mention
from app.domain.hitl import HitlResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a person: `text` has mentions written as their labels, `plain` omits them. `replaces` is
    the id of their last message if this one replaces it; an empty one repeats it.
    """

    text: str
    plain: str
    mentions: tuple[Mention, ...] = ()
    action: ChatAction | None = None
    web: bool = False
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to the pending question, `hitl_id` if they name it; `text` is None for a cancellation.
    `recorded` is set if another inbox has stored it already.
    """

    kind: str
    text: str | None
    mentions: tuple[Mention, ...] = ()
    hitl_id: str | None = None
    recorded: HitlResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCall:
    """A validated request. `request_id` is the idempotency key, `body_hash` the hash of its body."""

    principal: Principal
    request_id: str
    body_hash: str
    trace_id: str
    thread_id: str
    content: Message | Answer


def parse_action(name: str | None = None) -> ChatAction | None:
    """The action with that name; None for any other name, since mentions may contain anything."""
    return next((action for action in ACTIONS if action == name), None)


def chat_task_id(tenant: str, thread_id: str) -> str:
    """The id of a conversation's thread in the graph, to which its model calls are accounted."""
    return str(uuid5(NAMESPACE_URL, f"chat/{tenant}/{thread_id}"))


def chat_message_id(call: ChatCall, kind: str, turn_id: str | None = None) -> str:
    """The id of a line of this request, or of the turn that it continues; the same for a repeat."""
    turn_id = turn_id or call.request_id
    name = f"chat/{call.principal.tenant}/{call.thread_id}/{turn_id}/{kind}"
    return str(uuid5(NAMESPACE_URL, name))
