"""A directive as the line of the plan a person reads."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from app.domain.directive import Directive, FieldValue, Target, Verb

ROLE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "btn": "button", "link": "link", "inp": "field", "chk": "checkbox", "rad": "option",
        "sel": "list", "opt": "option", "tab": "tab", "menu": "menu item", "tree": "tree item",
        "range": "slider", "file": "file field", "row": "row", "img": "image", "txt": "text",
    }
)  # fmt: skip
SECRET_WORDS = ("password", "passcode", "passphrase", "pin", "secret", "token", "security code")
LONGEST_VALUE = 60  # characters of a value a line shows; the panel is 360 px wide
NUMBER_WORDS = frozenset(
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
)
ORDINALS = MappingProxyType({1: "first", 2: "second", 3: "third", -1: "last"})


def describe(directive: Directive) -> str:
    """The step in plain words: "Enter 'Jas' as name"."""
    writer = WRITERS.get(directive.verb)
    line = writer(directive) if writer else _clause(directive)
    return line[:1].upper() + line[1:]


def thing(target: Target | None, fallback: str = "it") -> str:
    """A target as a person would name it: "the third checkbox", "'Save' in the dialog"."""
    if target is None:
        return fallback
    words = [_which(target), target.color or "", _named(target)]
    where = (
        f"in {target.within}" if target.within else f"next to {target.near}" if target.near else ""
    )
    return " ".join(word for word in (*words, where) if word) or fallback


def secret(label: str) -> bool:
    """Whether a field of this label holds what nobody should read off the panel."""
    lowered = label.lower()
    return any(
        word in lowered.split() or (" " in word and word in lowered) for word in SECRET_WORDS
    )


def quoted(value: str) -> str:
    """A value in quotes, cut to what a line can hold."""
    cut = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    return f"'{cut}'"


def listed(parts: Sequence[str]) -> str:
    """Parts as a person lists them: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _which(target: Target) -> str:
    if target.all:
        return "every"
    if target.ordinal is None or _tells_number(target.phrase):
        return ""
    return f"the {ORDINALS.get(target.ordinal) or _numbered(target.ordinal)}"


def _tells_number(phrase: str) -> bool:
    """Whether the label itself is numbered: "page 3", "ONE"."""
    return any(char.isdigit() for char in phrase) or phrase.lower() in NUMBER_WORDS


def _record(verb: str) -> Callable[[Directive], str]:
    """A line about a record by its kind and name: "Delete the customer 'Jas Patel'"."""

    def line(directive: Directive) -> str:
        target = directive.target
        if target is None or not target.within or not target.phrase or target.all:
            return f"{verb} {thing(target)}"
        return f"{verb} the {target.phrase} {quoted(target.within)}"

    return line


def _numbered(ordinal: int) -> str:
    if ordinal < 0:
        return f"{_numbered(-ordinal)} from the end"
    ending = (
        "th" if 10 <= ordinal % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(ordinal % 10, "th")
    )
    return f"{ordinal}{ending}"


def _named(target: Target) -> str:
    role = ROLE_WORDS.get(target.role or "", "")
    if not target.phrase:
        return role or "control"
    name = f"'{target.phrase}'"
    return f"{name} {role}" if role and target.ordinal else name


def _field(field: FieldValue) -> str:
    if secret(field.field):
        return f"the {field.field}"
    return f"{quoted(field.value)} as {field.field}" if field.field else quoted(field.value)


def _settings(verb: str) -> Callable[[Directive], str]:
    def line(directive: Directive) -> str:
        if directive.fields:
            return f"{verb} {listed([_field(field) for field in directive.fields])}"
        if directive.value is None:
            return f"{verb} {thing(directive.target)}"
        if directive.target is None:
            return f"{verb} {quoted(directive.value)}"
        if secret(directive.target.phrase):
            return f"{verb} the {directive.target.phrase}"
        joint = "from" if verb == "choose" else "into"
        return f"{verb} {quoted(directive.value)} {joint} {thing(directive.target)}"

    return line


def _simple(verb: str) -> Callable[[Directive], str]:
    return lambda directive: f"{verb} {thing(directive.target)}"


def _open(directive: Directive) -> str:
    if directive.fields:
        return f"choose {' > '.join(field.value for field in directive.fields)}"
    return f"open {thing(directive.target)}"


def _valued(before: str) -> Callable[[Directive], str]:
    return lambda directive: f"{before} {directive.value or thing(directive.target)}"


def _clause(directive: Directive) -> str:
    return directive.value or directive.source or directive.verb


def _create(directive: Directive) -> str:
    kind = directive.target.phrase if directive.target else ""
    return f"open the form for a new {kind}" if kind else "open the form"


def _submit(directive: Directive) -> str:
    if directive.target and directive.target.phrase:
        return f"press {thing(directive.target)}"
    return ENDINGS.get(directive.value or "", "submit")


def _login(directive: Directive) -> str:
    named = [_field(field) for field in directive.fields]
    return f"enter {listed(named)}" if named else "log in"


def _drag(directive: Directive) -> str:
    return f"drag {thing(directive.target)} to {thing(directive.destination, 'its place')}"


def _press(directive: Directive) -> str:
    times = f" {directive.times} times" if directive.times > 1 else ""
    return f"press {directive.value}{times}"


ENDINGS: Mapping[str, str] = MappingProxyType(
    {"create": "save", "edit": "save the changes", "login": "log in", "search": "run the search"}
)

WRITERS: Mapping[Verb, Callable[[Directive], str]] = MappingProxyType(
    {
        "click": _simple("click"), "open": _open, "close": _simple("close"),
        "fill": _settings("enter"), "clear": _simple("clear"), "select": _settings("choose"),
        "check": _settings("check"), "uncheck": _settings("uncheck"), "submit": _submit,
        "search": lambda d: f"search for {quoted(d.value or '')}", "login": _login,
        "logout": lambda _: "log out", "create": _create, "edit": _record("edit"),
        "delete": _record("delete"), "find": _record("find"), "press": _press,
        "scroll": _valued("scroll"), "hover": _simple("point at"), "focus": _simple("focus"),
        "drag": _drag, "navigate": _valued("go to"), "back": lambda _: "go back",
        "reload": lambda _: "reload the page", "wait": lambda d: f"wait {d.value or ''} ms",
        "read": lambda d: f"look up: {d.value or d.source}",
    }
)  # fmt: skip
