"""Parses actions written by a model: `setValue("14", "Jas")`, `click(14)?`.

    action  = name "(" [value *("," value)] ")" ["?"] [";"]
    value   = string | integer | "true" | "false"
    string  = in JSON's double quotes, or in single quotes

One action per text. Ids may be numbers if they are digits only; decimal coordinates are rounded. A
trailing `?` marks an action that may fail.
"""

import json
import unicodedata
from typing import cast
from urllib.parse import urlsplit

from app.domain.action import (
    ACTION_NAMES,
    DIRECTIONS,
    PAGE_WIDE,
    PARAMETERS,
    Action,
    ActionName,
    Arg,
    Point,
    parameters_of,
)
from app.errors import InvalidAction
from app.text import patterns

LONGEST_VALUE = 2_000  # characters of one value
_LONGEST_TEXT = 3 * LONGEST_VALUE  # characters of a call: two values with their escapes
_LARGEST = 10**9  # fits every store's integer
LONGEST_PRESS = 10_000  # ms to hold a control down
_LONGEST_WAIT = 30_000  # ms; also the extension's limit
_SHOWN = 40  # characters quoted in an error

_CALL = patterns.compile(r"\s*([A-Za-z]+)\s*\((.*)\)\s*(\?)?\s*;?\s*", patterns.DOTALL)
_STRING = patterns.compile(r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'""", patterns.DOTALL)
_INNER = patterns.compile(r"""\\(.)|(")""", patterns.DOTALL)
_IDS = frozenset({"id", "targetId"})
_ROUNDED = frozenset({"x", "y", "x1", "y1", "x2", "y2"})
MOST_POINTS = 500  # points of a drawn line
_NOT_BLANK = frozenset({*_IDS, "key", "url", "query", "question", "name", "what"})


def parse_action(text: str) -> tuple[Action, bool]:
    """Parse an action and whether it may fail.

    Raises `InvalidAction` with a reason worded for the model.
    """
    if len(text) > _LONGEST_TEXT:
        raise InvalidAction(f"an action of {len(text)} characters is too long")
    call = _CALL.fullmatch(text)
    if call is None:
        raise InvalidAction(f"{_shown(text)} is not one action written as name(arguments)")
    if call[1] not in PARAMETERS:
        raise InvalidAction(
            f"there is no action {_shown(call[1])}; there are {', '.join(ACTION_NAMES)}"
        )
    name = cast(ActionName, call[1])
    values = _values(call[2], name)
    wanted = parameters_of(name, len(values))
    if len(values) != len(wanted):
        takes = ", ".join(key for key, _ in wanted) or "no arguments"
        raise InvalidAction(f"{name} takes {takes}, not {len(values)} arguments")
    args = {
        key: _taken(name, key, kind, value)
        for (key, kind), value in zip(wanted, values, strict=True)
    }
    return Action(name=name, args=args), call[3] is not None


def _values(inside: str, name: str) -> list[Arg | float]:
    """Return the arguments; a number is an int, or a float if it has a decimal point."""
    odd = (
        f"{_shown(inside)} is not an argument of {name}: texts go in double quotes "
        'with \\" for a quote inside, numbers and true or false without'
    )
    written = _STRING.sub(lambda one: f'"{_INNER.sub(_as_json, one[0][1:-1])}"', inside)
    try:
        found = json.loads(f"[{written}]", strict=False)
    except (ValueError, RecursionError) as error:
        escape = f"{_shown(inside)} holds an escape that JSON does not know"
        raise InvalidAction(escape if "escape" in str(error) else odd) from None
    if name == "draw" and len(found) == 1 and isinstance(found[0], list):
        return [_points(found[0])]
    for value in found:
        if not isinstance(value, str | int | float):
            raise InvalidAction(odd)
        _check_size(value)
    return list(found)


def _points(found: list[object]) -> tuple[Point, ...]:
    if not 1 < len(found) <= MOST_POINTS:
        raise InvalidAction(f"draw takes 2 to {MOST_POINTS} points, not {len(found)}")
    points: list[Point] = []
    for one in found:
        if not isinstance(one, list) or [type(n) in (int, float) for n in one] != [True, True]:
            raise InvalidAction(f"{_shown(str(one))} is no point: write [x, y]")
        x, y = one
        if not max(abs(x), abs(y)) < _LARGEST:
            raise InvalidAction(f"{_shown(str(one))} is too large a number")
        points.append((round(x), round(y)))
    return tuple(points)


def _check_size(value: str | float) -> None:
    if not isinstance(value, str):
        if not abs(value) < _LARGEST:
            raise InvalidAction(f"{_shown(value)} is too large a number")
    elif len(value) > LONGEST_VALUE:
        raise InvalidAction(f"a text of {len(value)} characters is longer than {LONGEST_VALUE}")
    elif any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t\r" for c in value):
        raise InvalidAction(f"{_shown(value)} holds control characters")


def _as_json(part: patterns.Match) -> str:
    if part[2]:
        return '\\"'
    return "'" if part[1] == "'" else part[0]


def _taken(name: ActionName, key: str, kind: type, value: Arg | float) -> Arg:
    """Convert the value to the parameter's type."""
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


_KINDS = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    tuple: "a list of points",
}


def _check(name: ActionName, key: str, value: Arg) -> None:
    """Raise `InvalidAction` for a value that no page accepts."""
    if key in _IDS and value == "page" and name not in PAGE_WIDE:
        raise InvalidAction(f"{name} needs the id of an element, not the page")
    if key == "direction" and value not in DIRECTIONS:
        raise InvalidAction(f"there is no direction {_shown(value)}: up, down, left or right")
    if key == "url" and not is_web_address(str(value)):
        raise InvalidAction(f"{_shown(value)} is no address that begins with http:// or https://")
    if key == "index" and isinstance(value, int) and value < 0:
        raise InvalidAction("tabs are counted from 0")
    if key == "ms" and isinstance(value, int) and not 0 <= value <= _longest(name):
        raise InvalidAction(f"the ms of {name} are between 0 and {_longest(name)}")


def _longest(name: ActionName) -> int:
    return LONGEST_PRESS if name == "press" else _LONGEST_WAIT


def is_web_address(url: str) -> bool:
    """Whether the URL is http(s) with a host and without white space or a password."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    blank = any(char.isspace() or not char.isprintable() for char in url)
    return (
        parts.scheme in ("http", "https") and bool(host) and "@" not in parts.netloc and not blank
    )


def _shown(value: Arg | float) -> str:
    """Shorten the written value to one line."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return f"'{text[:_SHOWN]}…'" if len(text) > _SHOWN else f"'{text}'"
