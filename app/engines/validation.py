"""What is proposed is checked against the tree before it may reach the browser."""

from app.domain.action import DIRECTIONS, PARAMETERS, Action
from app.domain.page import Node, Tree
from app.errors import InvalidAction

TYPED_INTO = frozenset({"inp", "sel", "range", "el", "file", "opt"})
CHOSEN_FROM = frozenset({"sel", "inp", "btn", "el", "opt", "menu", "link", "rad", "range"})
CHECKED = frozenset({"chk", "rad", "btn", "el", "opt", "menu", "row", "tree"})
ROLES = {"setValue": TYPED_INTO, "selectOption": CHOSEN_FROM, "setChecked": CHECKED}


def check(action: Action, tree: Tree) -> None:
    """Raise `InvalidAction` when the page cannot carry the action out as it stands."""
    for name, kind in PARAMETERS[action.name]:
        if not isinstance(action.args.get(name), kind):
            raise InvalidAction(f"{action.name} needs {name}")
    if action.name == "scroll" and action.args["direction"] not in DIRECTIONS:
        raise InvalidAction(f"there is no direction '{action.args['direction']}'")
    for key in ("id", "targetId"):
        wanted = action.args.get(key)
        if wanted is None or wanted == "page":
            continue
        node = tree.get(str(wanted))
        if node is None:
            raise InvalidAction(f"the page holds no element {wanted}")
        if key == "id":
            _fits(action, node)


def _fits(action: Action, node: Node) -> None:
    if "disabled" in node.states and action.name not in {"hover", "scroll"}:
        raise InvalidAction(f"'{node.name}' is disabled")
    if "readonly" in node.states and action.name == "setValue" and node.role != "sel":
        raise InvalidAction(f"'{node.name}' cannot be changed")
    roles = ROLES.get(action.name)
    if roles is not None and node.role not in roles:
        raise InvalidAction(f"{action.name} does not fit '{node.name}', which is a {node.role}")
