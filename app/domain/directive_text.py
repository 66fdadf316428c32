"""Renders a directive as a plan line for people."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from app.domain.directive import Directive, FieldValue, Target
from app.domain.redaction import SECRET_FIELD

ROLE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "btn": "button", "link": "link", "inp": "field", "chk": "checkbox", "rad": "option",
        "sel": "list", "opt": "option", "tab": "tab", "menu": "menu item", "tree": "tree item",
        "range": "slider", "file": "file field", "row": "row", "img": "image", "txt": "text",
    }
)  # fmt: skip
LONGEST_VALUE = 60  # maximum characters of a value in a line; the panel is 360 px wide
_ORDINALS = {1: "first", 2: "second", 3: "third", -1: "last"}
_ENDINGS = {
    "create": "save",
    "edit": "save the changes",
    "login": "log in",
    "search": "run the search",
}
_LINES = {
    "back": "go back",
    "clear": "clear {thing}",
    "click": "click {thing}",
    "close": "close {thing}",
    "drag": "drag {thing} to {place}",
    "focus": "focus {thing}",
    "hover": "point at {thing}",
    "logout": "log out",
    "navigate": "go to {told}",
    "open": "open {thing}",
    "press": "press {value}{times}",
    "read": "look up: {asked}",
    "reload": "reload the page",
    "scroll": "scroll {told}",
    "search": "search for {quoted}",
    "wait": "wait {value} ms",
}


def describe(directive: Directive) -> str:
    """Describe the step: "Enter 'Jas' as name"."""
    line = _line(directive)
    return line[:1].upper() + line[1:]


def _line(directive: Directive) -> str:
    verb, target, value = directive.verb, directive.target, directive.value
    phrase = target.phrase if target else ""
    if verb in ("fill", "select", "check", "uncheck"):
        return _setting(directive)
    if verb in ("edit", "delete", "find"):
        if target is None or not target.within or not phrase or target.all:
            return f"{verb} {thing(target)}"
        return f"{verb} the {phrase} {quoted(target.within)}"
    if verb == "create":
        return f"open the form for a new {phrase}" if phrase else "open the form"
    if verb == "submit":
        return f"press {thing(target)}" if phrase else _ENDINGS.get(value or "", "submit")
    if verb == "login":
        fields = [_field(field) for field in directive.fields]
        return f"enter {listed(fields)}" if fields else "log in"
    return _LINES.get(verb, "{asked}").format(
        thing=thing(target),
        place=thing(directive.destination, "its place"),
        value=value or "",
        quoted=quoted(value or ""),
        told=value or thing(target),
        asked=value or directive.source or verb,
        times=f" {directive.times} times" if directive.times > 1 else "",
    )


def _setting(directive: Directive) -> str:
    target, value = directive.target, directive.value
    verb = {"fill": "enter", "select": "choose"}.get(directive.verb, directive.verb)
    if directive.fields:
        return f"{verb} {listed([_field(field) for field in directive.fields])}"
    if directive.copied is not None:
        return f"enter what the page says under {thing(directive.copied)} into {thing(target)}"
    if value is None or target is None:
        return f"{verb} {thing(target) if value is None else quoted(value)}"
    if secret(target.phrase):
        return f"{verb} the {target.phrase}"
    return f"{verb} {quoted(value)} {'from' if verb == 'choose' else 'into'} {thing(target)}"


def _field(field: FieldValue) -> str:
    if secret(field.field):
        return f"the {field.field}"
    return f"{quoted(field.value)} as {field.field}" if field.field else quoted(field.value)


def thing(target: Target | None, fallback: str = "it") -> str:
    """Describe a target: "the third checkbox", "'Save' in the dialog"."""
    if target is None:
        return fallback
    role = ROLE_WORDS.get(target.role or "", "")
    name = f"'{target.phrase}'" if target.phrase else role or "control"
    words = ["every" if target.all else _which(target.ordinal), name]
    words += [role] if role and target.phrase and target.ordinal else []
    if target.within or target.near:
        words.append(f"in {target.within}" if target.within else f"next to {target.near}")
    return " ".join(filter(None, words))


def _which(ordinal: int | None) -> str:
    if ordinal is None:
        return ""
    if ordinal in _ORDINALS:
        return f"the {_ORDINALS[ordinal]}"
    last, teens = abs(ordinal) % 10, 10 <= abs(ordinal) % 100 <= 20
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return f"the {abs(ordinal)}{ending}{' from the end' if ordinal < 0 else ''}"


def secret(label: str) -> bool:
    """Whether a field with this label holds a secret, which the panel must not show."""
    return SECRET_FIELD.search(label) is not None


def quoted(value: str) -> str:
    """The value in quotes, truncated to fit a line."""
    cut = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    return f"'{cut}'"


def listed(parts: Sequence[str]) -> str:
    """Join parts as a list: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
