"""What can be tagged in the chat, on the wire."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from app.chat.documents.offers import OfferedSet
from app.domain.chat import ChatAction
from app.domain.knowledge import DocumentTitle

MENTIONS_EXAMPLE: dict[str, Any] = {
    "documents": [{"id": "5d41402abc4b2a76b9719d91", "title": "Travel policy 2024", "set": "hr"}],
    "sets": [{"id": "travel", "label": "travel", "documents": 12}],
    "actions": [{"id": "summarize", "label": "Summarize"}],
    "web": {"available": False, "reason": "No search of the web is set up"},
}


class _Said(BaseModel):
    """snake_case, as all of the chat."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentOffer(_Said):
    """A document that can be tagged; documents of several sets may have one title."""

    id: str
    title: str
    set: str

    @classmethod
    def of(cls, titled: DocumentTitle) -> "DocumentOffer":
        """As it is listed."""
        return cls(id=titled.document_id, title=titled.title, set=titled.set_name)


class SetOffer(_Said):
    """A set that can be tagged, and how many documents it has; its id is its name."""

    id: str
    label: str
    documents: int

    @classmethod
    def of(cls, offered: OfferedSet) -> "SetOffer":
        """As it is named."""
        return cls(id=offered.name, label=offered.name, documents=offered.documents)


class ActionOffer(_Said):
    """An action that can be tagged."""

    id: ChatAction
    label: str


class WebOffer(_Said):
    """Whether the web can be tagged; `reason` says why not."""

    available: bool
    reason: str | None = None


class Mentionable(_Said):
    """What can be tagged with `@`, the likeliest first."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"example": MENTIONS_EXAMPLE}
    )

    documents: list[DocumentOffer]
    sets: list[SetOffer]
    actions: list[ActionOffer]
    web: WebOffer
