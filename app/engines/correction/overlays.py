"""Taking away what stands in front of a control, without agreeing to anything."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Deed, Refinement
from app.engines.contingency import is_aside
from app.engines.correction.case import Case, act
from app.engines.correction.limits import limit_reached
from app.engines.grounding.label import label
from app.engines.reasoner import Situation
from app.engines.risk.controls import container, dismisses
from app.engines.risk.lexicon import match, speaks_of, words

DISMISS = "dismiss overlay"


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


_FOUND = 0.6  # of the words of a control's name, in those of the step


def unblocked(found: Refinement, situation: Situation) -> Refinement | None:
    """How to uncover the control that the step needs; None where nothing that it names is covered.

    It is a try of the step like any other.
    """
    step, at = situation.plan.step, situation.plan.current
    if found.outcome != "missing" or found.maker != "rules" or step is None:
        return None
    if limit_reached(situation.deeds, at) is not None:
        return None
    text = f"{step.description} {found.reason}"
    meant = [node for node in situation.page.tree if node.occluded and _is_named(node, text)]
    here = tuple(deed for deed in situation.deeds if deed.step == at)
    for node in meant:
        wanted = Deed(
            action=action("click", node.id), step=at, signature=node.signature, status="failure"
        )
        case = Case(deed=wanted, page=situation.page, here=here, reason=found.reason)
        if (way := dismiss(case)) is not None:
            return way
    return None


def _is_named(node: Node, text: str) -> bool:
    """Whether the step's words name the control."""
    own = frozenset(label(node.name).stems)
    return bool(own) and len(own & frozenset(label(text).stems)) / len(own) >= _FOUND


def only_puts_aside(deed: Deed) -> bool:
    """Whether the action closes or refuses something and does nothing else."""
    if deed.action.name == "pressKey":
        return str(deed.action.args["key"]).lower() == "escape"
    if deed.action.name not in ("click", "clickAt") or deed.signature is None:
        return False
    role, name, group = deed.signature
    return dismisses(Node(id="", role=role, name=name, group=group))


def put_aside(situation: Situation, failed: Deed, here: tuple[Deed, ...]) -> Refinement | None:
    """How to go on after a step that only clears the way, of which nobody can tell whether it did.

    Where what was to go is gone, it is done; else Escape is pressed once, and then the plan goes on
    without it. None for any other action. It is never waited for as for an answer.
    """
    step = situation.plan.step
    if step is None or not is_aside(step) or failed.status != "unknown":
        return None
    if not only_puts_aside(failed):
        return None
    if not _stands(failed, situation):
        return Refinement(outcome="done", reason="What was in front is gone")
    escape = action("pressKey", "Escape")
    if any(deed.action.text == escape.text for deed in here):
        return Refinement(outcome="missing", reason="What is in front could not be put aside")
    return act(DISMISS, "It is still in front", (escape, "Press Escape"), completes=True)


def _stands(failed: Deed, situation: Situation) -> bool:
    """Whether the dialog it was pressed in, or else the control itself, is still there."""
    if failed.signature is None:
        return False
    place = container(Node(id="", role="btn", group=failed.signature[2]))
    if place is not None:
        return any(container(node) == place for node in situation.page.tree)
    return any(node.signature == failed.signature for node in situation.page.tree)
