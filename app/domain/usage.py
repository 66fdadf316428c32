"""What calls of models cost, as it is kept for the bill."""

from datetime import datetime

from app.domain.base import Value


class Spent(Value):
    """What the models took, summed over calls. `output_tokens` hold those of thinking too.

    `cost_known` is False when a call's model has no known price: such calls count as 0 USD.
    """

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_known: bool = True
    model: str | None = None  # the one asked last


class UsageRecord(Value):
    """One call over the wire, paid for, also when its reply could not be used (`ok` False).

    `input_tokens` hold the `cached_tokens`, `output_tokens` the `thinking_tokens`. `priced` is False
    where no price of the model is known; `cost_usd` is 0 then. `task_id` may be provisional.
    """

    usage_id: str
    tenant: str
    user: str
    session_id: str
    task_id: str
    trace_id: str
    request_id: str
    purpose: str
    action_type: str
    provider: str
    model: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    thinking_tokens: int
    total_tokens: int
    cost_usd: float
    priced: bool
    duration_ms: float
    ok: bool
    created_at: datetime
