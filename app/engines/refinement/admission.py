"""What a reasoner proposed, checked against the page before it may be sent."""

from app.domain.action import DIRECTIONS, PARAMETERS, Action
from app.domain.page import Node, Tree
from app.domain.plan import Proposal, Refinement
from app.engines.refinement.case import missing
from app.engines.refinement.naming import called

FITTING: dict[str, frozenset[str]] = {
    "setValue": frozenset({"inp", "range", "el", "sel"}),
    "selectOption": frozenset({"sel"}),
    "setChecked": frozenset({"chk", "rad", "el", "btn", "menu"}),
    "uploadFile": frozenset({"file"}),
}
"""Roles an action can be done to; an action not named here fits any."""
IN_PLACE = frozenset({"scroll", "hover"})  # may be done to what is covered or disabled


def admit(refinement: Refinement, tree: Tree) -> Refinement:
    """The refinement with the proposals that can be executed on this page, up to the first that cannot.

    A proposal cut off leaves the step open. With none left it is `missing`, with what was wrong.
    """
    if refinement.outcome != "act":
        return refinement
    kept: list[Proposal] = []
    for proposal in refinement.proposals:
        wrong = objection(proposal.action, tree)
        if wrong is not None:
            return _cut(refinement, kept, wrong)
        kept.append(proposal)
    return refinement


def objection(made: Action, tree: Tree) -> str | None:
    """Why the action cannot be done on this page; None when it can."""
    names = tuple(name for name, _ in PARAMETERS[made.name])
    if set(made.args) != set(names):
        return f"{made.name} takes {', '.join(names) or 'nothing'}"
    if made.name == "scroll" and made.args["direction"] not in DIRECTIONS:
        return f"there is no direction “{made.args['direction']}”"
    for name in ("id", "targetId"):
        if name in made.args and made.args[name] != "page":
            wrong = _unfit(made, tree.get(str(made.args[name])))
            if wrong is not None:
                return wrong
    return None


def _unfit(made: Action, node: Node | None) -> str | None:
    if node is None:
        return "the page has no such element"
    if made.name in IN_PLACE:
        return None
    if "disabled" in node.states:
        return f"{called(node)} is disabled"
    if node.occluded:
        return f"{called(node)} is covered by something else"
    fitting = FITTING.get(made.name)
    if fitting is not None and node.role not in fitting:
        return f"{called(node)} cannot take {made.name}"
    return None


def _cut(refinement: Refinement, kept: list[Proposal], wrong: str) -> Refinement:
    if not kept:
        return missing(f"{wrong[:1].upper()}{wrong[1:]}.", refinement.candidates)
    return refinement.model_copy(update={"proposals": tuple(kept), "completes_step": False})
