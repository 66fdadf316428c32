"""A control that is there no more, or not to be seen: a menu nearby that is closed may hold it."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.correction.case import Case, act
from app.engines.risk import is_risky
from app.engines.risk.controls import container, is_closed
from app.engines.risk.lexicon import pattern, words
from app.engines.verification.verdict import NEVER_BEGAN

OPEN = "open what holds it"
_HOLDS = pattern(
    """
    more mehr weitere plus mas mais altro altre meer wiecej еще ещ больше daha עוד المزيد 更多 その他 더보기
    action aktion accion acoes azioni acties menu option overflow tools werkzeuge outils
    """
)


def not_shown(case: Case) -> Refinement | None:
    """At once where the browser says that the control is not to be seen."""
    return opened(case) if case.deed.error == "NOT_INTERACTABLE" else None


def opened(case: Case) -> Refinement | None:
    """Open the likeliest menu that may hold the control; nothing is pressed in it yet."""
    if case.deed.error not in NEVER_BEGAN or (case.node is not None and case.node.enabled):
        return None
    for node in _menus(case):
        press = action("click", node.id)
        if not case.was_tried(press):
            step = (press, f"Open {node.name or 'the menu'}")
            return act(OPEN, "It may be in a menu that is closed", step, completes=False)
    return None


def _menus(case: Case) -> list[Node]:
    """The closed menus that say that they hold more: those beside the control's place first."""
    group = case.signature[2] if case.signature else ""
    own = container(Node(id="", role="btn", group=group))
    found = [
        node
        for node in case.page.tree
        if node.role in ("btn", "link", "el", "menu")
        and node.enabled
        and not node.occluded
        and is_closed(node)
        and not is_risky(node.name)
        and (not node.name or _HOLDS.search(words(node.name)))
    ]
    return sorted(found, key=lambda node: (node.group != group, container(node) != own))
