"""Taking away what stands in front of a control, without agreeing to anything."""

from app.domain.action import ActionRecord, action
from app.domain.page import Node
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.grounding.label import label
from app.page.controls import dismisses
from app.recovery.correction.case import Case, act
from app.recovery.correction.limits import limit_reached
from app.text.lexicon import match, speaks_of, words

DISMISS = "dismiss overlay"


def dismiss(case: Case) -> Decision | None:
    """Only where something stands in front: the control is covered, by the page or by the browser's
    word, or it is gone and a dialog is there that it was not in.
    """
    node, group = case.node, case.deed.signature[2] if case.deed.signature else ""
    fronts = [n for n in case.page.tree if _stands_in_front(n) and not _shares_dialog(n, group)]
    said = words(case.reason)
    covered = "cover" in said or "occlude" in said
    if not covered and not (node.occluded if node is not None else fronts):
        return None
    steps = [
        (action("click", close.id), f"Click {close.name}")
        for close in _closers(fronts or [n for n in case.page.tree if not n.occluded])
    ]
    for step in (*steps, (action("pressKey", "Escape"), "Press Escape")):
        if not case.was_tried(step[0]):
            return act(DISMISS, "Something is in front of it", step, completes=False)
    return None


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


def unblocked(found: Decision, situation: Situation) -> Decision | None:
    """How to uncover the control that the step needs; None where nothing that it names is covered.

    It is a try of the step like any other.
    """
    step, at, page = situation.plan.step, situation.plan.current, situation.page
    if found.outcome != "missing" or found.maker != "rules" or step is None:
        return None
    if limit_reached(situation.deeds, at) is not None:
        return None
    said = label(f"{step.description} {found.reason}").stems
    here = tuple(deed for deed in situation.deeds if deed.step == at)
    for node in page.tree:
        own = label(node.name).stems
        if node.occluded and own and len(own & said) / len(own) >= _FOUND:
            wanted = ActionRecord(
                action=action("click", node.id), step=at, signature=node.signature
            )
            case = Case(deed=wanted, page=page, here=here, reason=found.reason)
            if (way := dismiss(case)) is not None:
                return way
    return None


def only_puts_aside(deed: ActionRecord) -> bool:
    """Whether the action closes or refuses something and does nothing else."""
    if deed.action.name == "pressKey":
        return str(deed.action.args["key"]).lower() == "escape"
    if deed.action.name not in ("click", "clickAt") or deed.signature is None:
        return False
    role, name, group = deed.signature
    return dismisses(Node(id="", role=role, name=name, group=group))
