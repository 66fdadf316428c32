"""A way through nested menus: each is pointed at, and clicked where pointing shows nothing."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.refinement.case import Case, act, one
from app.engines.refinement.exploring import explore
from app.engines.refinement.naming import called


def follow(case: Case) -> Refinement:
    """The next part of the way that is to be seen; the last one ends it."""
    names = [field.value for field in case.directive.fields]
    for at in range(len(names) - 1, -1, -1):
        grounding = case.find(Target(phrase=names[at], quoted=True))
        if grounding.outcome != "found":
            continue
        node = case.tree.by_id[grounding.chosen[0]]
        if at == len(names) - 1:
            return one(action("click", node.id), f"Choose {called(node)}")
        way_in = _way_in(case, node)
        if way_in is not None:
            return way_in
    target = Target(phrase=names[-1] if case.deeds else names[0], quoted=True)
    return explore(case, target)


def _way_in(case: Case, node: Node) -> Refinement | None:
    """Pointing at an item of a menu opens its submenu; anything else is opened by a click."""
    nested = node.role == "menu" or "haspopup" in node.states
    for name in ("hover", "click") if nested else ("click",):
        if not case.did(name, node):
            made = action("hover", node.id) if name == "hover" else action("click", node.id)
            words = f"{'Point at' if name == 'hover' else 'Open'} {called(node)}"
            return act([Proposal(action=made, description=words)], f"{words}.", completes=False)
    return None
