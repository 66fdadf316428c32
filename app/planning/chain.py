"""Which actions may be sent to the browser together."""

from app.authorization.assessment import is_grave
from app.domain.action import PRESSES, Action
from app.domain.page import Node, Observation
from app.domain.plan import Proposal
from app.page.controls import is_submit

LONGEST = 10  # actions; what a person can still follow, and a failure half-way still tells apart
_LEAVES = frozenset({"navigate", "goBack", "openTab", "switchTab", "closeTab"})

__all__ = ["LONGEST", "safe_prefix", "hands_in"]


def safe_prefix(proposals: tuple[Proposal, ...], page: Observation) -> tuple[Proposal, ...]:
    """The longest prefix that is sent without a look in between; the first is always in it.

    All act on controls that are there now. What leaves the page or hands a form in ends the chain,
    since what comes next is to be chosen on what it shows. Nothing follows what is hard to undo.
    The browser stops at the first action that fails, so a form is not handed in half filled. Past an action
    that may fail it goes on: nothing is handed in after such an entry into a field that must be filled.
    """
    taken: list[Proposal] = []
    for proposal in proposals[:LONGEST]:
        node = page.tree.get(proposal.action.target) if proposal.action.target else None
        if taken and not _may_follow(proposal.action, node, page):
            break
        if hands_in(proposal.action, page) and any(_may_lack(p, page) for p in taken):
            break
        taken.append(proposal)
        if not _may_go_on(proposal.action, node, page):
            break
    return tuple(taken)


def hands_in(action: Action, page: Observation) -> bool:
    """Whether the action may hand in what was entered before it."""
    if action.name == "pressKey":
        return str(action.args["key"]).lower() == "enter"
    node = page.tree.get(action.target or "")
    return action.name in PRESSES and node is not None and is_submit(node, page)


def _may_lack(proposal: Proposal, page: Observation) -> bool:
    """Whether a field that must be filled may be empty after it."""
    node = page.tree.get(proposal.action.target or "")
    return proposal.can_fail and node is not None and bool(node.states & {"required", "invalid"})


def _may_follow(action: Action, node: Node | None, page: Observation) -> bool:
    """Whether the action may come after others of the chain."""
    if action.target is None:
        return action.name not in _LEAVES
    if node is None:
        return False
    return action.name != "selectOption" or not node.options or action.args["label"] in node.options


def _may_go_on(action: Action, node: Node | None, page: Observation) -> bool:
    """Whether anything may come after the action."""
    if action.name == "pressKey":
        return str(action.args["key"]).lower() != "enter"
    if action.name in _LEAVES or is_grave(action, node, page):
        return False
    if action.name in PRESSES and node is not None:
        return node.role != "link" and not is_submit(node, page)
    return True
