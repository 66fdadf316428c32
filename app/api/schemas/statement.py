"""The monthly statement on the wire."""

from datetime import date
from typing import Literal

from pydantic import Field

from app.api.models import Moment, Reply
from app.domain.metrics.usage import UsageKind


class LineView(Reply):
    """One line; `usd` is in cents, and the lines of a table add up to the total."""

    key: str
    calls: int
    total_tokens: int
    credits: float
    unpriced_calls: int
    usd: float


class ModelLineView(Reply):
    """What one model took at one price. `inputTokens` are without `cachedTokens`; prices are in USD for a
    `unit`, null where none is known. `pricesChanged`: it was charged at other prices than those in use.
    """

    provider: str
    model: str
    kind: UsageKind
    since: date = Field(alias="from")
    until: date = Field(alias="to")
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    credits: float
    unit: str
    input_price: float | None
    cached_price: float | None
    output_price: float | None
    credit_price: float | None
    prices_changed: bool
    usd: float


class StatementView(Reply):
    """A month of UTC. `totalUsd` is rounded once, `exactUsd` is not; `final`: the month is over.

    `notPriced` are calls whose price is not known: what is sure of their cost is in the total.
    """

    tenant_id: str
    user_id: str | None
    month: str
    made_at: Moment
    final: bool
    currency: Literal["USD"]
    total_usd: float
    exact_usd: float
    calls: int
    unpriced_calls: int
    budget_usd: float | None
    budget_share: float | None
    by_user: list[LineView]
    by_action_type: list[LineView]
    by_model: list[ModelLineView]
    not_priced: list[ModelLineView]
    prices_of: date
    own_prices_of: date | None
    rounding: str
