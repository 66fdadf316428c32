"""What calls of models and searches cost, on the wire."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from app.api.models import Moment, Reply
from app.domain.metrics.budget import nano_to_usd
from app.domain.metrics.usage import (
    GroupBy,
    UsageGroup,
    UsageKind,
    UsageRecord,
    UsageSum,
    sum_usage,
)


class TallyView(Reply):
    """Sums over calls. `inputTokens` hold `cachedTokens`, `outputTokens` hold `thinkingTokens`.

    `costUsd` is the exact sum of the rows; calls whose price is not known are in `unpricedCalls` and
    count nothing in it.
    """

    calls: int
    input_tokens: int
    cached_tokens: int
    thinking_tokens: int
    output_tokens: int
    total_tokens: int
    credits: float
    cost_usd: float
    unpriced_calls: int
    failed_calls: int
    duration_ms: float

    @staticmethod
    def of(tally: UsageSum) -> "TallyView":
        """The wire form."""
        return TallyView(**_fields(tally))


class GroupView(TallyView):
    """The calls that have `key` in common."""

    key: str


class SummaryView(Reply):
    """The calls made from `from` until before `to`, by what they have in common; days and months in UTC."""

    group_by: GroupBy
    since: Moment = Field(alias="from")
    until: Moment = Field(alias="to")
    currency: Literal["USD"] = "USD"
    rows: list[GroupView]
    total: TallyView

    @staticmethod
    def made(
        by: GroupBy, since: datetime, until: datetime, groups: list[UsageGroup]
    ) -> "SummaryView":
        """The wire form."""
        return SummaryView(
            group_by=by,
            since=since,
            until=until,
            rows=[GroupView(key=group.key, **_fields(group)) for group in groups],
            total=TallyView.of(sum_usage(groups)),
        )


def _fields(tally: UsageSum) -> dict[str, int | float]:
    found: dict[str, int | float] = {
        name: getattr(tally, name) for name in UsageSum.model_fields if name != "cost_nano"
    }
    return found | {"cost_usd": nano_to_usd(tally.cost_nano)}


class UsageRowView(Reply):
    """One call over the wire. `priced` false: its true cost is not known, and `costUsd` what is sure of it.
    `stepIndex` is the step that the task stood at, `outcome` `ok` or how the call failed.
    """

    usage_id: str
    created_at: Moment
    user_id: str
    session_id: str
    message_id: str
    task_id: str
    trace_id: str
    request_id: str
    step_index: int
    kind: UsageKind
    action_type: str
    purpose: str
    provider: str
    model: str
    input_tokens: int
    cached_tokens: int
    thinking_tokens: int
    output_tokens: int
    total_tokens: int
    credits: float
    cost_usd: float
    priced: bool
    duration_ms: float
    ok: bool
    outcome: str

    @staticmethod
    def of(row: UsageRecord) -> "UsageRowView":
        """The wire form of a row."""
        named = {
            name: getattr(row, name) for name in UsageRowView.model_fields if name != "user_id"
        }
        return UsageRowView(user_id=row.user, **named)


class UsageLogsPage(Reply):
    """Calls, newest first; `nextCursor` where there are more."""

    logs: list[UsageRowView]
    next_cursor: str | None = None
