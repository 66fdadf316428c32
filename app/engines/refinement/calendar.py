"""Choosing a day in a calendar: turn to its month, click its number."""

from datetime import date

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.refinement.case import Case, missing, one
from app.engines.refinement.dates import month_named, parse_date
from app.engines.refinement.naming import called

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
