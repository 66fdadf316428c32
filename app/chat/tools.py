"""What an action works with, and what it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from app.domain.chat import DocumentRef, Evidence, Turned
from app.domain.knowledge import Confidence, Resolved, Titled
from app.domain.policy import Policy
from app.engines.embedder import Embedder
from app.llm.port import Model
from app.search.port import Search
from knowledge.port import Part, Query


class Documents(Protocol):
    """The team's documents as the chat reads them: `knowledge.port.Knowledge`."""

    async def titles(self, tenant: str) -> Sequence[Titled]:
        """Every document of the tenant by its name, newest first."""
        ...

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """A document's chunks in their order, or `NotFound`."""
        ...

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Resolved:
        """What the documents say."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """For whom and with what an action works. Without a `model` it works extractively, and says so;
    `embedder` turns sentences into vectors in this process, at no cost.
    """

    tenant: str
    documents: Documents
    policy: Policy
    model: Model | None = None
    search: Search | None = None
    embedder: Embedder | None = None
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an action is to do. `message` is what the person said, mentions written as their labels; `plain`
    the same without them. `documents` are those that are meant; none: all may be searched, `sets` alone
    where any are named. `earlier` is the conversation before, oldest first. `source` is the text to be
    audited. `passages` were found for an inquiry, with how surely; `web` are results of a search.
    """

    message: str
    plain: str
    documents: tuple[DocumentRef, ...] = ()
    sets: tuple[str, ...] = ()
    earlier: tuple[Turned, ...] = ()
    source: str = ""
    passages: tuple[Evidence, ...] = ()
    web: tuple[Evidence, ...] = ()
    confidence: Confidence = "high"
    score: float = 1.0
