"""What the MCP servers work with: the same services that the HTTP API has."""

from dataclasses import dataclass

from app.agent.service import InteractService
from app.chat.service import ChatService
from app.hitl.delegating import Delegating
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.review.service import ReviewService
from app.store.key_watch import KeyWatch
from app.store.port import Store, Together
from app.usage.service import UsageService
from knowledge.port import Knowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Made once by the composition root, shared by all servers and calls of the process."""

    store: Store
    together: Together
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
