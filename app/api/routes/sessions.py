"""Sessions and what was said in them."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AppStateDep, CurrentUser
from app.api.routes.interact.question import QuestionView
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.tasks.schemas import MessagesPage, MessageView, SessionsPage, SessionView
from app.errors import NotFound

router = APIRouter(tags=["sessions"], responses={401: PROBLEMS[401], 404: PROBLEMS[404]})

PAGE = 50
HISTORY = 200


@router.get("/api/sessions")
async def sessions(
    principal: CurrentUser,
    state: AppStateDep,
    cursor: Annotated[datetime | None, Query(description="`nextCursor` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> SessionsPage:
    """One's own sessions, newest first."""
    found = await state["store"].sessions.recent(
        principal.tenant, principal.user, limit=limit + 1, before=cursor
    )
    more = len(found) > limit
    page = found[:limit]
    ids = [session.session_id for session in page]
    statuses = await state["store"].tasks.latest_status(principal.tenant, ids) if ids else {}
    return SessionsPage(
        sessions=[SessionView.of(session, statuses.get(session.session_id)) for session in page],
        next_cursor=page[-1].updated_at.isoformat() if more else None,
    )


@router.get("/api/session/{session_id}/messages")
async def messages(session_id: str, principal: CurrentUser, state: AppStateDep) -> MessagesPage:
    """The history of a session, oldest first."""
    session = await state["store"].sessions.get(principal.tenant, session_id)
    if not principal.can_see(session.user):
        raise NotFound(f"There is no session {session_id!r}")
    found = await state["store"].messages.of_session(principal.tenant, session_id, limit=HISTORY)
    last = found[-1].task_id if found else None
    asked = await state["interact"].pending(principal.tenant, last) if last else None
    return MessagesPage(
        messages=[MessageView.of(message) for message in found],
        pending_interrupt=QuestionView.model_validate(asked) if asked else None,
    )
