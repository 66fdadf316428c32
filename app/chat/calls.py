"""One request to the chat, as it reaches the graph."""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.domain.access import Principal
from app.domain.chat import ACTIONS, ChatAction, Mention
from app.domain.hitl import HitlResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a person said: `text` with mentions as their labels, `plain` without them. `replaces` is the id of
    their last message, which it takes the place of; with no words of its own it says that one again.
    """

    text: str
    plain: str
    mentions: tuple[Mention, ...] = ()
    action: ChatAction | None = None
    web: bool = False
    replaces: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person said to the question that waits, `hitl_id` if they name it; `text` is None for a cancel.
    `recorded` is what another inbox wrote down of it already.
    """

    kind: str
    text: str | None
    mentions: tuple[Mention, ...] = ()
    hitl_id: str | None = None
    recorded: HitlResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCall:
    """A validated request. `request_id` is the idempotency key; `body_hash` its body's."""

    principal: Principal
    request_id: str
    body_hash: str
    trace_id: str
    thread_id: str
    content: Message | Answer


def chat_action(name: str | None = None) -> ChatAction | None:
    """The action with that name; None if there is none: a mention may name any."""
    return next((one for one in ACTIONS if one == name), None)


def chat_task_id(tenant: str, thread_id: str) -> str:
    """The thread in the graph of a tenant's conversation; also what its calls are accounted to."""
    return str(uuid5(NAMESPACE_URL, f"chat/{tenant}/{thread_id}"))


def chat_message_id(call: ChatCall, what: str, turn_id: str | None = None) -> str:
    """The id of a line of this request, or of the turn that it continues; the same for a repeat."""
    turn_id = turn_id or call.request_id
    named = f"chat/{call.principal.tenant}/{call.thread_id}/{turn_id}/{what}"
    return str(uuid5(NAMESPACE_URL, named))
