"""Parses the `from` and `to` query parameters."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Query
from pydantic import AwareDatetime

from app.errors import Invalid

DEFAULT_PERIOD = timedelta(days=30)
_FIRST = datetime.min.replace(tzinfo=UTC)

Since = Annotated[
    AwareDatetime | None, Query(alias="from", description="Default: 30 days before `to`")
]
Until = Annotated[AwareDatetime | None, Query(alias="to", description="Default: now")]


def resolve_period(since: datetime | None, until: datetime | None) -> tuple[datetime, datetime]:
    """The period in UTC, with defaults. Raises `Invalid` if it is empty or out of range."""
    end = _utc(until) if until else datetime.now(UTC)
    begin = _utc(since) if since else max(end, _FIRST + DEFAULT_PERIOD) - DEFAULT_PERIOD
    if begin > end:
        raise Invalid("from: must not be later than `to`.")
    return begin, end


def _utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise Invalid("from, to: out of range in UTC.") from None
