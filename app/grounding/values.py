"""Builds the action that sets a control's value, and checks whether it is set."""

from datetime import date, datetime

from app.domain.action import Action, action
from app.domain.directive_text import quoted, secret
from app.domain.page import MASK, Node
from app.grounding.descriptions import describe_control
from app.grounding.label import label
from app.grounding.similarity import similarity
from app.text import patterns

FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y",
    "%m-%d-%Y", "%d/%m/%Y", "%m/%d/%y",
)  # fmt: skip
CALENDARS = frozenset({"date", "datetime-local"})
TIMES = ("%H:%M", "%I:%M %p", "%I %p", "%I:%M%p", "%I%p", "%H:%M:%S")


def parse_date(text: str) -> date | None:
    """Parse a date; with slashes, an ambiguous month comes first (en-US)."""
    plain = patterns.sub(r"(?<=\d)(st|nd|rd|th)\b", "", text.strip(), flags=patterns.IGNORECASE)
    plain = patterns.sub(r"\s*,\s*|\s+of\s+", " ", plain)
    for form in FORMATS:
        try:
            return datetime.strptime(plain, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


def parse_time(text: str) -> str | None:
    """Parse a time, as HH:MM."""
    plain = text.strip().upper().replace(".", "")
    for form in TIMES:
        try:
            return datetime.strptime(plain, form).strftime("%H:%M")  # noqa: DTZ007 - no zone
        except ValueError:
            continue
    return None


def is_relative_date(node: Node, value: str) -> bool:
    """Whether the value for a date field is relative ("tomorrow") and needs today's date."""
    of_days = node.role == "inp" and node.input_type in CALENDARS and bool(value)
    return of_days and parse_date(value) is None and not patterns.search(r"\d{2}", value)


def to_field_format(node: Node, value: str) -> str:
    """Format the value for the browser's field: ISO dates, 24-hour times."""
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


YES = frozenset(
    {"yes", "true", "on", "checked", "check", "enabled", "1", "y", "agree", "agreed", "tick"}
)
NO = frozenset({"no", "false", "off", "unchecked", "uncheck", "disabled", "0", "n", "none"})
ALIKE = 0.72  # least agreement: an option may be a longer spelling of the value
SURE = 0.9  # at and above it an option matches regardless of the runner-up
SLIP = 0.85  # share of the best score at which another option is ambiguous
SHORTEST = 4  # letters of a value that a longer option may contain
DENYING = frozenset({"not", "no", "non", "without", "un", "never"})


def value_action(node: Node, value: str) -> tuple[Action, str] | None:
    """Return the action that sets the value, and its description; None if there is no such action."""
    if node.role == "sel":
        # Some lists have no options until they open.
        option = match_option(node.options, value) if node.options else value
        if option is None:
            return None
        return action(
            "selectOption", node.id, option
        ), f"Choose {quoted(option)} in {describe_control(node)}"
    if node.role == "chk" and (wanted := parse_yes_no(value)) is not None:
        words = f"{'Check' if wanted else 'Uncheck'} {describe_control(node)}"
        return action("setChecked", node.id, wanted), words
    if node.role == "rad":
        return action("click", node.id), f"Choose {describe_control(node)}"
    if node.role == "file":
        return action("uploadFile", node.id, value), f"Upload {quoted(value)}"
    if node.role in {"inp", "range"}:
        shown = "the password" if is_secret_field(node) else quoted(value)
        return action(
            "setValue", node.id, to_field_format(node, value)
        ), f"Enter {shown} in {describe_control(node)}"
    return None


def has_value(node: Node, value: str) -> bool:
    """Whether the control already has the value; False for passwords."""
    if node.role == "chk":
        return parse_yes_no(value) is not None and ("checked" in node.states) == parse_yes_no(value)
    if node.role == "rad":
        return "checked" in node.states
    if node.role == "sel":
        option = match_option(node.options, value) if node.options else value
        return option is not None and (node.value or "") == option and "mixed" not in node.states
    return node.value not in {None, MASK} and node.value == to_field_format(node, value)


def is_secret_field(node: Node) -> bool:
    return node.input_type == "password" or secret(node.name)


def parse_yes_no(value: str) -> bool | None:
    """Parse a checkbox value; None if the text is neither yes nor no."""
    word = value.strip().lower()
    return True if word in YES else False if word in NO else None


def match_option(options: tuple[str, ...], value: str) -> str | None:
    """Return the option that `value` means; None if none or several match."""
    for option in options:
        if option.strip().casefold() == value.strip().casefold():
            return option
    longer = [option for option in options if _is_spelled_out(option, value)]
    if len(longer) == 1:
        return longer[0]
    said = label(value)
    meant = [o for o in options if DENYING & set(label(o).words) <= set(said.words)]
    scored = [(similarity(said, label(option)), option) for option in meant]
    best, *others = sorted(scored, reverse=True)[:2] or [(0.0, "")]
    rivals = others and others[0][0] >= best[0] * SLIP and best[0] < SURE
    return None if best[0] < ALIKE or rivals else best[1]


def _is_spelled_out(option: str, value: str) -> bool:
    """Whether the option contains the value: "(UTC+1) Berlin"; never "Not paid" for "paid"."""
    said, words = label(value).words, label(option).words
    short = len("".join(said)) < SHORTEST and not "".join(said).isdigit()
    if not said or short or said not in (words[: len(said)], words[-len(said) :]):
        return False
    return len(words) > len(said) and not DENYING & set(words) - set(said)
