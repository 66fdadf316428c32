"""What can be mentioned in the chat's input with `@`."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.chat.documents.offers import SuggestedSet, suggest_actions, suggest_sets, suggest_titles
from app.chat.documents.titles import index_titles
from app.domain.chat import ChatAction
from app.domain.knowledge import DocumentTitle

MENTIONS_EXAMPLE: dict[str, Any] = {
    "documents": [{"id": "5d41402abc4b2a76b9719d91", "title": "Travel policy 2024", "set": "hr"}],
    "sets": [{"id": "travel", "label": "travel", "documents": 12}],
    "actions": [{"id": "summarize", "label": "Summarize"}],
    "web": {"available": False, "reason": "Web search is not configured"},
}


class _View(BaseModel):
    """snake_case, like all of the chat API."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentOffer(_View):
    """A document; documents of several sets may have the same title."""

    id: str
    title: str
    set: str

    @classmethod
    def of(cls, titled: DocumentTitle) -> "DocumentOffer":
        return cls(id=titled.document_id, title=titled.title, set=titled.set_name)


class SetOffer(_View):
    """A set and its number of documents; its id is its name."""

    id: str
    label: str
    documents: int

    @classmethod
    def of(cls, offered: SuggestedSet) -> "SetOffer":
        return cls(id=offered.name, label=offered.name, documents=offered.documents)


class ActionOffer(_View):
    """An action of the chat."""

    id: ChatAction
    label: str


class WebOffer(_View):
    """Whether the web can be searched; `reason` says why not."""

    available: bool
    reason: str | None = None


class MentionsView(_View):
    """What can be mentioned, best matches first."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"example": MENTIONS_EXAMPLE}
    )

    documents: list[DocumentOffer]
    sets: list[SetOffer]
    actions: list[ActionOffer]
    web: WebOffer


router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses=problem_docs(401, 422, 429, 503),
)

LIMIT, MAX_LIMIT = 8, 50
LONGEST_TYPED = 200  # characters after the @


@router.get("/mentions")
async def mentions(
    principal: CurrentUser,
    state: AppStateDep,
    query: Annotated[str, Query(max_length=LONGEST_TYPED, description="The text after the @")] = "",
    limit: Annotated[
        int, Query(ge=1, le=MAX_LIMIT, description="Of documents, and of sets")
    ] = LIMIT,
) -> MentionsView:
    """Documents, sets and actions that match the text, and whether the web can be searched.

    Each word of the text is part of a title, preferably the beginning of a word: `trav pol` finds
    "Travel policy 2024".
    """
    titles = index_titles(await state["knowledge"].titles(principal.tenant))
    found = suggest_titles(titles, query, limit)
    return MentionsView(
        documents=[DocumentOffer.of(one) for one in found],
        sets=[SetOffer.of(one) for one in suggest_sets(titles, query, limit)],
        actions=[ActionOffer(id=one, label=label) for one, label in suggest_actions(query)],
        web=_web(state),
    )


def _web(state: AppState) -> WebOffer:
    reason = state["search"].available
    return WebOffer(available=reason is None, reason=reason)
