"""Before a step is given up for want of its control: what hides it is put away first."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Deed, Refinement
from app.engines.correction.case import Case
from app.engines.correction.limits import limit_reached
from app.engines.correction.overlays import dismiss
from app.engines.grounding.label import label
from app.engines.reasoner import Situation

_FOUND = 0.6  # of the words of a control's name, in those of the step


def unblocked(found: Refinement, situation: Situation) -> Refinement | None:
    """How to uncover the control that the step needs; None where nothing that it names is covered.

    It is a try of the step like any other.
    """
    step, at = situation.plan.step, situation.plan.current
    if found.outcome != "missing" or found.maker != "rules" or step is None:
        return None
    if limit_reached(situation.deeds, at) is not None:
        return None
    text = f"{step.description} {found.reason}"
    meant = [node for node in situation.page.tree if node.occluded and _is_named(node, text)]
    here = tuple(deed for deed in situation.deeds if deed.step == at)
    for node in meant:
        wanted = Deed(
            action=action("click", node.id), step=at, signature=node.signature, status="failure"
        )
        case = Case(deed=wanted, page=situation.page, here=here, reason=found.reason)
        if (way := dismiss(case)) is not None:
            return way
    return None


def _is_named(node: Node, text: str) -> bool:
    """Whether the step's words name the control."""
    own = frozenset(label(node.name).stems)
    return bool(own) and len(own & frozenset(label(text).stems)) / len(own) >= _FOUND
