"""Whether a form was left for another page where it was to be handed in."""

from app.domain.directive import Directive
from app.domain.page import Observation
from app.domain.plan import Chain
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.difference import Difference

_WAYS = frozenset({"link", "tab", "menu", "tree"})
_LEADS_ON = frozenset({"continue", "proceed", "go on", "check out", "checkout", "accept"})


def left_unsaved(
    asked: Directive | None, before: Observation, chain: Chain, diff: Difference
) -> str | None:
    """The way that was taken out of a filled form, where the step was to save or send it.

    Going to another page confirms no save: "Settings" in the menu says what is to be saved, and
    leaves it unsaved. None where that did not happen, or the page tells of a success.
    """
    if asked is None or asked.verb != "submit" or asked.value in _LEADS_ON or not chain.actions:
        return None
    last = chain.actions[-1].action
    node = before.tree.get(last.target or "") if last.name == "click" else None
    if node is None or node.role not in _WAYS or not diff.address.any or diff.successes:
        return None
    thing = words(asked.target.phrase).split() if asked.target is not None else []
    rest = " ".join(word for word in words(node.name).split() if word not in thing)
    filled = any(n.role in ENTRIES and (n.value or "checked" in n.states) for n in before.tree)
    return node.name if filled and not speaks_of("submit", rest) else None
