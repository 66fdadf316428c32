"""Builds the action that sets a control's value, and describes controls, pages and what is missing."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from app.domain.action import Action, action
from app.domain.directive import ROLE_WORDS, Target, listed, names_secret, quote_value
from app.domain.page import MASK, Node, Observation
from app.grounding.labels import label, similarity
from app.page import RECORDS
from app.text import patterns

LONGEST_NAME = 40  # characters
MOST_NAMED = 6  # controls listed if something is missing: about one line of the panel


def describe_control(node: Node) -> str:
    """Describe a control by name and kind: "the 'Save' button"."""
    kind = ROLE_WORDS.get(node.role, "control")
    if not node.name:
        return f"the {node.hint or node.input_type or ''} {kind}".replace("  ", " ")
    return f"the {quote_value(node.name)} {kind}"


def describe_page(page: Observation) -> str:
    return quote_value(page.title) if page.title else page.url


def list_names(nodes: Iterable[Node]) -> str:
    names = dict.fromkeys(node.name for node in nodes if node.name and node.role != "txt")
    quoted = [quote_value(name) for name in list(names)[:MOST_NAMED]]
    return listed(quoted) if quoted else "nothing to act on"


def describe_missing(what: str, page: Observation) -> str:
    return (
        f"I looked for {what} on {describe_page(page)} and found nothing that fits. "
        f"What is here: {list_names(page.tree)}.{describe_unreachable(page)}"
    )


def describe_unreachable(page: Observation) -> str:
    """Say where else it may be; empty if the whole page is readable."""
    hosts = dict.fromkeys(one.origin.partition("://")[2] or one.origin for one in page.unreachable)
    if not hosts:
        return ""
    frames = "a frame" if len(page.unreachable) == 1 else "the frames"
    return (
        f" It may be in {frames} of {listed(list(hosts)[:MOST_NAMED])} that Tabwright may not read."
    )


NEAREST = 3
# Jaro-Winkler similarity of words: "Jas" and "Jan" 0.82, "Jas" and "Ann" 0.56
LEAST_LIKENESS = 0.78
NAMED_ROLES = frozenset({"link", "btn", "row", "opt", "tab", "menu", "tree", "rad", "chk", "el"})


def describe_unknown(target: Target | None, page: Observation) -> str | None:
    """Say "There is nothing called 'Jas' here; there are 'Jan' and 'Jasper'."; None if the target
    has no name or its name is on the page.
    """
    name = (target.within or target.phrase).strip() if target else ""
    wanted = label(name).meaning_set
    counted = target is None or target.ordinal is not None or target.all or not name
    if counted or any(wanted <= label(f"{n.name} {n.group}").meaning_set for n in page.tree):
        return None
    near = [quote_value(one) for one in nearest_names(name, page)]
    others = f"; there {'is' if len(near) == 1 else 'are'} {listed(near)}" if near else ""
    others = others or f". What is on {describe_page(page)}: {list_names(page.tree)}"
    return f"There is nothing called {quote_value(name)} here{others}.{describe_unreachable(page)}"


def nearest_names(name: str, page: Observation) -> tuple[str, ...]:
    names = [n.name.strip() for n in page.tree if n.role in NAMED_ROLES]
    names += [
        text.partition(", ")[0].strip()
        for n in page.tree
        for kind, text in n.groups
        if kind in RECORDS
    ]
    short = [one for one in dict.fromkeys(names) if one and len(one) <= LONGEST_NAME]
    found = process.extract(
        name,
        short,
        scorer=_name_likeness,
        processor=str.casefold,
        score_cutoff=LEAST_LIKENESS,
        limit=NEAREST,
    )
    return tuple(one for one, _, _ in found)


def _name_likeness(name: str, other: str, **_: object) -> float:
    """Return the similarity of the whole name or of its most similar word."""
    return max(JaroWinkler.similarity(name, part) for part in (other, *other.split()))


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
    parsed = _parse_first(plain, FORMATS)
    return parsed.date() if parsed else None


def parse_time(text: str) -> str | None:
    parsed = _parse_first(text.strip().upper().replace(".", ""), TIMES)
    return parsed.strftime("%H:%M") if parsed else None


def _parse_first(text: str, formats: tuple[str, ...]) -> datetime | None:
    for form in formats:
        with suppress(ValueError):
            return datetime.strptime(text, form)  # noqa: DTZ007 - no zone
    return None


def is_relative_date(node: Node, value: str) -> bool:
    """Whether the value for a date field is relative ("tomorrow") and needs today's date."""
    of_days = node.role == "inp" and node.input_type in CALENDARS and bool(value)
    return of_days and parse_date(value) is None and not patterns.search(r"\d{2}", value)


def to_field_format(node: Node, value: str) -> str:
    """Format the value for the browser's field: ISO dates, 24-hour times."""
    if node.input_type in CALENDARS:
        return _to_iso(node.input_type, value)
    if node.input_type == "time":
        return parse_time(value) or value
    return value


def _to_iso(input_type: str, value: str) -> str:
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
RIVAL_SHARE = 0.85  # share of the best score at which another option is ambiguous
SHORTEST = 4  # letters of a value that a longer option may contain
NEGATIONS = frozenset({"not", "no", "non", "without", "un", "never"})


def value_action(node: Node, value: str) -> tuple[Action, str] | None:
    """Return the action that sets the value, and its description; None if there is no such action."""
    if node.role == "sel":
        # Some lists have no options until they open.
        option = match_option(node.options, value) if node.options else value
        if option is None:
            return None
        return action(
            "selectOption", node.id, option
        ), f"Choose {quote_value(option)} in {describe_control(node)}"
    if node.role == "chk" and (wanted := parse_yes_no(value)) is not None:
        words = f"{'Check' if wanted else 'Uncheck'} {describe_control(node)}"
        return action("setChecked", node.id, wanted), words
    if node.role == "rad":
        return action("click", node.id), f"Choose {describe_control(node)}"
    if node.role == "file":
        return action("uploadFile", node.id, value), f"Upload {quote_value(value)}"
    if node.role in {"inp", "range"}:
        displayed = "the password" if is_secret_field(node) else quote_value(value)
        return action(
            "setValue", node.id, to_field_format(node, value)
        ), f"Enter {displayed} in {describe_control(node)}"
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
    return node.input_type == "password" or names_secret(node.name)


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
    wanted = label(value)
    candidates = [o for o in options if NEGATIONS & set(label(o).words) <= set(wanted.words)]
    scored = [(similarity(wanted, label(option)), option) for option in candidates]
    best, *others = sorted(scored, reverse=True)[:2] or [(0.0, "")]
    rivals = others and others[0][0] >= best[0] * RIVAL_SHARE and best[0] < SURE
    return None if best[0] < ALIKE or rivals else best[1]


def _is_spelled_out(option: str, value: str) -> bool:
    """Whether the option contains the value: "(UTC+1) Berlin"; never "Not paid" for "paid"."""
    wanted, words = label(value).words, label(option).words
    short = len("".join(wanted)) < SHORTEST and not "".join(wanted).isdigit()
    if not wanted or short or wanted not in (words[: len(wanted)], words[-len(wanted) :]):
        return False
    return len(words) > len(wanted) and not NEGATIONS & set(words) - set(wanted)
