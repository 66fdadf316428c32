"""Dates and times as people write them and as the browser's own fields hold them."""

from datetime import date, datetime

from app.domain.page import Node
from app.text import patterns

FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y",
    "%m-%d-%Y", "%d/%m/%Y", "%m/%d/%y",
)  # fmt: skip
TIMES = ("%H:%M", "%I:%M %p", "%I %p", "%I:%M%p", "%I%p", "%H:%M:%S")
MONTHS = tuple(date(2000, month, 1).strftime("%B").lower() for month in range(1, 13))
MONTH_PATTERN = patterns.compile(
    rf"\b({'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)})\b\.?,?\s*(\d{{4}})?",
    patterns.IGNORECASE,
)
YEAR_PATTERN = patterns.compile(r"\b(19|20)\d\d\b")


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


def month_named(text: str) -> tuple[int, int | None] | None:
    """The month, and the year when there is one, that a calendar's heading names."""
    found = MONTH_PATTERN.search(text)
    if found is None:
        return None
    month = next(i for i, name in enumerate(MONTHS, 1) if name[:3] == found.group(1)[:3].lower())
    year = found.group(2) or getattr(YEAR_PATTERN.search(text), "group", lambda: None)()
    return month, int(year) if year else None


_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_UNIT = "(?:day|week|month|year|fortnight)s?"
_FROM_TODAY = patterns.compile(
    rf"(?:on |by |the )*(?:today|tonight|tomorrow|yesterday|day (?:after tomorrow|before yesterday)"
    rf"|(?:next|this|last|coming|following) (?:{_DAY}|{_UNIT})"
    rf"|(?:in )?(?:an?|\d+|\w+) {_UNIT}(?: (?:from(?: now| today)?|ago|later|hence))"
    rf"|in (?:an?|\d+|\w+) {_UNIT}|(?:{_DAY}|end|start|middle) (?:of )?(?:the |this |next )?{_UNIT})"
    r"(?: (?:morning|afternoon|evening|night|now|at .+))?",
    patterns.IGNORECASE,
)
_OF_DAYS = patterns.compile(
    r"\b(?:date|deadline|due|day|arrival|departure|birthday|check-?(?:in|out))\b",
    patterns.IGNORECASE,
)
_CALENDARS = frozenset({"date", "datetime-local", "month", "week"})


def counts_from_today(node: Node, value: str) -> bool:
    """Whether a field for a day would be given one that is told from today: "tomorrow".

    Nobody here knows which day it is for the person, and such a field holds the words as they are.
    """
    if node.role != "inp" or node.options:
        return False
    if node.input_type in _CALENDARS:
        return parse_date(value) is None and patterns.search(r"\d{2}", value) is None
    named = _OF_DAYS.search(f"{node.name} {node.hint}") is not None
    return named and _FROM_TODAY.fullmatch(value.strip()) is not None


def entered(node: Node, value: str) -> str:
    """The value in the form the browser's own field takes: ISO dates, 24-hour times."""
    if node.input_type in {"date", "datetime-local", "month", "week"}:
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
    if input_type == "month":
        return day.strftime("%Y-%m")
    if input_type == "week":
        return day.strftime("%G-W%V")
    if input_type == "datetime-local":
        return f"{day.isoformat()}T{parse_time(tail) or '00:00'}"
    return day.isoformat()
