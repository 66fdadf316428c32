"""What can be tagged in the chat's input."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.routes.interact.router import PROBLEMS
from app.chat.documents.offers import OfferedSet, offered_actions, offered_sets, offered_titles
from app.chat.documents.titles import titles_of
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


class MentionsView(_Said):
    """What can be tagged with `@`, the likeliest first."""

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
    responses={k: PROBLEMS[k] for k in (401, 422, 429, 503)},
)

SHOWN, MOST_SHOWN = 8, 50
LONGEST_TYPED = 200  # characters after the @


@router.get("/mentions")
async def mentions(
    principal: CurrentUser,
    state: AppStateDep,
    query: Annotated[
        str, Query(max_length=LONGEST_TYPED, description="What is typed after the @")
    ] = "",
    limit: Annotated[
        int, Query(ge=1, le=MOST_SHOWN, description="Of documents and of sets")
    ] = SHOWN,
) -> MentionsView:
    """Documents, sets and actions that may be meant by what is typed, and whether the web can be searched.

    Each typed word begins a word of a title, or stands in it: `trav pol` finds "Travel policy 2024".
    """
    titles = titles_of(await state["knowledge"].titles(principal.tenant))
    found = offered_titles(titles, query, limit)
    return MentionsView(
        documents=[DocumentOffer.of(one) for one in found],
        sets=[SetOffer.of(one) for one in offered_sets(titles, query, limit)],
        actions=[ActionOffer(id=one, label=label) for one, label in offered_actions(query)],
        web=_web(state),
    )


def _web(state: AppState) -> WebOffer:
    reason = state["search"].available
    return WebOffer(available=reason is None, reason=reason)
