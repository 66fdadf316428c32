"""Whether a form was left for another page where it was to be handed in."""

from app.domain.directive import Directive
from app.domain.page import Node, Observation
from app.domain.plan import Chain
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.difference import Difference

_WAYS = frozenset({"link", "tab", "menu", "tree"})
_FILLS = frozenset({"setValue", "selectOption", "setChecked"})
_LEADS_ON = frozenset({"continue", "proceed", "go on", "check out", "checkout", "accept"})


def left_unsaved(
    asked: Directive | None, before: Observation, chain: Chain, diff: Difference
) -> str | None:
    """The way that was taken out of a filled form, where the step was to save or send it.

    Going to another page confirms no save: "Settings" in the menu says what is to be saved, and
    leaves it unsaved. None where that did not happen, or the page tells of a success.
    """
    if not chain.actions:
        return None
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "") if last.name == "click" else None
    if node is not None and not diff.successes and _gave_up(asked, node, chain):
        return node.name
    if asked is None or asked.verb != "submit" or asked.value in _LEADS_ON:
        return None
    if node is None or node.role not in _WAYS or not diff.address.any or diff.successes:
        return None
    thing = words(asked.target.phrase).split() if asked.target is not None else []
    rest = " ".join(word for word in words(node.name).split() if word not in thing)
    filled = any(n.role in ENTRIES and (n.value or "checked" in n.states) for n in before.tree)
    return node.name if filled and not speaks_of("submit", rest) else None


def _gave_up(asked: Directive | None, node: Node, chain: Chain) -> bool:
    """Whether the chain filled fields and ended with what throws that away, without being asked to."""
    filled = any(
        p.action.name in _FILLS for p in chain.actions[:-1] if p.action.args.get("text") != ""
    )
    if not filled or not speaks_of("dismiss", node.name) or speaks_of("submit", node.name):
        return False
    wanted = words(asked.target.phrase) if asked is not None and asked.target is not None else ""
    return not wanted or wanted not in words(node.name)
