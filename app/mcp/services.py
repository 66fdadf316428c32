"""What the MCP servers work with: the same services that the HTTP API has."""

from dataclasses import dataclass

from app.agent.service import InteractService
from app.chat.service import ChatService
from app.domain.access import Principal
from app.hitl.delegating import Delegating
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.review.service import ReviewService
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.repositories import Store
from app.usage.service import UsageService
from knowledge.port import Knowledge

NAMES = ("capture", "review", "tabwright")


def admitted(who: Principal) -> Principal:
    """The holder of the key as the servers know them: whoever speaks here is a program, so no consent of a
    person comes this way, whatever key was sent. Raises `Forbidden` for a key without scope `mcp`.
    """
    who.require("mcp")
    return who.without_consent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Made once by the composition root, shared by all servers and calls of the process."""

    store: Store
    together: StoreBatch
    reviews: ReviewService
    interact: InteractService
    chat: ChatService
    knowledge: Knowledge
    inbox: Inbox
    bells: Bells
    delegating: Delegating
    usage: UsageService
    key_watch: KeyWatch
    state_secret: bytes  # seals what a call leaves with its client
