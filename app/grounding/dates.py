"""Days and times as people write them, and as a field holds them."""

from datetime import date, datetime

from app.domain.page import Node
from app.text import patterns

FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y",
    "%m-%d-%Y", "%d/%m/%Y", "%m/%d/%y",
)  # fmt: skip
CALENDARS = frozenset({"date", "datetime-local"})
TIMES = ("%H:%M", "%I:%M %p", "%I %p", "%I:%M%p", "%I%p", "%H:%M:%S")


def parse_date(text: str) -> date | None:
    """The day a text names; month before day where a slash leaves it open (the en-US reading)."""
    plain = patterns.sub(r"(?<=\d)(st|nd|rd|th)\b", "", text.strip(), flags=patterns.IGNORECASE)
    plain = patterns.sub(r"\s*,\s*|\s+of\s+", " ", plain)
    for form in FORMATS:
        try:
            return datetime.strptime(plain, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


def parse_time(text: str) -> str | None:
    """The time a text names, as HH:MM."""
    plain = text.strip().upper().replace(".", "")
    for form in TIMES:
        try:
            return datetime.strptime(plain, form).strftime("%H:%M")  # noqa: DTZ007 - no zone
        except ValueError:
            continue
    return None


def counts_from_today(node: Node, value: str) -> bool:
    """Whether a field for a day would be given one that is no date: "tomorrow" is told from a day that
    nobody here knows.
    """
    of_days = node.role == "inp" and node.input_type in CALENDARS and bool(value)
    return of_days and parse_date(value) is None and not patterns.search(r"\d{2}", value)


def entered(node: Node, value: str) -> str:
    """The value in the form the browser's own field takes: ISO dates, 24-hour times."""
    if node.input_type in CALENDARS:
        return _iso(node.input_type, value)
    if node.input_type == "time":
        return parse_time(value) or value
    return value


def _iso(input_type: str, value: str) -> str:
    head, _, tail = value.partition("T")
    if input_type == "datetime-local" and not tail:
        head, _, tail = value.rpartition(" ") if ":" in value else (value, "", "")
        head = head.removesuffix(" at")
    day = parse_date(head)
    if day is None:
        return value
    if input_type == "datetime-local":
        return f"{day.isoformat()}T{parse_time(tail) or '00:00'}"
    return day.isoformat()
