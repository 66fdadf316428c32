"""What can be tagged in the chat's input."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AsUser
from app.api.lifetime import Lifetime, LifetimeDep
from app.api.routes.interact.router import PROBLEMS
from app.api.schemas.chat_mentions import (
    ActionOffer,
    DocumentOffer,
    Mentionable,
    SetOffer,
    WebOffer,
)
from app.chat.documents.offers import offered_actions, offered_sets, offered_titles
from app.chat.documents.titles import titles_of

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses={k: PROBLEMS[k] for k in (401, 422, 429, 503)},
)

SHOWN, MOST_SHOWN = 8, 50
LONGEST_TYPED = 200  # characters after the @


@router.get("/mentions")
async def mentions(
    who: AsUser,
    made: LifetimeDep,
    query: Annotated[
        str, Query(max_length=LONGEST_TYPED, description="What is typed after the @")
    ] = "",
    limit: Annotated[
        int, Query(ge=1, le=MOST_SHOWN, description="Of documents and of sets")
    ] = SHOWN,
) -> Mentionable:
    """Documents, sets and actions that may be meant by what is typed, and whether the web can be searched.

    Each typed word begins a word of a title, or stands in it: `trav pol` finds "Travel policy 2024".
    """
    titles = titles_of(await made["knowledge"].titles(who.tenant))
    found = offered_titles(titles, query, limit)
    return Mentionable(
        documents=[DocumentOffer.of(one) for one in found],
        sets=[SetOffer.of(one) for one in offered_sets(titles, query, limit)],
        actions=[ActionOffer(id=one, label=label) for one, label in offered_actions(query)],
        web=_web(made),
    )


def _web(made: Lifetime) -> WebOffer:
    reason = made["search"].available
    return WebOffer(available=reason is None, reason=reason)
