"""What kind of thing an action does, as far as its control tells beforehand, and how often it works."""

from collections.abc import Iterable, Mapping
from math import prod
from types import MappingProxyType
from typing import Literal

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Proposal
from app.engines.risk.controls import is_opener, is_submit

Effect = Literal["toggle", "submit", "open", "close", "tab", "link", "focus", "click"]

TOGGLES = frozenset({"chk", "rad", "opt"})

LIKELY: Mapping[str, float] = MappingProxyType(
    {
        "setValue": 0.97, "selectOption": 0.96, "setChecked": 0.97, "uploadFile": 0.9,
        "toggle": 0.95, "focus": 0.95, "open": 0.93, "close": 0.92, "tab": 0.92, "link": 0.93,
        "submit": 0.85, "click": 0.85, "clickAt": 0.7, "pressKey": 0.8, "hover": 0.85,
        "dragTo": 0.75, "scroll": 0.95, "wait": 0.97, "navigate": 0.95, "goBack": 0.9,
        "openTab": 0.95, "switchTab": 0.95, "closeTab": 0.95,
    }
)  # fmt: skip
"""How likely what an action's template promises comes, by kind.

Set beforehand, from how sure tier 1 is of the same kinds once they worked (a value read back 0.98, a menu
that opened 0.93, a form that was taken 0.85 to 0.95) less a margin for pages that refuse or are slow.
`GET /api/metrics/kpis` sets these beside what was observed, kind by kind.
"""
OTHERWISE = 0.8  # of an action that is not in the table


def kind_of(action: Action, page: Observation) -> str:
    """The name of the action, and of a click what it does."""
    node = page.tree.get(action.target) if action.target else None
    if action.name == "click" and node is not None:
        return effect_of(node, page)
    return action.name


def effect_of(node: Node, page: Observation) -> Effect:
    """What a click on it does."""
    if node.role in TOGGLES:
        return "toggle"
    if is_submit(node, page):
        return "submit"
    if is_opener(node):
        return "close" if "expanded" in node.states else "open"
    if node.role == "tab":
        return "tab"
    if node.role == "link":
        return "link"
    return "focus" if node.role == "inp" else "click"


def likelihood(items: Iterable[Proposal], page: Observation) -> float:
    """How likely all of it comes, taken to be independent; 0 for nothing."""
    each = [LIKELY.get(kind_of(item.action, page), OTHERWISE) for item in items]
    return round(prod(each), 3) if each else 0.0
