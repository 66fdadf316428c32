"""A skill's way as actions on the page as it is."""

from dataclasses import dataclass

from app.domain.action import Action, action
from app.domain.page import Node
from app.domain.plan import Proposal
from app.domain.skill import Skill
from app.engines.grammar import parse_action
from app.engines.lessons import ways
from app.engines.lessons.bounds import is_forbidden, may_press, was_done
from app.engines.lessons.matching import found, same_name
from app.engines.reasoner import Situation
from app.engines.risk import is_risky
from app.engines.risk.controls import dismisses, is_closed, is_submit
from app.errors import InvalidAction

_VIEW = 800.0  # CSS px; the height of a usual window, where the page does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What goes `before` the chosen action, and what is done `instead` of it.

    `alone`: what goes before is sent by itself, since the page looks another way after it.
    """

    before: tuple[Proposal, ...] = ()
    instead: Proposal | None = None
    alone: bool = False


def parts_of(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    """The skill's way for the `chosen` action; None where this page has no room for it."""
    match skill.successful_action.strategy:
        case ways.WAIT | ways.REFIND:
            return _waiting(skill)
        case ways.SCROLL:
            return _scrolling(skill, chosen, situation)
        case ways.DISMISS:
            return _dismissing(skill, chosen, situation)
        case ways.OPEN:
            return _opening(skill, chosen, situation)
        case ways.FILL:
            return _filling(skill, situation)
        case ways.ALTERNATIVE:
            return _other(skill, chosen, situation)
        case ways.AT_CENTRE:
            return _at_centre(skill, chosen, situation)
        case ways.KEYBOARD:
            return _by_key(skill, chosen, situation)
    return None


def _proposal(skill: Skill, doing: Action, words: str) -> Proposal:
    return Proposal(action=doing, description=words, skill=skill.skill_id)


def _waiting(skill: Skill) -> Parts:
    """Time for the page. Where the control was drawn anew, it is looked up again after the wait."""
    pause = min(_pause(skill), ways.LONGEST_WAIT)
    wait = _proposal(skill, action("wait", pause), "Wait until the page is ready")
    return Parts(before=(wait,), alone=skill.successful_action.strategy == ways.REFIND)


def _pause(skill: Skill) -> int:
    try:
        kept, _ = parse_action(skill.successful_action.action)
    except InvalidAction:
        return ways.SHORT_WAIT
    return int(kept.args["ms"]) if kept.name == "wait" else ways.SHORT_WAIT


def _scrolling(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    node = situation.page.tree.get(chosen.action.target or "")
    if node is None or node.center is None:
        return None
    height = situation.page.viewport[1] if situation.page.viewport else _VIEW
    if 0 <= node.center[1] <= height:
        return None
    move = action("scroll", "page", "up" if node.center[1] < 0 else "down")
    return Parts(before=(_proposal(skill, move, f"Scroll to {node.name}"),))


def _dismissing(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    """Only while it is there: the control that closes it, or for Escape anything in front."""
    target = situation.page.tree.get(chosen.action.target or "")
    element = skill.successful_action.element
    if element is not None:
        node = found(element, situation.page.tree)
        if node is None or node == target or not _closes(node, situation):
            return None
        press = _proposal(skill, action("click", node.id), f"Click {node.name}")
        return Parts(before=(press,), alone=True)
    if target is None or not target.occluded:
        return None
    return Parts(
        before=(_proposal(skill, action("pressKey", "Escape"), "Press Escape"),), alone=True
    )


def _closes(node: Node, situation: Situation) -> bool:
    """Whether it takes away what stands in front and does nothing else: by its name, or since it
    closed that dialog before.
    """
    if is_forbidden(node, situation) or is_risky(node.name):
        return False
    if is_submit(node, situation.page):
        return False
    return dismisses(node) or any(kind == "dialog" for kind, _ in node.groups)


def _opening(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    """The menu that held it, only where it is there and closed: pressed again it would be shut."""
    node = found(skill.successful_action.element, situation.page.tree)
    if node is None or node.id == chosen.action.target or not is_closed(node) or node.occluded:
        return None
    if is_forbidden(node, situation) or is_risky(node.name):
        return None
    press = action("click", node.id)
    if was_done(press, node, situation):
        return None
    return Parts(before=(_proposal(skill, press, f"Open {node.name or 'the menu'}"),), alone=True)


def _filling(skill: Skill, situation: Situation) -> Parts | None:
    """The field that was missing, where it is empty and the person said what belongs in it."""
    element = skill.successful_action.element
    node = found(element, situation.page.tree)
    value = _said_for(node, situation) if node is not None else None
    if node is None or value is None or node.value or is_forbidden(node, situation):
        return None
    if node.role == "sel":
        if node.options and value not in node.options:
            return None
        entry = action("selectOption", node.id, value)
    elif node.role == "inp":
        entry = action("setValue", node.id, value)
    else:
        return None
    return Parts(before=(_proposal(skill, entry, f"Enter '{value}' in {node.name or node.hint}"),))


def _said_for(node: Node, situation: Situation) -> str | None:
    """What the person said belongs in that field."""
    told = situation.plan.instruction or situation.instruction
    for directive in told.directives if told is not None else ():
        for item in directive.fields:
            if item.field and _goes_by(item.field, node):
                return item.value
    return None


def _goes_by(said: str, node: Node) -> bool:
    return any(same_name(said, name) for name in (node.name, node.hint) if name)


def _other(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    node = found(skill.successful_action.element, situation.page.tree)
    was = situation.page.tree.get(chosen.action.target or "")
    if node is None or node == was or "id" not in chosen.action.args:
        return None
    doing = chosen.action.model_copy(update={"args": {**chosen.action.args, "id": node.id}})
    if not may_press(node, situation, instead=was) or was_done(doing, node, situation):
        return None
    return Parts(instead=_proposal(skill, doing, _worded(chosen, was, node)))


def _worded(chosen: Proposal, was: Node | None, node: Node) -> str:
    """The words of the chosen action, with the other control's name in them."""
    if was is not None and was.name and was.name in chosen.description:
        return chosen.description.replace(was.name, node.name)
    return f"Click {node.name}" if chosen.action.name == "click" else chosen.description


def _at_centre(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    node = _pressable(chosen, situation)
    if node is None or node.center is None:
        return None
    height = situation.page.viewport[1] if situation.page.viewport else _VIEW
    if not 0 <= node.center[1] <= height:
        return None
    click = action("clickAt", round(node.center[0]), round(node.center[1]))
    return Parts(instead=_proposal(skill, click, f"Click at the middle of {node.name}"))


def _by_key(skill: Skill, chosen: Proposal, situation: Situation) -> Parts | None:
    """Only for what holds the focus: a key goes nowhere else."""
    node = _pressable(chosen, situation)
    if node is None or "focused" not in node.states:
        return None
    key = "Space" if node.role in ("chk", "rad") else "Enter"
    press = _proposal(skill, action("pressKey", key), f"Press {key} on {node.name}")
    return Parts(instead=press)


def _pressable(chosen: Proposal, situation: Situation) -> Node | None:
    """The control that a click was chosen for, where another way to press it is harmless."""
    node = situation.page.tree.get(chosen.action.target or "")
    if chosen.action.name != "click" or node is None or not node.enabled:
        return None
    return None if is_forbidden(node, situation) else node
