"""Corrections as they are kept."""

from datetime import datetime
from typing import Literal

from app.domain.base import Value
from app.domain.skill import FailedState, SuccessfulAction

CorrectionSource = Literal["contingency", "skill", "strategy", "model"]
RepairStatus = Literal["pending", "success", "failure", "unknown"]


class Repair(Value):
    """What failed, what is tried instead, and what came of it. `repair_id` is the id of the first
    action that is tried; `attempt` counts from 1 within the step; `skill` is the skill's id where
    one proposed it.
    """

    repair_id: str
    step: int
    attempt: int
    source: CorrectionSource
    strategy: str
    reason: str
    failed: FailedState
    tried: SuccessfulAction
    skill: str | None = None
    status: RepairStatus = "pending"


class CorrectionRecord(Repair):
    """A repair with whose it is and where it was tried."""

    tenant: str
    task_id: str
    domain: str
    created_at: datetime
