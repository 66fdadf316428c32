"""Sessions and their messages."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel
from app.api.problems import problem_docs
from app.api.query_params import PAGE, PageSize
from app.api.routes.interact.question import QuestionView
from app.domain.task import Message, Session
from app.errors import NotFound

router = APIRouter(tags=["sessions"], responses=problem_docs(401, 404))

HISTORY = 200


class SessionView(ResponseModel):
    """One session."""

    session_id: str
    title: str
    created_at: datetime
    updated_at: datetime
    task_count: int
    status: str | None = None

    @staticmethod
    def of(session: Session, status: str | None) -> "SessionView":
        """Convert a session; `status` is that of its newest task."""
        return SessionView(
            session_id=session.session_id,
            title=session.title,
            created_at=session.created_at,
            updated_at=session.updated_at,
            task_count=session.task_count,
            status=status,
        )


class SessionsPage(ResponseModel):
    """Sessions, newest first; `nextCursor` is set if there are more."""

    sessions: list[SessionView]
    next_cursor: str | None = None


class MessageView(ResponseModel):
    """One message of a session."""

    id: str
    role: str
    content: str
    action_string: str | None = None
    task_id: str | None = None
    created_at: datetime

    @staticmethod
    def of(message: Message) -> "MessageView":
        return MessageView(
            id=message.message_id,
            role=message.role,
            content=message.content,
            action_string=message.action_string,
            task_id=message.task_id,
            created_at=message.created_at,
        )


class MessagesPage(ResponseModel):
    """The newest messages, oldest first; `pendingInterrupt` is the question that awaits an answer."""

    messages: list[MessageView]
    pending_interrupt: QuestionView | None = None


@router.get("/api/sessions")
async def sessions(
    principal: CurrentUser,
    state: AppStateDep,
    cursor: Annotated[
        datetime | None, Query(description="`nextCursor` of the previous page")
    ] = None,
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
        sessions=[SessionView.of(session, statuses.get(session.session_id)) for session in page],
        next_cursor=page[-1].updated_at.isoformat() if more else None,
    )


@router.get("/api/session/{session_id}/messages")
async def messages(session_id: str, principal: CurrentUser, state: AppStateDep) -> MessagesPage:
    """The messages of a session, oldest first."""
    session = await state["store"].sessions.get(principal.tenant, session_id)
    if not principal.can_see(session.user):
        raise NotFound(f"There is no session {session_id!r}.")
    found = await state["store"].messages.of_session(principal.tenant, session_id, limit=HISTORY)
    last = found[-1].task_id if found else None
    question = await state["interact"].pending_question(principal.tenant, last) if last else None
    return MessagesPage(
        messages=[MessageView.of(message) for message in found],
        pending_interrupt=QuestionView.model_validate(question) if question else None,
    )
