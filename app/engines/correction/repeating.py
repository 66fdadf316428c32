"""What must not be done again: handing something in of which nobody knows whether it went through."""

from app.domain.action import Action
from app.domain.page import Observation
from app.domain.plan import Deed, Refinement
from app.engines.correction.case import Case
from app.engines.reasoner import Situation

_PRESSING = frozenset({"click", "clickAt", "pressKey", "dragTo"})


def repeats_unknown(refinement: Refinement, situation: Situation) -> Deed | None:
    """The deed of unknown outcome that these proposals would do over, whoever proposes them."""
    here = tuple(deed for deed in situation.deeds if deed.step == situation.plan.current)
    open_ends = [
        deed
        for deed in here
        if deed.status == "unknown" and Case(deed=deed, page=situation.page, here=here).is_submit
    ]
    return next(
        (
            deed
            for deed in open_ends
            for proposal in refinement.proposals
            if _does_over(proposal.action, deed, situation.page)
        ),
        None,
    )


def _does_over(action: Action, deed: Deed, page: Observation) -> bool:
    """Whether the action acts on what the deed acted on, or presses the same key or point."""
    if action.name not in _PRESSING:
        return False
    node = page.tree.get(action.target or "")
    if node is not None and deed.signature is not None:
        return node.signature[:2] == deed.signature[:2]
    return action == deed.action
