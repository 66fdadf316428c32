"""Skills learned on a tenant's sites."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AppStateDep, CurrentOperator, CurrentUser
from app.api.models import ResponseModel
from app.api.problems import NEEDS_OPERATOR, problem_docs
from app.api.query_params import PAGE, Cursor, PageSize, parse_cursor, split_page


class ElementView(ResponseModel):
    """A control, identified by what survives a re-render of the page."""

    role: str
    name: str
    group: str


class FailedStateView(ResponseModel):
    """The action that failed, without typed values, and why it failed."""

    action: str
    element_description: str
    error_type: str
    element: ElementView | None = None


class SuccessfulActionView(ResponseModel):
    """The action that helped, and its strategy."""

    action: str
    element_description: str
    strategy: str
    element: ElementView | None = None


class SkillView(ResponseModel):
    """One skill. `goal` has "…" in place of the user's values; the counts change with each use."""

    id: str
    domain: str
    goal: str
    failed_state: FailedStateView
    successful_action: SuccessfulActionView
    success_count: int
    failure_count: int
    last_used: datetime
    created_at: datetime


class SkillsPage(ResponseModel):
    """Skills, most recently used first; `nextCursor` is set if there are more."""

    skills: list[SkillView]
    next_cursor: str | None = None


router = APIRouter(tags=["skills"], responses=problem_docs(401, 404))

LONGEST_DOMAIN = 260  # characters: 253 of a host name, a colon and a port
LONGEST_ID = 128


@router.get("/api/skills")
async def skills(
    principal: CurrentUser,
    state: AppStateDep,
    domain: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=LONGEST_DOMAIN,
            description="A site: the host, and the port if it is not the default of the scheme",
        ),
    ] = None,
    cursor: Cursor = None,
    limit: PageSize = PAGE,
) -> SkillsPage:
    """The tenant's skills, most recently used first."""
    site = domain.strip().lower() if domain is not None else None
    found = await state["store"].skills.page(
        principal.tenant, site, limit=limit + 1, after=parse_cursor(cursor)
    )
    page, next_cursor = split_page(found, limit, lambda one: (one.last_used, one.skill_id))
    return SkillsPage(
        skills=[SkillView.from_fields(one, id=one.skill_id) for one in page],
        next_cursor=next_cursor,
    )


@router.delete("/api/skills/{skill_id}", status_code=204, responses={403: NEEDS_OPERATOR})
async def forget_skill(skill_id: str, principal: CurrentOperator, state: AppStateDep) -> None:
    """Delete a skill of the tenant; operators only. It may be learned again."""
    await state["store"].skills.delete(principal.tenant, skill_id[:LONGEST_ID])
