"""What an action is given: its tools and the request."""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.chat.output.draft import Draft, discarded_draft
from app.domain.access import Policy
from app.domain.chat import ChatTurn, DocumentRef
from app.llm.port import Model
from app.search import Search
from knowledge import Knowledge

WHOLE_TOKENS = 60_000  # default of the setting `chat_whole_tokens`


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The tenant and the services of an action. Without a `model` it shows passages of the documents.
    Documents of at most `whole_tokens` in total are read whole. `draft` shows an answer in progress.
    """

    tenant: str
    documents: Knowledge
    policy: Policy
    model: Model | None = None
    search: Search | None = None
    whole_tokens: int = WHOLE_TOKENS
    draft: Draft = field(default_factory=discarded_draft)
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """A request to an action.

    `message` has mentions written as their labels, `plain` omits them; `standalone` is the message as a
    self-contained question. `documents` are those meant; if they are `tagged`, no others are searched.
    Without any, `sets` are searched, or else all documents. `earlier` is the conversation so far, oldest
    first. `source` is the text to audit.
    """

    message: str
    plain: str
    standalone: str = ""
    documents: tuple[DocumentRef, ...] = ()
    tagged: bool = True
    sets: tuple[str, ...] = ()
    earlier: tuple[ChatTurn, ...] = ()
    source: str = ""

    @property
    def question(self) -> str:
        return self.standalone or self.plain.strip() or self.message.strip()
