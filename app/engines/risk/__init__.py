"""Which controls do what is hard to undo."""

from typing import Literal

from app.domain.action import Action
from app.domain.page import Node
from app.engines.risk.assess import assess
from app.engines.risk.lexicon import match, words

_TAKES_EFFECT = frozenset({"click", "clickAt", "pressKey", "dragTo"})
_ENTERS = frozenset({"inp", "sel", "opt", "range", "file", "txt", "rad", "tab"})
_LONG = 8  # words; the name of a row or a card tells of things and commands nothing

__all__ = ["assess", "is_risky", "risk_of"]


def is_risky(name: str) -> bool:
    """Whether a control of that name deletes, pays, orders, sends, publishes, or changes access.

    A name that begins with a harmless command ("Search deleted items", "Cancel") is not risky, nor
    is one too long to be a command.
    """
    if len(words(name).split()) > _LONG:
        return False
    risky = match("risky", name)
    if risky is None:
        return False
    harmless = match("harmless", name)
    return harmless is None or risky.start() <= harmless.start()


def risk_of(action: Action, node: Node | None) -> Literal["low", "high"]:
    """How hard the action is to undo; entering a value is undone by entering another."""
    if action.name not in _TAKES_EFFECT or node is None or node.role in _ENTERS:
        return "low"
    return "high" if is_risky(node.name) else "low"
