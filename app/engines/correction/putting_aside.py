"""What only puts something aside hands nothing in: the one question is whether that is gone."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Deed, Refinement
from app.engines.contingency import is_aside
from app.engines.correction.case import act
from app.engines.correction.overlays import DISMISS
from app.engines.reasoner import Situation
from app.engines.risk.controls import container, dismisses


def only_puts_aside(deed: Deed) -> bool:
    """Whether the action closes or refuses something and does nothing else."""
    if deed.action.name == "pressKey":
        return str(deed.action.args["key"]).lower() == "escape"
    if deed.action.name not in ("click", "clickAt") or deed.signature is None:
        return False
    role, name, group = deed.signature
    return dismisses(Node(id="", role=role, name=name, group=group))


def put_aside(situation: Situation, failed: Deed, here: tuple[Deed, ...]) -> Refinement | None:
    """How to go on after a step that only clears the way, of which nobody can tell whether it did.

    Where what was to go is gone, it is done; else Escape is pressed once, and then the plan goes on
    without it. None for any other action. It is never waited for as for an answer.
    """
    step = situation.plan.step
    if step is None or not is_aside(step) or failed.status != "unknown":
        return None
    if not only_puts_aside(failed):
        return None
    if not _stands(failed, situation):
        return Refinement(outcome="done", reason="What was in front is gone")
    escape = action("pressKey", "Escape")
    if any(deed.action.text == escape.text for deed in here):
        return Refinement(outcome="missing", reason="What is in front could not be put aside")
    return act(DISMISS, "It is still in front", (escape, "Press Escape"), completes=True)


def _stands(failed: Deed, situation: Situation) -> bool:
    """Whether the dialog it was pressed in, or else the control itself, is still there."""
    if failed.signature is None:
        return False
    place = container(Node(id="", role="btn", group=failed.signature[2]))
    if place is not None:
        return any(container(node) == place for node in situation.page.tree)
    return any(node.signature == failed.signature for node in situation.page.tree)
