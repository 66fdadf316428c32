"""A place in a list that is ordered by a moment and, within it, an id."""

from datetime import UTC, datetime

from app.errors import Invalid

LONGEST = 200


def make_cursor(moment: datetime, last_id: str) -> str:
    """The place after this one."""
    return f"{moment.isoformat()}~{last_id}"


def after(cursor: str | None) -> tuple[datetime, str] | None:
    """The moment and id that a cursor names; `Invalid` for what is none."""
    if cursor is None:
        return None
    moment, _, last_id = cursor[:LONGEST].replace(" ", "+").partition("~")
    try:
        at = datetime.fromisoformat(moment)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid("cursor: not one of `nextCursor`") from error
    if not last_id or "\0" in last_id:
        raise Invalid("cursor: not one of `nextCursor`")
    return at, last_id
