"""What start-up makes and requests read from `request.state`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Request

from app.agent.service import InteractService
from app.api.rate_limits import Limiter, Tries
from app.api.shutdown import Shutdown
from app.chat.service import ChatService
from app.hitl.delegating import Delegating
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.mcp.http import Rooms
from app.observability.prometheus import Signals
from app.observability.sampler import Sampler
from app.review.service import ReviewService
from app.search.port import Search
from app.store.index_build import IndexBuild
from app.store.key_watch import KeyWatch
from app.store.port import Store, Together
from app.usage.service import UsageService
from knowledge.port import Knowledge


class Lifetime(TypedDict):
    """Made once, shared by all requests."""

    store: Store
    key_watch: KeyWatch
    interact: InteractService
    chat: ChatService
    search: Search
    limiter: Limiter
    pairing_tries: Tries
    wrong_keys: Tries
    local_networks: tuple[str, ...]
    model: str
    inbox: Inbox
    reviews: ReviewService
    bells: Bells
    delegating: Delegating
    together: Together
    usage: UsageService
    signals: Signals
    sampler: Sampler
    knowledge: Knowledge
    mcp: Rooms
    upload_bytes: int
    shutdown: Shutdown
    prove_write: Callable[[], Awaitable[None]]
    indexes: IndexBuild


async def lifetime(request: Request) -> Lifetime:
    """The lifetime of the app that serves this request."""
    return cast(Lifetime, request.scope["state"])


LifetimeDep = Annotated[Lifetime, Depends(lifetime)]
