"""When a plan is held against the page: the address, the look or a dialog is another than before."""

from collections.abc import Sequence

from app.domain.page import Node, Observation
from app.domain.plan import Contingency
from app.domain.verdict import RePlan
from app.engines.planning.wording import quoted
from app.engines.risk import is_risky
from app.engines.risk.controls import dismisses
from app.engines.risk.lexicon import speaks_of
from app.engines.similarity import REPLAN_BELOW
from app.engines.verification.snapshot import fingerprint, split_url, steady

MOST_PAGES = 50  # fingerprints that are remembered: as many as one task may take steps

ADDRESS = "The address is another"
LOOK = "Much of the page is another"
DIALOG = "A dialog came up"


def noticed(before: Observation, after: Observation, likeness: float) -> RePlan | None:
    """Why the plan is to be held against the page, to be decided on; None where it is not.

    The reason holds no word of the page: a model reads it outside of the fence.
    """
    if _path(before) != _path(after):
        why = ADDRESS
    elif likeness < REPLAN_BELOW:
        why = LOOK
    elif dialogs(after) - dialogs(before):
        why = DIALOG
    else:
        return None
    return RePlan(decision="continue", reason=why, similarity=likeness)


def _path(page: Observation) -> tuple[str, str, str]:
    """Origin and path; with a fragment that routes, that too."""
    origin, path, _, fragment = split_url(page.url)
    routes = fragment[:1] in ("/", "!")
    return origin, path, fragment.partition("?")[0] if routes else ""


def dialogs(page: Observation) -> frozenset[str]:
    """The dialogs that are open, by their names; "" is one without."""
    places = {n.group: n for n in page.tree.nodes if n.group and "dialog" in n.group}
    held = (pair for node in places.values() for pair in node.groups)
    named = {steady(text) for kind, text in held if kind == "dialog"}
    unnamed = any(
        n.states and "modal" in n.states and "dialog" not in n.group for n in page.tree.nodes
    )
    return frozenset(named | {""} if unnamed else named)


def reconsidering(page: Observation, known: Sequence[str]) -> list[str] | None:
    """The pages the plan was held against with this one; None where it was one of them."""
    seen = fingerprint(page)
    return None if seen in known else [*known, seen][-MOST_PAGES:]


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
