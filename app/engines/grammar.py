"""The strict grammar in which a model writes actions: `setValue("14", "Jas")`, `click(14)?`.

    action  = name "(" [value *("," value)] ")" ["?"] [";"]
    value   = string | integer | "true" | "false"
    string  = in JSON's double quotes, or in single quotes

One action and nothing else. Ids may be written as numbers when they are digits only, coordinates
with decimals (they are rounded). A trailing `?` marks an action that may fail.
"""

import json
import unicodedata
from urllib.parse import urlsplit

from app.domain.action import DIRECTIONS, NAMES, PARAMETERS, Action, ActionName, Arg
from app.errors import InvalidAction
from app.text import patterns

LONGEST_VALUE = 2_000  # characters; no person dictates more into one field
_LONGEST_TEXT = 3 * LONGEST_VALUE  # of the call as written: two values with their escapes
_LONGEST_NUMBER = 9  # digits; fits every store's integer
_LONGEST_WAIT = 30_000  # ms; the extension waits no longer either
_SHOWN = 40  # characters of what was written that a reason repeats

_CALL = patterns.compile(r"\s*([A-Za-z]+)\s*\((.*)\)\s*(\?)?\s*;?\s*", patterns.DOTALL)
_VALUE = patterns.compile(
    r"""\s*(?:
        (?P<double>"(?:[^"\\]|\\.)*") | (?P<single>'(?:[^'\\]|\\.)*')
      | (?P<number>-?[0-9]+(?:\.[0-9]+)?) | (?P<truth>true|false)
    )\s*(?P<end>,|$)""",
    patterns.VERBOSE | patterns.DOTALL | patterns.IGNORECASE,
)
_INNER = patterns.compile(r"""\\(.)|(")""", patterns.DOTALL)
_IDS = frozenset({"id", "targetId"})
_ROUNDED = frozenset({"x", "y"})
_NOT_BLANK = frozenset({*_IDS, "key", "url", "query", "question", "name", "what"})


def parse_action(text: str) -> tuple[Action, bool]:
    """The action a model wrote, and whether it may fail.

    Raises `InvalidAction`, whose reason can be told to the model, for everything else.
    """
    if len(text) > _LONGEST_TEXT:
        raise InvalidAction(f"an action of {len(text)} characters is too long")
    call = _CALL.fullmatch(text)
    if call is None:
        raise InvalidAction(f"{_shown(text)} is not one action written as name(arguments)")
    name = _name(call[1])
    wanted, values = PARAMETERS[name], _values(call[2], name)
    if len(values) != len(wanted):
        raise InvalidAction(f"{name} takes {_told(wanted)}, not {len(values)} arguments")
    args = {
        key: _taken(name, key, kind, value)
        for (key, kind), value in zip(wanted, values, strict=True)
    }
    return Action(name=name, args=args), call[3] is not None


def _name(written: str) -> ActionName:
    for name in PARAMETERS:
        if name == written:
            return name  # type: ignore[return-value]  # the table's keys are the names
    raise InvalidAction(f"there is no action {_shown(written)}; there are {', '.join(NAMES)}")


def _values(inside: str, name: str) -> list[Arg | float]:
    """The arguments as written: a number without a point is an int, with one a float."""
    found: list[Arg | float] = []
    at, goes_on = 0, bool(inside.strip())
    while goes_on:
        value = _VALUE.match(inside, at)
        if value is None:
            raise InvalidAction(
                f"{_shown(inside[at:])} is not an argument of {name}: texts go in double quotes "
                'with \\" for a quote inside, numbers and true or false without'
            )
        found.append(_read(value))
        at, goes_on = value.end(), value["end"] == ","
    return found


def _read(value: patterns.Match) -> Arg | float:
    if value["number"]:
        if len(value["number"]) > _LONGEST_NUMBER:
            raise InvalidAction(f"{_shown(value['number'])} is too large a number")
        return float(value["number"]) if "." in value["number"] else int(value["number"])
    if value["truth"]:
        return value["truth"].lower() == "true"
    return _string(value["double"] or value["single"])


def _string(quoted: str) -> str:
    """The text between the quotes; an escaped single quote and a bare line break are let pass."""
    body = _INNER.sub(_as_json, quoted[1:-1])
    try:
        text: str = json.loads(f'"{body}"', strict=False)
    except ValueError:
        raise InvalidAction(f"{_shown(quoted)} holds an escape that JSON does not know") from None
    if len(text) > LONGEST_VALUE:
        raise InvalidAction(f"a text of {len(text)} characters is longer than {LONGEST_VALUE}")
    if any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t\r" for char in text):
        raise InvalidAction(f"{_shown(text)} holds control characters")
    return text


def _as_json(part: patterns.Match) -> str:
    if part[2]:
        return '\\"'
    return "'" if part[1] == "'" else part[0]


def _taken(name: ActionName, key: str, kind: type, value: Arg | float) -> Arg:
    """The value as the parameter wants it."""
    if key in _IDS and type(value) is int and value >= 0:
        value = str(value)
    if key in _ROUNDED and isinstance(value, float):
        value = round(value)
    if isinstance(value, float) or type(value) is not kind:
        raise InvalidAction(f"the {key} of {name} must be {_KINDS[kind]}, not {_shown(value)}")
    if key in _NOT_BLANK and not str(value).strip():
        raise InvalidAction(f"the {key} of {name} is empty")
    _check(name, key, value)
    return value


_KINDS = {str: "a text in quotes", int: "a whole number", bool: "true or false"}


def _check(name: ActionName, key: str, value: Arg) -> None:
    """Raise `InvalidAction` for a value that no page could make sense of."""
    if key in _IDS and value == "page" and name != "scroll":
        raise InvalidAction(f"{name} needs the id of an element, not the page")
    if key == "direction" and value not in DIRECTIONS:
        raise InvalidAction(f"there is no direction {_shown(value)}: up, down, left or right")
    if key == "url" and not is_web_address(str(value)):
        raise InvalidAction(f"{_shown(value)} is no address that begins with http:// or https://")
    if key == "index" and int(value) < 0:
        raise InvalidAction("tabs are counted from 0")
    if key == "ms" and not 0 <= int(value) <= _LONGEST_WAIT:
        raise InvalidAction(f"a wait is between 0 and {_LONGEST_WAIT} milliseconds")


def is_web_address(url: str) -> bool:
    """Whether it is a whole http(s) address: with a host, and without white space or a password."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    blank = any(char.isspace() or not char.isprintable() for char in url)
    return (
        parts.scheme in ("http", "https") and bool(host) and "@" not in parts.netloc and not blank
    )


def _told(wanted: tuple[tuple[str, type], ...]) -> str:
    return ", ".join(key for key, _ in wanted) if wanted else "no arguments"


def _shown(value: Arg | float) -> str:
    """What was written, on one line, short enough to be repeated."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return f"'{text[:_SHOWN]}…'" if len(text) > _SHOWN else f"'{text}'"
