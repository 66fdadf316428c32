"""Query parameters of lists: cursors, page sizes and periods."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeVar

from fastapi import Query
from pydantic import AwareDatetime

from app.errors import Invalid

LONGEST_CURSOR = 200
PAGE = 50

Row = TypeVar("Row")
Place = tuple[datetime, str]
Cursor = Annotated[
    str | None,
    Query(max_length=LONGEST_CURSOR, description="`nextCursor` of the previous page"),
]
TimeCursor = Annotated[datetime | None, Query(description="`nextCursor` of the previous page")]
PageSize = Annotated[int, Query(ge=1, le=200)]


def make_cursor(time: datetime, last_id: str) -> str:
    return f"{time.isoformat()}~{last_id}"


def parse_cursor(cursor: str | None) -> Place | None:
    """Time and id of the last row of the previous page. Raises `Invalid`."""
    if not cursor:
        return None
    time, _, last_id = cursor[:LONGEST_CURSOR].replace(" ", "+").partition("~")
    try:
        at = datetime.fromisoformat(time)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid("cursor: not a valid `nextCursor`.") from error
    if not last_id or "\0" in last_id:
        raise Invalid("cursor: not a valid `nextCursor`.")
    return at, last_id


def split_page(
    rows: Sequence[Row], limit: int, place: Callable[[Row], Place]
) -> tuple[list[Row], str | None]:
    """The first `limit` rows, and the cursor of the next page if there are more."""
    page = list(rows[:limit])
    return page, make_cursor(*place(page[-1])) if len(rows) > limit else None


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
