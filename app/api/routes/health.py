"""GET /healthz and /readyz: the only endpoints without a key."""

from typing import Literal

from fastapi import APIRouter

from app.api.deps import AppStateDep
from app.api.models import ResponseModel


class Health(ResponseModel):
    """`ok`: the process serves; `ready`: so does what it depends on. `indexes`: some that make reads fast
    are not there yet.
    """

    status: Literal["ok", "ready"]
    indexes: Literal["building"] | None = None


router = APIRouter(tags=["health"])


@router.get("/healthz", response_model_exclude_none=True)
async def healthz() -> Health:
    """The process serves."""
    return Health(status="ok")


@router.get("/readyz", response_model_exclude_none=True)
async def readyz(state: AppStateDep) -> Health:
    """The store takes a write too; 503 with `Retry-After` when it does not, and while the process ends."""
    state["shutdown"].check()
    await state["prove_write"]()
    return Health(status="ready", indexes=None if state["indexes"].is_done else "building")
