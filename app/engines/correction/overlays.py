"""Taking away what stands in front of a control, without agreeing to anything."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.correction.case import Case, act
from app.engines.risk.controls import dismisses
from app.engines.risk.lexicon import match, pattern, speaks_of, words

DISMISS = "dismiss overlay"
_PUTS_AWAY = pattern(
    """
    minimi hide$ collapse shrink fold verkleiner minimier ausblend einklapp reduire$ masquer$
    minimizar ocultar recolher מזער הסתר
    """
)


def in_front(case: Case) -> Refinement | None:
    """The control itself is covered, or the browser says so."""
    covered = case.node is not None and case.node.occluded
    said = words(case.reason)
    return dismiss(case) if covered or "cover" in said or "occlude" in said else None


def dismiss(case: Case) -> Refinement | None:
    """Only where something stands in front: the target is covered, or a dialog is it is not in."""
    node = case.node
    covered = node is not None and node.occluded
    inside = case.deed.signature[2] if case.deed.signature else ""
    fronts = [n for n in case.page.tree if _stands_in_front(n) and not _shares_dialog(n, inside)]
    if not covered and not fronts and "cover" not in case.reason.lower():
        return None
    for close in _closers(fronts or [n for n in case.page.tree if not n.occluded]):
        click = action("click", close.id)
        if not case.was_tried(click):
            return act(
                DISMISS,
                "Something is in front of it",
                (click, f"Click {close.name}"),
                completes=False,
            )
    if (way := _away(case)) is not None:
        return way
    escape = action("pressKey", "Escape")
    if case.was_tried(escape):
        return None
    return act(DISMISS, "Something is in front of it", (escape, "Press Escape"), completes=False)


def _stands_in_front(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups) or "modal" in node.states


def _shares_dialog(node: Node, group: str) -> bool:
    """Whether the node's dialog is the one the failed action works in."""
    return any(part in group for part in node.group.split(" > ") if part.startswith("dialog"))


def _closers(nodes: list[Node]) -> list[Node]:
    """The controls that dismiss, those that refuse or close before those that merely agree."""
    found = [n for n in nodes if n.enabled and _only_dismisses(n) and not _is_of_record(n)]
    return sorted(found, key=lambda n: speaks_of("submit", n.name))


def _is_of_record(node: Node) -> bool:
    """Whether it stands in a line of a list: a cross there takes the line away."""
    return any(kind in ("row", "item") for kind, _ in node.groups)


def _only_dismisses(node: Node) -> bool:
    """Whether it closes or refuses: "Reject all" does, "Cancel order" takes back more."""
    risky, said = match("risky", node.name), match("dismiss", node.name)
    if not dismisses(node) or said is None:
        return False
    return risky is None or (said.start() <= risky.start() and said.end() >= risky.end())


def _away(case: Case) -> Refinement | None:
    """What makes small or hides the thing in front: one that the browser names comes first."""
    said = f" {words(case.reason)} "
    ways = [
        node
        for node in case.page.tree
        if node.role == "btn" and node.enabled and _PUTS_AWAY.search(words(node.name))
    ]
    named = [node for node in ways if _is_said(node, said)]
    covered = case.node is not None and case.node.occluded
    apart = [n for n in ways if case.signature is not None and n.group != case.signature[2]]
    for node in (*named, *(apart if covered else ())):
        click = action("click", node.id)
        if not case.was_tried(click):
            step = (click, f"Click {node.name}")
            return act(DISMISS, "Something is in front of it", step, completes=False)
    return None


def _is_said(node: Node, said: str) -> bool:
    names = (words(text) for text in (node.name, *(label for _, label in node.groups)))
    return any(name and f" {name} " in said for name in names)
