"""Days and times as people write them, as a field holds them, and as a calendar shows them."""

from datetime import date, datetime

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.refinement.case import Case, missing, one
from app.engines.refinement.messages import called
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


FEWEST_DAYS = 20  # numbered controls that make a calendar; the shortest month shows 28
# ruff: noqa: RUF001 - arrows as pages print them
FORWARD = ("next month", "next", "›", "»", ">", "→")
BACKWARD = ("previous month", "prev month", "previous", "prev", "‹", "«", "<", "←")
MIDDLE = (
    15  # a number seen twice belongs to this month: the later one above the middle, else the first
)


def pick_day(case: Case, field: Node, value: str) -> Refinement | None:
    """The next click towards the day `value` names; None when it names no day."""
    day = parse_date(value)
    if day is None:
        return None
    days = day_controls(case)
    if len(days) < FEWEST_DAYS:
        if (
            case.last is not None
            and case.last.action.target == field.id
            and case.did("click", field)
        ):
            return missing(f"No calendar came up for {called(field)}.")
        return one(
            action("click", field.id), f"Open the calendar of {called(field)}", completes=False
        )
    shown = shown_month(case, days)
    if shown is None:
        return missing("I cannot tell which month the calendar shows.")
    year = shown[1] or day.year
    if (year, shown[0]) == (day.year, day.month):
        return _clicked_day(day, days)
    return _turned(case, forward=(year, shown[0]) < (day.year, day.month))


def day_controls(case: Case) -> list[Node]:
    """The controls that bear a day's number, in order."""
    return [node for node in case.tree if _number(node) is not None]


def shown_month(case: Case, days: list[Node]) -> tuple[int, int | None] | None:
    """The month in the calendar's own words: its days, its container, its controls, the page's text."""
    named = [*(node.name for node in days[MIDDLE : MIDDLE + 1]), *(node.group for node in days[:1])]
    others = [node.name for node in case.tree if node.role in {"txt", "btn", "el", "link"}]
    selects = [f"{node.value}" for node in case.tree if node.role == "sel" and node.value]
    for text in (*named, *others, " ".join(selects), case.page.summary):
        found = month_named(text)
        if found is not None:
            return found
    return None


def _number(node: Node) -> int | None:
    if node.role not in {"btn", "link", "el", "opt", "row"}:
        return None
    name = node.name.strip()
    if name.isdigit() and 1 <= int(name) <= 31:
        return int(name)
    return getattr(parse_date(name), "day", None)


def _clicked_day(day: date, days: list[Node]) -> Refinement:
    same = [node for node in days if _number(node) == day.day and node.enabled]
    if not same:
        return missing(f"The calendar does not offer {day.isoformat()}.")
    node = same[-1] if day.day > MIDDLE else same[0]
    return one(action("click", node.id), f"Choose {day:%B} {day.day}, {day.year}")


def _turned(case: Case, *, forward: bool) -> Refinement:
    for word in FORWARD if forward else BACKWARD:
        for node in case.tree:
            if node.enabled and node.name.strip().lower() == word:
                return one(
                    action("click", node.id),
                    f"Turn the calendar with {called(node)}",
                    completes=False,
                )
    return missing("The calendar has no way to turn to that month.")
