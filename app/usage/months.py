"""Calendar months of UTC, which bills and monthly limits go by."""

from datetime import UTC, datetime

from app.domain.metrics.usage import UsageFilter
from app.errors import Invalid
from app.text import patterns

_MONTH = patterns.compile(r"(\d{4})-(0[1-9]|1[0-2])", patterns.ASCII)


def month_of(moment: datetime) -> str:
    """`2026-11`."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def span_of_month(month: str) -> UsageFilter:
    """From its first moment until before the next month's. Raises `Invalid` for what is no month."""
    found = _MONTH.fullmatch(month)
    year, number = (int(part) for part in found.groups()) if found else (0, 0)
    if not 0 < year < 9999:  # the year 9999 has no next one
        raise Invalid("month: write it as 2026-11")
    first = datetime(year, number, 1, tzinfo=UTC)
    return UsageFilter(
        since=first, until=datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    )
