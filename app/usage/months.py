"""Calendar months in UTC, used by statements and monthly limits."""

from datetime import UTC, datetime

from app.domain.metrics.usage import UsageFilter
from app.errors import Invalid
from app.text import patterns

_MONTH = patterns.compile(r"(\d{4})-(0[1-9]|1[0-2])", patterns.ASCII)


def month_of(moment: datetime) -> str:
    """The month of a time, such as `2026-11`."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def span_of_month(month: str) -> UsageFilter:
    """The start of the month and of the next one. Raises `Invalid` for a malformed month."""
    found = _MONTH.fullmatch(month)
    year, number = (int(part) for part in found.groups()) if found else (0, 0)
    if not 0 < year < 9999:  # the year 9999 has no next month
        raise Invalid("month: write it as 2026-11")
    first = datetime(year, number, 1, tzinfo=UTC)
    return UsageFilter(
        since=first, until=datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    )
