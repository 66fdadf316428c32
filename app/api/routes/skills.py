"""What was learned on a tenant's sites, to be looked through and forgotten."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AppStateDep, CurrentOperator, CurrentUser
from app.api.models import ResponseModel
from app.api.pagination import after, make_cursor
from app.api.routes.interact.router import PROBLEMS
from app.domain.memory import Skill
from app.domain.page import ElementRef


class ElementView(ResponseModel):
    """A control by what stays the same when a page is drawn anew."""

    role: str
    name: str
    group: str

    @staticmethod
    def of(element: ElementRef | None) -> "ElementView | None":
        """The wire form, None for none."""
        if element is None:
            return None
        return ElementView(role=element.role, name=element.name, group=element.group)


class FailedStateView(ResponseModel):
    """What failed: the call, without what was typed, and why."""

    action: str
    element_description: str
    error_type: str
    element: ElementView | None = None


class SuccessfulActionView(ResponseModel):
    """What helped instead, under the name of its strategy."""

    action: str
    element_description: str
    strategy: str
    element: ElementView | None = None


class SkillView(ResponseModel):
    """One skill. `goal` has "…" where a value of the person's stood; the counts move with each use."""

    id: str
    domain: str
    goal: str
    failed_state: FailedStateView
    successful_action: SuccessfulActionView
    success_count: int
    failure_count: int
    last_used: datetime
    created_at: datetime

    @staticmethod
    def of(skill: Skill) -> "SkillView":
        """The wire form of a skill."""
        failed, helped = skill.failed_state, skill.successful_action
        return SkillView(
            id=skill.skill_id,
            domain=skill.domain,
            goal=skill.goal,
            failed_state=FailedStateView(
                action=failed.action,
                element_description=failed.element_description,
                error_type=failed.error_type,
                element=ElementView.of(failed.element),
            ),
            successful_action=SuccessfulActionView(
                action=helped.action,
                element_description=helped.element_description,
                strategy=helped.strategy,
                element=ElementView.of(helped.element),
            ),
            success_count=skill.success_count,
            failure_count=skill.failure_count,
            last_used=skill.last_used,
            created_at=skill.created_at,
        )


class SkillsPage(ResponseModel):
    """Skills, the last used first; `nextCursor` where there are more."""

    skills: list[SkillView]
    next_cursor: str | None = None


FORBIDDEN = PROBLEMS[401] | {"description": "It takes an operator's key"}
router = APIRouter(tags=["skills"], responses={k: PROBLEMS[k] for k in (401, 404)})

PAGE = 50
LONGEST_DOMAIN = 260  # characters: 253 of a host name, a colon and a port
LONGEST_CURSOR = 120
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
            description="a site: host, and port where it is not the scheme's own",
        ),
    ] = None,
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`nextCursor` of the page before"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> SkillsPage:
    """The tenant's skills, the last used first."""
    site = domain.strip().lower() if domain is not None else None
    found = await state["store"].skills.page(
        principal.tenant, site, limit=limit + 1, after=after(cursor or None)
    )
    page = found[:limit]
    more = len(found) > limit
    return SkillsPage(
        skills=[SkillView.of(skill) for skill in page],
        next_cursor=make_cursor(page[-1].last_used, page[-1].skill_id) if more else None,
    )


@router.delete("/api/skills/{skill_id}", status_code=204, responses={403: FORBIDDEN})
async def forget_skill(skill_id: str, principal: CurrentOperator, state: AppStateDep) -> None:
    """Forget a skill, which is the whole tenant's: it is used no more, and learned anew should it help
    again. Takes an operator's key.
    """
    await state["store"].skills.remove(principal.tenant, skill_id[:LONGEST_ID])
