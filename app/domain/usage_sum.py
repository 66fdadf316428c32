"""Sums over what calls cost."""

from datetime import date, datetime
from typing import Literal

from app.domain.base import Value

GroupBy = Literal["day", "task", "model", "actionType", "user", "provider", "month"]


class Tally(Value):
    """What several calls took together; `cost_nano` is in billionths of a dollar and exact.

    Calls without a known price are in `unpriced_calls`, and count nothing in `cost_nano`.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    total_tokens: int = 0
    credits: float = 0.0
    cost_nano: int = 0
    unpriced_calls: int = 0
    failed_calls: int = 0
    duration_ms: float = 0.0


class Group(Tally):
    """The calls that have `key` in common: a day or month is written as `2026-11-22`, `2026-11`."""

    key: str


class Rated(Tally):
    """The calls of one model on one day, which have one price; `kind` is model, embedding or search."""

    provider: str
    model: str
    kind: str
    day: date
    priced: bool


class Span(Value):
    """Which rows are meant: those made from `since` until before `until`, of one user or task only."""

    since: datetime
    until: datetime
    user: str | None = None
    task_id: str | None = None


class TaskCost(Value):
    """What one past task took of models."""

    complexity: str | None = None
    calls: int
    cost_nano: int


def summed(tallies: "list[Group]") -> Tally:
    """All of them together."""
    names = Tally.model_fields
    return Tally(**{name: sum(getattr(one, name) for one in tallies) for name in names})
