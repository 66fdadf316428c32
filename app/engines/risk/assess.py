"""How hard one action on one page is to undo."""

from collections.abc import Callable, Mapping

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.risk import Risk
from app.engines.risk.addresses import deed_of
from app.engines.risk.commands import said
from app.engines.risk.controls import container, inside, is_submit
from app.engines.risk.places import is_record, is_saved_later, tagged
from app.engines.risk.pressing import LOW, SENDERS, chosen, high, medium, pressed, switched

_ENTERS = frozenset({"enter", "control+enter", "meta+enter", "return"})
_NEAR = 12.0  # CSS pixels from a centre that still hit a control whose box is not known


def assess(action: Action, node: Node | None, page: Observation) -> Risk:
    """The risk of an action on `page`; `node` is what it targets there, None for one without a target.

    `high`: what it does is hard to undo, by the control's own words, by the dialog or form that it
    answers or hands in, or by its address. `medium`: it changes what is stored. Entering a value is low.
    """
    judge = _BY_ACTION.get(action.name)
    return judge(action, node, page) if judge else LOW


def _click(action: Action, node: Node | None, page: Observation) -> Risk:
    return pressed(node, page) if node is not None else LOW


def _select(action: Action, node: Node | None, page: Observation) -> Risk:
    return chosen(node, str(action.args["label"]), page) if node is not None else LOW


def _check(action: Action, node: Node | None, page: Observation) -> Risk:
    return (
        switched(node, page)
        if node is not None and node.role == "chk"
        else _click(action, node, page)
    )


def _click_at(action: Action, node: Node | None, page: Observation) -> Risk:
    """What lies under the point: the most that any of it does."""
    x, y = float(action.args["x"]), float(action.args["y"])
    return _worst([pressed(n, page) for n in page.tree if _is_hit(n, x, y)])


def _is_hit(node: Node, x: float, y: float) -> bool:
    if node.box is not None:
        left, top, width, height = node.box
        return left <= x <= left + width and top <= y <= top + height
    return node.center is not None and abs(node.center[0] - x) + abs(node.center[1] - y) <= _NEAR


def _press_key(action: Action, node: Node | None, page: Observation) -> Risk:
    """Enter presses what has the focus, or hands in the form that it stands in; Delete takes away."""
    key = str(action.args["key"]).casefold().replace(" ", "") or " "
    held = [n for n in page.tree if "focused" in n.states]
    if key in ("delete", "backspace"):
        taken = next((n for n in held if n.role in ("row", "tree", "opt", "img")), None)
        return high("delete", taken.name, "") if taken else LOW
    if key not in (*_ENTERS, "space", " "):
        return LOW
    found = [
        pressed(n, page) for n in held if n.role not in ("chk", "rad") or key in ("space", " ")
    ]
    if key in _ENTERS:
        boxes = {container(n) for n in held if n.role in ("inp", "chk", "rad", "sel", "file")}
        found += [
            pressed(n, page) for n in page.tree.of_roles(SENDERS) if _hands_in(n, boxes, page)
        ]
    return _worst(found)


def _hands_in(node: Node, boxes: set[str | None], page: Observation) -> bool:
    if boxes == {None} and is_record(node.group):
        return False
    if not any(container(node) is None if box is None else inside(node, box) for box in boxes):
        return False
    return is_submit(node, page) or (
        None not in boxes and said(node.name).deed in ("send", "reply", "post")
    )


def _drag(action: Action, node: Node | None, page: Observation) -> Risk:
    onto = page.tree.get(str(action.args["targetId"]))
    if onto is None:
        return LOW
    words = said(onto.name)
    if tagged(onto.name, "bins"):
        return high("delete", onto.name, "")
    if words.manner == "deed" and words.sure and onto.role not in ("row", "inp"):
        return high(words.deed, onto.name, "")
    return medium(onto.name)


def _upload(action: Action, node: Node | None, page: Observation) -> Risk:
    if node is None or is_saved_later(node, page):
        return LOW
    places = (node.name, *(label for _, label in node.groups))
    public = next((text for text in places if tagged(text, "public_upload")), None)
    return high("publish", public, "") if public is not None else medium(node.name)


def _go(action: Action, node: Node | None, page: Observation) -> Risk:
    deed, part = deed_of(str(action.args["url"]))
    return high(deed, part, "") if deed else LOW


def _worst(found: list[Risk]) -> Risk:
    order = ("low", "medium", "high")
    return max(found, key=lambda risk: order.index(risk.level), default=LOW)


_BY_ACTION: Mapping[str, Callable[[Action, Node | None, Observation], Risk]] = {
    "click": _click,
    "clickAt": _click_at,
    "selectOption": _select,
    "setChecked": _check,
    "pressKey": _press_key,
    "dragTo": _drag,
    "uploadFile": _upload,
    "navigate": _go,
    "openTab": _go,
}
