"""A dialog that came up by itself, and has to be gone before the plan goes on."""

from app.domain.page import Node, Observation
from app.domain.plan import Contingency
from app.engines.planning.wording import quoted
from app.engines.replanning.triggers import dialogs
from app.engines.risk import is_risky
from app.engines.risk.controls import dismisses
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.snapshot import steady


def in_the_way(before: Observation, page: Observation) -> Contingency | None:
    """How to be rid of a dialog that came up; None where there is none, or it wants an answer.

    A dialog that asks about something hard to undo, or that would hand something in, is a question:
    closing it takes back what was asked for as often as not.
    """
    for name in sorted(dialogs(page) - dialogs(before)):
        inside = [node for node in page.tree if name in _dialogs_of(node)]
        if any(is_risky(node.name) or speaks_of("submit", node.name) for node in inside):
            continue
        closers = [node for node in inside if node.enabled and dismisses(node)]
        if closers:
            words = f"click {quoted(closers[0].name)}"
            return Contingency(trigger=name or "a dialog", steps=(words,))
    return None


def _dialogs_of(node: Node) -> frozenset[str]:
    named = {steady(text) for kind, text in node.groups if kind == "dialog"}
    return frozenset(named or ({""} if "modal" in node.states else ()))
