"""What the person asked not to be done is not done, whatever proposes it."""

from app.domain.directive import Target, Verb
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, missing
from app.engines.risk import controls
from app.engines.risk.controls import touched

TOUCHING = frozenset({"click", "setValue", "selectOption", "setChecked", "dragTo", "uploadFile"})


def without_forbidden(case: Case, refinement: Refinement) -> Refinement:
    """The refinement, or why it cannot be when it would touch what was forbidden."""
    instruction = case.situation.plan.instruction
    if instruction is None or refinement.outcome != "act":
        return refinement
    for proposal in refinement.proposals:
        for node in _worked_on(case, proposal):
            named = next((t for t in instruction.forbidden if _is(case, t, node)), None)
            if named is not None:
                return missing(f"You asked not to touch {thing(named)}, and this step needs it.")
            verb = next(
                (v for v in instruction.forbidden_verbs if _does(case, v, node, proposal)), None
            )
            if verb is not None:
                return missing(f"You asked not to {verb}, and this step needs it.")
    return refinement


def _worked_on(case: Case, proposal: Proposal) -> tuple[Node, ...]:
    """What the action touches: what it names, lies under its point, or is handed in by its key."""
    if proposal.action.name not in TOUCHING:
        return touched(proposal.action, case.page)
    node = case.tree.get(proposal.action.target or "")
    return (node,) if node is not None else ()


def _is(case: Case, target: Target, node: Node) -> bool:
    return node.id in case.find(target).chosen


def _does(case: Case, verb: Verb, node: Node, proposal: Proposal) -> bool:
    if proposal.action.name not in ("click", "clickAt", "pressKey"):
        return False
    if verb == "submit" and case.directive.verb == "submit":
        return False  # another way to hand it in, which was asked for by its own word
    if verb == "submit":
        return controls.is_submit(node, case.page)
    return label(verb).meanings == label(node.name).meanings[:1]
