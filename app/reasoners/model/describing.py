"""A model's actions in the words that the panel shows."""

from app.domain.action import Action
from app.domain.page import Observation
from app.domain.plan import Proposal
from app.engines.planning.wording import quoted
from app.engines.redaction import SECRET_FIELD
from app.engines.refinement.messages import called

_PLAIN = {
    "goBack": "Go back",
    "closeTab": "Close the tab",
    "wait": "Wait {ms} ms",
    "pressKey": "Press {key}",
    "navigate": "Go to {url}",
    "openTab": "Open {url} in a new tab",
    "switchTab": "Go to tab {index}",
    "clickAt": "Click at {x}, {y}",
    "googleSearch": "Search the web for {query}",
    "extract": "Read from the page: {question}",
    "verifySuccess": "Check that {what}",
    "finish": "Finish",
    "fail": "Give up",
}
_ON_ELEMENT = {
    "click": "Click {where}",
    "hover": "Point at {where}",
    "scroll": "Scroll {where} {direction}",
    "uploadFile": "Upload {name} to {where}",
    "dragTo": "Drag {where} to {there}",
    "selectOption": "Choose {label} in {where}",
}


def proposal(action: Action, page: Observation, *, can_fail: bool = False) -> Proposal:
    """The action as it is proposed."""
    return Proposal(action=action, description=described(action, page), can_fail=can_fail)


def described(action: Action, page: Observation) -> str:
    """What a person would call it: "Enter 'Jas' in the 'Name' field"; no password is in it."""
    where, args = _called(action.args.get("id"), page), action.args
    if action.name == "setValue":
        return f"Enter {_typed(action, page)} in {where}"
    if action.name == "setChecked":
        return f"{'Check' if args['checked'] else 'Uncheck'} {where}"
    words = {key: quoted(value) if key in _QUOTED else value for key, value in _texts(args)}
    there = _called(args.get("targetId"), page)
    form = _PLAIN.get(action.name) or _ON_ELEMENT[action.name]
    return form.format(where=where, there=there, **words)


_QUOTED = frozenset({"label", "name", "query", "question"})


def _texts(args: dict[str, str | int | bool]) -> list[tuple[str, str]]:
    return [(key, str(value)) for key, value in args.items()]


def _called(element: object, page: Observation) -> str:
    if element == "page":
        return "the page"
    node = page.tree.get(str(element)) if element is not None else None
    return called(node) if node is not None else "it"


def _typed(action: Action, page: Observation) -> str:
    node = page.tree.get(action.target or "")
    if node is not None and (node.input_type == "password" or SECRET_FIELD.search(node.name)):
        return "the password" if node.input_type == "password" else "what you gave"
    return quoted(str(action.args["text"]))
