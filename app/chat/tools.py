"""What an action works with, and what it is asked."""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.chat.output.draft import Draft, discarded_draft
from app.domain.access import Policy
from app.domain.chat import ChatTurn, DocumentRef
from app.llm.port import Model
from app.search import Search
from knowledge import Knowledge

WHOLE_TOKENS = 60_000  # as the setting `chat_whole_tokens` has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """For whom and with what an action works. Without a `model` it shows what stands in the documents.
    Documents of at most `whole_tokens` together are read whole. `draft` shows an answer on its way.
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
    """What an action is to do. `message` is what the person said, mentions written as their labels; `plain`
    the same without them; `standalone` as a question that stands for itself. `documents` are those that are
    meant, and `tagged` says that the person tagged them, so that no others are searched; none: all may be
    searched, `sets` alone where any are named. `earlier` is the conversation before,
    oldest first. `source` is the text to be audited.
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
