"""Sessions and their messages."""

from datetime import datetime

from fastapi import APIRouter

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel
from app.api.problems import problem_docs
from app.api.query_params import PAGE, PageSize, TimeCursor
from app.api.routes.interact.question import QuestionView
from app.errors import NotFound

router = APIRouter(tags=["sessions"], responses=problem_docs(401, 404))

HISTORY = 200


class SessionView(ResponseModel):
    session_id: str
    title: str
    created_at: datetime
    updated_at: datetime
    task_count: int
    status: str | None = None


class SessionsPage(ResponseModel):
    """Sessions, newest first; `nextCursor` is set if there are more."""

    sessions: list[SessionView]
    next_cursor: str | None = None


class MessageView(ResponseModel):
    id: str
    role: str
    content: str
    action_string: str | None = None
    task_id: str | None = None
    created_at: datetime


class MessagesPage(ResponseModel):
    """The newest messages, oldest first; `pendingInterrupt` is the question that awaits an answer."""

    messages: list[MessageView]
    pending_interrupt: QuestionView | None = None


@router.get("/api/sessions")
async def sessions(
    principal: CurrentUser,
    state: AppStateDep,
    cursor: TimeCursor = None,
    limit: PageSize = PAGE,
) -> SessionsPage:
    """The user's own sessions, newest first."""
    found = await state["store"].sessions.recent(
        principal.tenant, principal.user, limit=limit + 1, before=cursor
    )
    more = len(found) > limit
    page = found[:limit]
    ids = [session.session_id for session in page]
    statuses = await state["store"].tasks.latest_status(principal.tenant, ids) if ids else {}
    return SessionsPage(
        sessions=[
            SessionView.from_fields(one, status=statuses.get(one.session_id)) for one in page
        ],
        next_cursor=page[-1].updated_at.isoformat() if more else None,
    )


@router.get("/api/session/{session_id}/messages")
async def messages(session_id: str, principal: CurrentUser, state: AppStateDep) -> MessagesPage:
    """The newest messages of a session, oldest first."""
    session = await state["store"].sessions.get(principal.tenant, session_id)
    if not principal.can_see(session.user):
        raise NotFound(f"There is no session {session_id!r}.")
    found = await state["store"].messages.of_session(principal.tenant, session_id, limit=HISTORY)
    last = found[-1].task_id if found else None
    question = await state["interact"].pending_question(principal.tenant, last) if last else None
    return MessagesPage(
        messages=[MessageView.from_fields(one, id=one.message_id) for one in found],
        pending_interrupt=QuestionView.model_validate(question) if question else None,
    )
