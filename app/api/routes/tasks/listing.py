"""The list of tasks: by status, person, time and the words of the goal, newest first."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from app.api.deps import AsUser
from app.api.lifetime import LifetimeDep
from app.api.pagination import after, cursor_of
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.tasks.router import IDLE
from app.api.schemas.tasks_page import StatusFilter, TaskRowView, TasksPage
from app.api.tasks_wanted import Wanted
from app.errors import Invalid

router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 422)})

PAGE = 50
LONGEST_WORDS = 200
LONGEST_CURSOR = 200
LONGEST_USER = 128


@router.get("/api/tasks")
async def tasks(
    who: AsUser,
    made: LifetimeDep,
    status: Annotated[
        StatusFilter | None, Query(description="`under_way`: what has not ended and is not stopped")
    ] = None,
    user: Annotated[str | None, Query(max_length=LONGEST_USER)] = None,
    words: Annotated[
        str | None,
        Query(
            alias="q",
            max_length=LONGEST_WORDS,
            description="Words that are all in the goal, in any case; or the id of a task",
        ),
    ] = None,
    since: Annotated[
        AwareDatetime | None, Query(alias="from", description="made then at the earliest")
    ] = None,
    until: Annotated[
        AwareDatetime | None, Query(alias="to", description="made before then")
    ] = None,
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`nextCursor` of the page before"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> TasksPage:
    """Tasks, newest first: a user's own, for operators and admins those of the whole tenant.

    A search for words looks through 2,000 tasks at most: a page may then hold few or none, and its
    `nextCursor` goes on with older ones.
    """
    if since is not None and until is not None and since > until:
        raise Invalid("from: it is later than to")
    now = datetime.now(UTC)
    wanted = Wanted(
        who=who,
        status=status,
        user=user,
        words=words,
        since=since,
        until=until,
        after=after(cursor or None),
        limit=limit,
        now=now,
        idle_since=now - IDLE,
    )
    found, place = await wanted.page(made["store"].tasks)
    await made["usage"].settled()
    spent = await made["store"].usage.spent_by_task(who.tenant, [one.task_id for one in found])
    return TasksPage(
        tasks=[TaskRowView.of(one, spent.get(one.task_id)) for one in found],
        next_cursor=cursor_of(*place) if place else None,
    )
