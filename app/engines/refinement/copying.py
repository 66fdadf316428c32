"""Copying what one field holds, or the page shows, into another field."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import MASK, Node
from app.domain.plan import Proposal, Refinement
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, act, missing
from app.engines.refinement.filling import fill
from app.engines.refinement.naming import called, place
from app.engines.refinement.reading import shown_value


def copy_over(case: Case) -> Refinement | None:
    """The copying from field to field by keys, since a long text is seen only in part.

    None when the clause asks for no such thing, or for the copying of something that is no text.
    """
    directive = case.directive
    source, goal = directive.target, directive.destination
    if directive.verb != "do" or source is None or goal is None:
        return None
    held = _field(case, source, full=True)
    into = _field(case, goal, full=False, but=held)
    if into is None:
        return None
    if held is not None:
        return _by_keys(case, held, into)
    value = shown_value(case, source.phrase) if source.phrase else None
    if value is None:
        return missing(f"{place(case.page)} does not show one value for {quoted(source.phrase)}.")
    return fill(case.instead(verb="fill", target=goal, value=value, fields=(), destination=None))


def _field(case: Case, target: Target, *, full: bool, but: Node | None = None) -> Node | None:
    """The text field that is named; of "the text area", the only one that holds (lacks) a text."""
    if target.phrase or target.ordinal is not None or target.within or target.near:
        found = case.field(target)
        node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
        return node if node is not None and node.role == "inp" and node is not but else None
    texts = [n for n in case.tree if n.role == "inp" and n.enabled and n.value != MASK]
    fitting = [n for n in texts if bool(n.value) == full and n is not but]
    return fitting[0] if len(fitting) == 1 else None


def _by_keys(case: Case, source: Node, goal: Node) -> Refinement:
    def key(chord: str, words: str) -> Proposal:
        return Proposal(action=action("pressKey", chord), description=words)

    def into(node: Node) -> Proposal:
        return Proposal(action=action("click", node.id), description=f"Focus {called(node)}")

    taken = [
        into(source),
        key("Control+A", f"Select what {called(source)} holds"),
        key("Control+C", "Copy it"),
    ]
    is_copied = any(deed.action == taken[-1].action for deed in case.work)
    return act(
        [
            *([] if is_copied else taken),
            into(goal),
            *([key("Control+A", f"Select what {called(goal)} holds")] if goal.value else []),
            key("Control+V", f"Paste it into {called(goal)}"),
        ],
        f"Copy what {called(source)} holds into {called(goal)}.",
    )
