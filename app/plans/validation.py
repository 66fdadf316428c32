"""Validates proposals against the page before they are sent."""

from collections.abc import Collection

from app.authorization import is_grave
from app.domain.action import DIRECTIONS, PAGE_WIDE, PRESSES, Action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Proposal
from app.errors import InvalidAction
from app.page import is_submit
from app.plans.action_grammar import is_web_address
from app.text import patterns

LONGEST = 10  # actions; few enough for a person to follow and to locate a failure
_LEAVES = frozenset({"navigate", "goBack", "openTab", "switchTab", "closeTab"})

__all__ = ["LONGEST", "may_submit", "safe_prefix"]


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
    """Whether the action may submit a form."""
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
        wanted = action.args.get(key)
        if wanted is None or (wanted == "page" and action.name in PAGE_WIDE):
            continue
        if action.name == "read" and wanted in files:
            continue
        node = tree.get(str(wanted))
        if node is None:
            raise InvalidAction(f"the page holds no element {wanted}")
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
    wanted = " ".join(label.split()).casefold()
    return any(" ".join(option.split()).casefold() == wanted for option in node.options)


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
