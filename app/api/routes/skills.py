"""What was learned on a tenant's sites, to be looked through and forgotten."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.api.deps import AsOperator, AsUser
from app.api.lifetime import LifetimeDep
from app.api.pagination import after, cursor_of
from app.api.routes.interact.router import PROBLEMS
from app.api.schemas.skills import SkillsPage, SkillView

FORBIDDEN = PROBLEMS[401] | {"description": "It takes an operator's key"}
router = APIRouter(tags=["skills"], responses={k: PROBLEMS[k] for k in (401, 404)})

PAGE = 50
LONGEST_DOMAIN = 260  # characters: 253 of a host name, a colon and a port
LONGEST_CURSOR = 120
LONGEST_ID = 128


@router.get("/api/skills")
async def skills(
    who: AsUser,
    made: LifetimeDep,
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
    found = await made["store"].skills.page(
        who.tenant, site, limit=limit + 1, after=after(cursor or None)
    )
    page = found[:limit]
    more = len(found) > limit
    return SkillsPage(
        skills=[SkillView.of(skill) for skill in page],
        next_cursor=cursor_of(page[-1].last_used, page[-1].skill_id) if more else None,
    )


@router.delete("/api/skills/{skill_id}", status_code=204, responses={403: FORBIDDEN})
async def forget_skill(skill_id: str, who: AsOperator, made: LifetimeDep) -> None:
    """Forget a skill, which is the whole tenant's: it is used no more, and learned anew should it help
    again. Takes an operator's key.
    """
    await made["store"].skills.remove(who.tenant, skill_id[:LONGEST_ID])
