"""Calls of models and searches as answers show them."""

from datetime import datetime

from app.api.models import ResponseModel
from app.domain.metrics.usage import UsageKind


class CostView(ResponseModel):
    """The tokens, search credits, cost and duration of one or several calls."""

    input_tokens: int
    cached_tokens: int
    thinking_tokens: int
    output_tokens: int
    credits: float
    cost_usd: float
    duration_ms: float


class CallView(CostView):
    """One call made for the task. `stepIndex` is its step, `outcome` is `ok` or how it failed."""

    usage_id: str
    step_index: int
    kind: UsageKind
    action_type: str
    provider: str
    model: str
    priced: bool
    ok: bool
    outcome: str
    created_at: datetime
