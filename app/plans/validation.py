"""Parses actions written by a model (`setValue("14", "Jas")`, `click(14)?`), and validates them
against the page.

    action  = name "(" [value *("," value)] ")" ["?"] [";"]
    value   = string | integer | "true" | "false"
    string  = in JSON's double quotes, or in single quotes

One action per text. Ids may be numbers if they are digits only; decimal coordinates are rounded. A
trailing `?` marks an action that may fail.
"""

import json
import unicodedata
from collections.abc import Collection
from typing import cast
from urllib.parse import urlsplit

from app.authorization import is_grave
from app.domain.action import (
    ACTION_NAMES,
    DIRECTIONS,
    PAGE_WIDE,
    PARAMETERS,
    PRESSES,
    Action,
    ActionName,
    Arg,
    Point,
    parameters_of,
)
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Proposal
from app.errors import InvalidAction
from app.page import is_submit
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
    name = cast("ActionName", call[1])
    values = _values(call[2], name)
    parameters = parameters_of(name, len(values))
    if len(values) != len(parameters):
        takes = ", ".join(key for key, _ in parameters) or "no arguments"
        raise InvalidAction(f"{name} takes {takes}, not {len(values)} arguments")
    args = {
        key: _taken(name, key, kind, value)
        for (key, kind), value in zip(parameters, values, strict=True)
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
    text = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return f"'{text[:_SHOWN]}…'" if len(text) > _SHOWN else f"'{text}'"


LONGEST = 10  # actions; few enough for a person to follow and to locate a failure
_LEAVES = frozenset({"navigate", "goBack", "openTab", "switchTab", "closeTab"})


def safe_prefix(proposals: tuple[Proposal, ...], page: Observation) -> tuple[Proposal, ...]:
    """Return the longest prefix, at least one proposal, that is safe to send in one chain.

    All of them act on controls that exist now. Leaving the page or submitting a form ends the
    chain, since the next action depends on the result. Nothing follows an irreversible action. The
    browser stops at the first failed action, so a form is not submitted half filled. It continues
    past an action that may fail, so nothing is submitted after such an entry into a required field.
    """
    taken: list[Proposal] = []
    for proposal in proposals[:LONGEST]:
        node = page.tree.get(proposal.action.target) if proposal.action.target else None
        if taken and not _may_follow(proposal.action, node, page):
            break
        if may_submit(proposal.action, page) and any(_may_lack(p, page) for p in taken):
            break
        taken.append(proposal)
        if not _may_go_on(proposal.action, node, page):
            break
    return tuple(taken)


def may_submit(action: Action, page: Observation) -> bool:
    if action.name == "pressKey":
        return str(action.args["key"]).lower() == "enter"
    node = page.tree.get(action.target or "")
    return action.name in PRESSES and node is not None and is_submit(node, page)


def _may_lack(proposal: Proposal, page: Observation) -> bool:
    """Whether a required field may be empty after the action."""
    node = page.tree.get(proposal.action.target or "")
    return proposal.can_fail and node is not None and bool(node.states & {"required", "invalid"})


def _may_follow(action: Action, node: Node | None, page: Observation) -> bool:
    if action.target is None:
        return action.name not in _LEAVES
    if node is None:
        return False
    return action.name != "selectOption" or not node.options or action.args["label"] in node.options


def _may_go_on(action: Action, node: Node | None, page: Observation) -> bool:
    if action.name == "pressKey":
        return str(action.args["key"]).lower() != "enter"
    if action.name in _LEAVES or is_grave(action, node, page):
        return False
    if action.name in PRESSES and node is not None:
        return node.role != "link" and not is_submit(node, page)
    return True


TYPED_INTO = frozenset({"inp", "sel", "range", "el", "file", "opt"})
CHOSEN_FROM = frozenset({"sel", "inp", "btn", "el", "opt", "menu", "link", "rad", "range"})
CHECKED = frozenset({"chk", "rad", "btn", "el", "opt", "menu", "row", "tree"})
# Roles that never accept a file; file fields, drop zones and buttons do.
NOT_FOR_FILES = frozenset({"sel", "chk", "rad", "opt", "txt", "range", "tab", "menu", "tree"})
ROLES = {"setValue": TYPED_INTO, "selectOption": CHOSEN_FROM, "setChecked": CHECKED}
MOST_OPTIONS = 20  # option labels the extension sends per list; the rest is unknown
_MORE = patterns.compile(r"… \d+ more")  # the extension's mark for further options
TOLD_OPTIONS = 8  # labels quoted in an error


def validate_action(
    action: Action,
    tree: Tree,
    page: Observation | None = None,
    *,
    first: bool = True,
    files: Collection[str] = (),
) -> None:
    """Raise `InvalidAction` if the page cannot carry out the action as it is.

    With `page`, the action is also checked against the window, the tabs and what covers its
    element. Rules may try a covered element and uncover it on failure. Later actions of a chain
    (not `first`) may use elements that an earlier one enables or uncovers. `files` lists readable
    file names.
    """
    for name, kind in action.parameters:
        if not isinstance(action.args.get(name), kind):
            raise InvalidAction(f"{action.name} needs {name}")
    _check_values(action)
    if page is not None:
        _check_surroundings(action, page)
    for key in ("id", "targetId"):
        element_id = action.args.get(key)
        if element_id is None or (element_id == "page" and action.name in PAGE_WIDE):
            continue
        if action.name == "read" and element_id in files:
            continue
        node = tree.get(str(element_id))
        if node is None:
            raise InvalidAction(f"the page holds no element {element_id}")
        if key == "id":
            _fits(action, node)
            if first and action.name not in ("hover", "scroll", "wait"):
                _is_within_reach(node, page)


def _check_values(action: Action) -> None:
    if action.name == "scroll" and action.args.get("direction", "up") not in DIRECTIONS:
        raise InvalidAction(f"there is no direction '{action.args['direction']}'")
    if action.name == "pressKey" and not is_key(str(action.args["key"])):
        raise InvalidAction(f"there is no key '{action.args['key']}'")
    if action.name in ("navigate", "openTab") and not is_web_address(str(action.args["url"])):
        raise InvalidAction(f"'{action.args['url']}' is no address of the web")


def _check_surroundings(action: Action, page: Observation) -> None:
    """Reject points outside the window, and tabs outside the task, which are private."""
    for x, y in action.points if page.viewport is not None else ():
        width, height = page.viewport or (0.0, 0.0)
        if not (0 <= x < width and 0 <= y < height):
            raise InvalidAction(
                f"{x}, {y} is outside of the window, which is {width:.0f} by {height:.0f}"
            )
    if action.name == "switchTab":
        there = sorted(tab.index for tab in page.tabs)
        if action.args["index"] not in there:
            raise InvalidAction(f"there is no tab {action.args['index']}, only {there}")


def _is_within_reach(node: Node, page: Observation | None) -> None:
    if "disabled" in node.states:
        raise InvalidAction(f"'{node.name}' is disabled")
    if page is not None and node.occluded:
        raise InvalidAction(f"'{node.name}' is covered by something else")


def _fits(action: Action, node: Node) -> None:
    roles = ROLES.get(action.name)
    if roles is not None and node.role not in roles:
        raise InvalidAction(f"{action.name} does not fit '{node.name}', which is a {node.role}")
    if action.name == "uploadFile" and node.role in NOT_FOR_FILES:
        raise InvalidAction(f"'{node.name}' is a {node.role} and takes no file")
    if action.name == "selectOption" and not _may_offer(node, str(action.args["label"])):
        offered = ", ".join(f"'{option}'" for option in node.options[:TOLD_OPTIONS])
        raise InvalidAction(f"'{node.name}' offers no '{action.args['label']}', only {offered}")


def _may_offer(node: Node, label: str) -> bool:
    """Whether the list may offer the option; only native lists are sent completely."""
    if _MORE.fullmatch(label):
        return False
    complete = 0 < len(node.options) <= MOST_OPTIONS
    if not complete or not (node.input_type or "").startswith("select-"):
        return True
    folded_label = " ".join(label.split()).casefold()
    return any(" ".join(option.split()).casefold() == folded_label for option in node.options)


_NAMED = frozenset(
    {"enter", "escape", "tab", "backspace", "delete", "arrowup", "arrowdown", "arrowleft"}
    | {"arrowright", "home", "end", "pageup", "pagedown", "insert", "esc", "return", "space"}
    | {"spacebar", "del", "up", "down", "left", "right", "pgup", "pgdn"}
    | {f"f{number}" for number in range(1, 13)}
)
_MODIFIERS = frozenset({"control", "shift", "alt", "meta", "ctrl", "cmd", "command", "option"})


def is_key(text: str) -> bool:
    """Whether the text is a key or chord of `KeyboardEvent.key` names: "Enter", "Control+A"."""
    if text == "+":
        return True
    *held, key = (part.lower() for part in patterns.split(r"\s*\+\s*(?=.)", text))
    known = len(key) == 1 or key in _NAMED or key in _MODIFIERS
    return known and _MODIFIERS.issuperset(held)
