"""Which actions may be sent to the browser together."""

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Proposal
from app.engines.risk import risk_of
from app.engines.risk.controls import container, is_opener, is_submit

LONGEST = 10  # actions; what a person can still follow, and a failure half-way still tells apart
_ENTERS = frozenset({"setValue", "selectOption", "setChecked"})
_PREPARES = frozenset({"wait", "scroll", "hover"})
_EDITING = frozenset({"control+a", "control+c", "control+x", "control+v"})

__all__ = ["LONGEST", "chain", "hands_in"]


def chain(proposals: tuple[Proposal, ...], page: Observation) -> tuple[Proposal, ...]:
    """The longest prefix that is safe to run without a look in between; the first is always in it.

    All act in one form or container, on controls that are there and enabled now. Entering a value
    may be followed by anything of the kind, unless the field asks the server for suggestions. A
    submit (or Enter) ends the chain and may be in it when it is not risky: the browser stops at the
    first action that fails, so it is not handed in half filled. A text field may be clicked for the
    chords of the clipboard that follow. Everything else stands alone.

    Past an action that may fail the browser goes on. So nothing is handed in after such an entry
    into a field that must be filled.
    """
    taken: list[Proposal] = []
    places: set[str | None] = set()
    for proposal in proposals[:LONGEST]:
        node = page.tree.get(proposal.action.target) if proposal.action.target else None
        if taken and not _may_follow(proposal.action, node, page, places):
            break
        if taken and _focuses(taken[-1], page) and not _edits(proposal.action):
            break
        if hands_in(proposal.action, page) and any(_may_lack(p, page) for p in taken):
            break
        taken.append(proposal)
        if node is not None:
            places.add(container(node))
        if not _may_go_on(proposal.action, node):
            break
    return tuple(taken)


def hands_in(action: Action, page: Observation) -> bool:
    """Whether the action may hand in what was entered before it."""
    if action.name == "pressKey":
        return str(action.args["key"]).lower() == "enter"
    node = page.tree.get(action.target or "")
    return action.name == "click" and node is not None and is_submit(node, page)


def _may_lack(proposal: Proposal, page: Observation) -> bool:
    """Whether a field that must be filled may be empty after it."""
    node = page.tree.get(proposal.action.target or "")
    return proposal.can_fail and node is not None and bool(node.states & {"required", "invalid"})


def _may_follow(
    action: Action, node: Node | None, page: Observation, places: set[str | None]
) -> bool:
    """Whether the action may come after others of the chain."""
    if action.name in _PREPARES:
        return True
    if action.name == "pressKey":
        return _edits(action) or str(action.args["key"]).lower() in ("enter", "tab")
    if node is None or not node.enabled or (places and container(node) not in places):
        return False
    if risk_of(action, node) == "high":
        return False
    if action.name == "selectOption" and node.options and action.args["label"] not in node.options:
        return False
    if action.name == "click":
        return not places or node.role in ("chk", "rad", "inp") or is_submit(node, page)
    return action.name in _ENTERS


def _may_go_on(action: Action, node: Node | None) -> bool:
    """Whether anything may come after the action."""
    if action.name in _PREPARES:
        return True
    if action.name == "pressKey":
        return _edits(action) or str(action.args["key"]).lower() == "tab"
    if node is None:
        return False
    if action.name == "click":
        return node.role in ("chk", "rad") or _is_plain_field(node)
    if action.name == "setValue" and is_opener(node):
        return False
    return action.name in _ENTERS


def _edits(action: Action) -> bool:
    return action.name == "pressKey" and str(action.args["key"]).lower() in _EDITING


def _focuses(proposal: Proposal, page: Observation) -> bool:
    node = page.tree.get(proposal.action.target or "")
    return proposal.action.name == "click" and node is not None and _is_plain_field(node)


def _is_plain_field(node: Node) -> bool:
    return node.role == "inp" and not is_opener(node)
