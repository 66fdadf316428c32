"""What a skill may never do: press what was forbidden, make harm of a harmless action, hand in twice."""

from app.domain.action import Action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Deed
from app.engines.grounding.label import label
from app.engines.grounding.similarity import similarity
from app.engines.reasoner import Situation
from app.engines.risk import is_risky
from app.engines.risk.controls import is_submit

_FORBIDDEN = 0.6  # of the grounder's scale: a part of a longer label is meant as well
_PRESSES = frozenset({"click", "clickAt", "pressKey", "dragTo"})


def may_press(node: Node, situation: Situation, *, instead: Node | None) -> bool:
    """Whether a skill may press that control, `instead` of the one that was chosen.

    Nothing the person forbade, and nothing that is harder to undo than what was chosen.
    """
    if is_forbidden(node, situation):
        return False
    was_risky = instead is not None and is_risky(instead.name)
    was_submit = instead is not None and is_submit(instead, situation.page)
    if is_risky(node.name) and not was_risky:
        return False
    return was_submit or not is_submit(node, situation.page)


def is_forbidden(node: Node, situation: Situation) -> bool:
    """Whether the person asked not to touch it, or not to do what it does."""
    told = situation.plan.instruction or situation.instruction
    if told is None:
        return False
    if any(_names(target, node) for target in told.forbidden):
        return True
    first = label(node.name).meanings[:1]
    return any(
        is_submit(node, situation.page) if verb == "submit" else label(verb).meanings == first
        for verb in told.forbidden_verbs
    )


def _names(target: Target, node: Node) -> bool:
    if not target.phrase:
        return target.role == node.role
    return similarity(label(target.phrase), label(node.name)) >= _FORBIDDEN


def hands_in(deed: Deed, situation: Situation) -> bool:
    """Whether the deed may have handed something in, or done what is hard to undo."""
    if deed.action.name == "pressKey":
        return str(deed.action.args["key"]).lower() == "enter"
    if deed.action.name not in _PRESSES or deed.signature is None:
        return deed.action.name == "clickAt"
    if is_risky(deed.signature[1]):
        return True
    role, name, group = deed.signature
    node = situation.page.tree.get(deed.action.target or "")
    shown = node if node is not None else Node(id="", role=role, name=name, group=group)
    return is_submit(shown, situation.page)


def is_open(situation: Situation) -> bool:
    """Whether something was handed in for this step of which nobody knows whether it went through."""
    return any(
        deed.step == situation.plan.current
        and deed.status == "unknown"
        and hands_in(deed, situation)
        for deed in situation.deeds
    )


def was_done(action: Action, node: Node, situation: Situation) -> bool:
    """Whether that control was acted on in this step already, in that way."""
    return any(
        deed.step == situation.plan.current
        and deed.action.name == action.name
        and deed.signature is not None
        and deed.signature[:2] == node.signature[:2]
        for deed in situation.deeds
    )
