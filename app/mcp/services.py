"""The services of the MCP servers, and access to them. Does not import the protocol's SDK."""

from dataclasses import dataclass

from app.agent.service import InteractService
from app.chat.service import ChatService
from app.domain.access import Principal
from app.hitl.delegations import DelegationService
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.review.service import ReviewService
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.repositories import Store
from app.usage.service import UsageService
from knowledge import Knowledge

NAMES = ("capture", "review", "tabwright")


def mcp_principal(who: Principal) -> Principal:
    """The principal for an MCP server. MCP clients are programs, so consent scopes are removed, whatever
    the key. Raises `Forbidden` for a key without scope `mcp`.
    """
    who.require("mcp")
    return who.without_consent()


INVALID_KEY = "Invalid API key. Create one with `tabwright key create`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Created once by the composition root, shared by all servers of the process."""

    store: Store
    together: StoreBatch
    reviews: ReviewService
    interact: InteractService
    chat: ChatService
    knowledge: Knowledge
    inbox: Inbox
    bells: TaskEvents
    delegating: DelegationService
    usage: UsageService
    key_watch: KeyWatch
    state_secret: bytes  # seals the state that a call leaves with its client
