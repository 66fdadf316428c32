"""What shows on the page at once and is not the end of it: refused, or still to be answered."""

from app.domain.action import Action
from app.domain.page import Node
from app.engines.risk.controls import container, is_submit
from app.engines.verification.evidence import Evidence, Scene, unclear, yes
from app.engines.verification.explain import quote
from app.engines.verification.messages import GOING_ON

_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_TOGGLES = frozenset({"chk", "rad"})
_SENDS = frozenset({"click", "clickAt", "pressKey", "setChecked", "selectOption", "dragTo"})
_LEFT = 0.66  # DESIGN completes a task from 0.70 on: the step was done, but the page objects


def with_complaint(found: Evidence, scene: Scene, action: Action) -> Evidence:
    """The evidence of an entry, of which less is left where the page tells of an error.

    Where a button hands the fields in, an error is about what is still to be entered; where there
    is none, what was entered is saved at once, and the error says that it was not.
    """
    if not found.happened or not scene.diff.errors or action != scene.chain.actions[-1].action:
        return found
    node = scene.was(action) or scene.now(action)
    enters = action.name in _ENTERS or (
        action.name == "click" and node is not None and node.role in _TOGGLES
    )
    if not enters or node is None or _is_handed_in(node, scene):
        return found
    why = f"{found.why}; but the page says: {quote(scene.diff.errors[0])}"
    return yes(min(found.confidence, _LEFT), why)


def with_pending(found: Evidence, scene: Scene, action: Action) -> Evidence:
    """The evidence, unless it is what a page shows before its server has answered.

    A message, another page or a dialog is an answer; a state, a line or a form that goes may be shown
    in the hope of one, and be taken back.
    """
    if not (found.happened and scene.pending) or action != scene.chain.actions[-1].action:
        return found
    diff = scene.diff
    answered = diff.successes or diff.opened or diff.address.page or diff.address.query
    if answered or action.name not in _SENDS:
        return found
    return unclear(0.4, f"{GOING_ON}: {found.why}, but the server has not answered yet")


def _is_handed_in(node: Node, scene: Scene) -> bool:
    group = container(node)
    return any(
        other.role in ("btn", "img", "inp") and container(other) == group
        and is_submit(other, scene.before)
        for other in scene.before.tree
    )  # fmt: skip
