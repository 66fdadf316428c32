"""What one action does on one page, as the trained classifier and the structure of the page tell."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from app.authorization import classify_press
from app.authorization.features import address_words
from app.domain.access import CONSEQUENTIAL, Effect, gravest
from app.domain.action import Action
from app.domain.page import Node, Observation, Tree
from app.page.controls import (
    ENTRIES,
    FORMS,
    affected_controls,
    controls_at,
    enclosing_form,
    is_inside,
    is_submit,
)
from app.text.lexicon import does, is_risky

_DELETES = frozenset({"delete", "backspace"})
_LISTED = frozenset({"row", "tree", "opt", "img"})
_BUTTONS = frozenset({"submit", "button", "image", "reset"})
_PASSIVE = frozenset({"txt", "tab", "range", "file"})
_LITTLE = 0.01  # of probability that a press does what its name says
_COMMANDS: Mapping[str, Effect] = {
    "destroys": "deletes",
    "spends": "pays",
    "tells": "sends",
    "decides": "sends",
    "grants": "grants",
}
_NOWHERE = Observation(url="", tree=Tree.of([]))


def assess_effect(action: Action, node: Node | None, page: Observation) -> Effect:
    """The effect of an action on `page`; `node` is what it targets there, None for one without a target."""
    match action.name:
        case "click" | "doubleClick" if action.target is not None:
            return _press(action, node, page)
        case "doubleClick" | "press" | "clickAt" | "pressKey" | "drag" | "draw":
            return _press_unnamed(action, node, page)
        case "selectOption" | "setChecked":
            return _choose(action, node, page)
        case "setValue" | "uploadFile":
            return "fills"
        case "dragTo":
            return _drag(action, page)
        case "navigate" | "openTab":
            return _go(str(action.args["url"]))
    return "reads"


def is_grave(action: Action, node: Node | None, page: Observation) -> bool:
    """Whether it deletes, pays, sends, publishes or grants."""
    return assess_effect(action, node, page) in CONSEQUENTIAL


def question_effect(question: str) -> Effect:
    """What a yes to a question of the browser does."""
    return name_effect("OK", f"dialog: {question}")


def name_effect(name: str, group: str = "") -> Effect:
    """What a button of that name does, as far as its name and the place called `group` tell."""
    return _classified(Node(id="", role="btn", name=name, group=group), _NOWHERE)


def _classified(node: Node, page: Observation, choice: str = "") -> Effect:
    """The classifier's view, but for a button whose own name is a command of weight: in a form or dialog it
    does what it says, elsewhere it takes little to be believed. What the network makes of the place of such
    a button varies from training to training.
    """
    found = classify_press(node, page, choice)
    if found.effect != "harmless":
        return found.effect
    kind = node.groups[-1][0] if node.groups else ""
    least = 0.0 if kind in FORMS else _LITTLE
    return _commanded(choice or node.name) if 1 - found.probabilities[0] >= least else "reads"


def _commanded(name: str) -> Effect:
    """What a name says as a command."""
    if not is_risky(name):
        return "reads"
    return gravest("reads", *(_COMMANDS[kind] for kind in does(name) if kind in _COMMANDS))


def _press(action: Action, node: Node | None, page: Observation) -> Effect:
    if node is None or node.role in _PASSIVE:
        return "reads"
    if node.role == "inp" and node.input_type not in _BUTTONS:
        return "reads"
    if node.role in ("chk", "rad", "opt", "sel"):
        return _choose(action, node, page)
    return gravest("saves" if is_submit(node, page) else "reads", _classified(node, page))


def _choose(action: Action, node: Node | None, page: Observation) -> Effect:
    """A box in no form takes effect at once; one in a form is handed in by its button. What is chosen from
    a list may be grave by its own name.
    """
    if node is None:
        return "fills"
    form = enclosing_form(node) if node.role == "chk" else None
    if form is not None and any(is_inside(one, form) and is_submit(one, page) for one in page.tree):
        return "fills"
    own: Effect = "saves" if node.role == "chk" and form is None else "fills"
    return gravest(own, _classified(node, page, str(action.args.get("label", ""))))


def _press_unnamed(action: Action, node: Node | None, page: Observation) -> Effect:
    """A point or a key: the gravest of what it may press. Delete takes away the record that has the focus."""
    if str(action.args.get("key", "")).casefold() in _DELETES:
        held = any("focused" in one.states and one.role in _LISTED for one in page.tree)
        return "deletes" if held else "reads"
    found = [_press(action, one, page) for one in (node, *affected_controls(action, page))]
    return gravest(*found)


def _drag(action: Action, page: Observation) -> Effect:
    """What the place does that it is dropped on, at a point the gravest of what is there; what is dropped
    into a record or a list is moved.
    """
    named = page.tree.get(str(action.args.get("targetId", "")))
    places = (named,) if named is not None else controls_at(action.points, page)
    onto = (one for one in places if one.role not in ("row", *ENTRIES))
    return gravest("saves", *(name_effect(one.name, one.group) for one in onto))


def _go(url: str) -> Effect:
    """Going to ".../users/4/delete" may delete, as a part of the path or a value of the query says; what
    sends, pays or grants is posted.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # no browser goes there
        return "reads"
    texts = (*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)))
    effects = [name_effect(address_words(f"/{text}")) for text in texts if text]
    return "deletes" if "deletes" in effects else "reads"
