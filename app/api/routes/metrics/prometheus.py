"""GET /metrics: what Prometheus scrapes."""

import asyncio
from typing import Any

from fastapi import APIRouter, Response

from app.api.deps import AppStateDep, CurrentOperator
from app.api.routes.interact.router import PROBLEMS

router = APIRouter(tags=["metrics"], responses={401: PROBLEMS[401]})

TEXT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The Prometheus text format",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    },
    403: {**PROBLEMS[401], "description": "The key is not one of an operator"},
}


@router.get("/metrics", response_class=Response, responses=TEXT)
async def scrape(principal: CurrentOperator, state: AppStateDep) -> Response:
    """Counters of the whole installation, all its workers together; takes a key of an operator.

    No label names a tenant, a user, a task or an address.
    """
    await state["sampler"].sample()
    text, kind = await asyncio.to_thread(state["signals"].exposition)
    return Response(text, media_type=kind)
