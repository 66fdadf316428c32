"""How well the agent does."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from app.api.interact import PROBLEMS
from app.api.lifetime import LifetimeDep, PrincipalDep
from app.api.schemas.metrics import KpisView
from app.engines.kpis import kpis
from app.errors import Invalid

router = APIRouter(tags=["metrics"], responses={k: PROBLEMS[k] for k in (401, 422)})

PERIOD = timedelta(days=30)
_FIRST = datetime.min.replace(tzinfo=UTC)


@router.get("/api/metrics/kpis")
async def read_kpis(
    who: PrincipalDep,
    made: LifetimeDep,
    since: Annotated[
        AwareDatetime | None, Query(alias="from", description="30 days before `to` if not given")
    ] = None,
    until: Annotated[
        AwareDatetime | None, Query(alias="to", description="now if not given")
    ] = None,
) -> KpisView:
    """Predictions, verification, corrections, re-planning, tasks and skills of one's own tenant."""
    end = until or datetime.now(UTC)
    begin = since or max(end, _FIRST + PERIOD) - PERIOD
    if begin > end:
        raise Invalid("from: it is later than to")
    found = await made["store"].kpis.tallies(who.tenant, begin, end)
    return KpisView.of(kpis(found), begin, end)
