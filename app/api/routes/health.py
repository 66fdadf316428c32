"""GET /healthz and /readyz: the only endpoints without a key."""

from typing import Literal

from fastapi import APIRouter

from app.api.deps import AppStateDep
from app.api.models import ResponseModel


class Health(ResponseModel):
    """`ok`: the process is up; `ready`: its dependencies are too. `indexes`: `building` while some indexes
    are missing, which makes reads slow.
    """

    status: Literal["ok", "ready"]
    indexes: Literal["building"] | None = None


router = APIRouter(tags=["health"])


@router.get("/healthz", response_model_exclude_none=True)
async def healthz() -> Health:
    """Whether the process serves requests."""
    return Health(status="ok")


@router.get("/readyz", response_model_exclude_none=True)
async def readyz(state: AppStateDep) -> Health:
    """Whether the store accepts writes; 503 with `Retry-After` if not, and while the process is stopping."""
    state["shutdown"].check()
    await state["check_writable"]()
    return Health(status="ready", indexes=None if state["indexes"].is_done else "building")
