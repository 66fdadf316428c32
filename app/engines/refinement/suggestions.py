"""Suggestions that come up while a value is typed."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.refinement.case import Case, one
from app.engines.refinement.naming import called
from app.engines.refinement.values import option_for

POPUP = frozenset({"haspopup", "expanded", "collapsed"})


def suggests(node: Node) -> bool:
    """Whether typing into it brings up a list to choose from."""
    return node.role == "inp" and (bool(node.states & POPUP) or node.input_type == "combobox")


def pick_suggestion(case: Case) -> Refinement | None:
    """The suggestion that is what was typed last for this step, while its list is open."""
    last = case.work[-1] if case.work else None
    if last is None or last is not case.last or last.action.name != "setValue":
        return None
    typed = str(last.action.args["text"])
    offered = [node for node in case.tree if node.role == "opt" and node.enabled]
    chosen = option_for(tuple(node.name for node in offered), typed)
    if chosen is None:
        return None
    node = next(node for node in offered if node.name == chosen)
    return one(action("click", node.id), f"Choose {called(node)}")
