"""Clicking, opening, closing, pointing at and focusing what was named."""

from app.domain.action import Action, action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import thing
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, act, ambiguous, done, one
from app.engines.refinement.entry import of_form_filled
from app.engines.refinement.location import closing_control, locate, twins
from app.engines.refinement.messages import called
from app.engines.risk import is_risky
from app.text import patterns

SWITCHED_ON: dict[str, frozenset[str]] = {
    "tab": frozenset({"selected", "current"}),
    "opt": frozenset({"selected"}),
    "rad": frozenset({"checked"}),
}
CLOSABLE = patterns.compile(
    r"\b(pop ?-?ups?|dialogs?|modals?|windows?|overlay|banner|it|this|that|menu|message|notification|notice"
    r"|alert|toast|drawer|panel|side ?bar|cookies?|ad|section|dropdown|list|form|tab)\b",
    patterns.IGNORECASE,
)


def click(case: Case) -> Refinement:
    """Click it, or each of them when all were asked for."""
    target = case.directive.target
    grounding = _plain_risk(case, locate(case, target), target)
    if grounding.outcome == "ambiguous":
        grounding = of_form_filled(case, grounding)
    if grounding.outcome == "ambiguous":
        return ambiguous(grounding, thing(target))
    if grounding.outcome == "absent" and target is not None and _none_left(case, target):
        return done(f"Nothing is left of {thing(target)}.")
    if grounding.outcome == "absent":
        return absent(case, target, grounding)
    nodes = [node for node_id in grounding.chosen if (node := case.tree.get(node_id))]
    left = [node for node in nodes if not (target and target.all and case.did("click", node))]
    if not left:
        return done(f"{thing(target)} was clicked.")
    times = case.directive.times
    proposals = [_clicked(n) for n in left for _ in range(max(1, times - case.count("click", n)))]
    return act(
        proposals,
        f"{proposals[0].description}." if len(proposals) == 1 else f"Click {thing(target)}.",
        confidence=grounding.confidence,
        candidates=grounding.candidates,
    )


def _plain_risk(case: Case, found: Grounding, target: Target | None) -> Grounding:
    """Of records that look the same, which is meant is asked where it is hard to undo."""
    node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
    if node is None or not is_risky(node.name):
        return found
    return twins(case, found, target or Target()) or found


def _none_left(case: Case, target: Target) -> bool:
    """Whether each of "all" was clicked, and is called otherwise or gone since."""
    if not target.all or not case.did("click"):
        return False
    return case.find(target.model_copy(update={"within": None})).outcome == "absent"


def open_(case: Case) -> Refinement:
    """Bring a place or a hidden part into view; done when it is already."""
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome != "found":
        return click(case)
    nodes = [node for node_id in grounding.chosen if (node := case.tree.get(node_id))]
    if nodes and all(_shown(node) for node in nodes):
        return done(f"{called(nodes[0])} is open already.")
    return click(case)


def _shown(node: Node) -> bool:
    if node.role == "tab":
        return bool(node.states & SWITCHED_ON["tab"])
    return "expanded" in node.states


def close(case: Case) -> Refinement:
    """Close a dialog, a menu or a section."""
    target = case.directive.target
    grounding = case.find(target) if target and target.phrase else None
    if grounding is not None and grounding.outcome == "found":
        node = case.tree.get(grounding.chosen[0])
        if node is not None and "collapsed" in node.states:
            return done(f"{called(node)} is closed already.")
        if node is not None and node.role != "txt" and _meant_to_close(node, target):
            return click(case)
    if (record := _closed_record(case, target)) is not None:
        return record
    closer = closing_control(case)
    if closer is not None:
        return one(action("click", closer.id), f"Close with {called(closer)}")
    if any("modal" in node.states or _in_dialog(node) for node in case.tree):
        return one(action("pressKey", "Escape"), "Press Escape to close it", confidence=0.75)
    return absent(case, target, grounding)


def _meant_to_close(node: Node, target: Target | None) -> bool:
    """Whether its label says to close, or what was said; "Closed" tells of a state."""
    own, said = label(node.name), label(target.phrase if target else "")
    closes = set(own.words) & {"close", "dismiss", "hide", "collapse", "exit", "x", "times"}
    return bool(closes or own.meaning_set & said.meaning_set) or not own.words


def _closed_record(case: Case, target: Target | None) -> Refinement | None:
    """Of "close ticket #103" the control is the record's; what closes something else is not pressed."""
    if target is None or target.role is not None or not target.phrase:
        return None
    words = target.phrase.split()
    named = target.within or " ".join(words)
    single = len(words) == 1 and target.within is None and not target.quoted
    if single or CLOSABLE.search(target.phrase) or any(_in_dialog(n) for n in case.tree):
        return None
    kind = " ".join(word for word in words if word.isalpha() and word.islower())
    phrase = f"Close {kind}".strip() if kind and named != kind else "Close"
    return click(case.instead(verb="click", target=Target(phrase=phrase, within=named)))


def _in_dialog(node: Node) -> bool:
    return any(kind == "dialog" for kind, _ in node.groups)


def hover(case: Case) -> Refinement:
    """Point at it."""
    return _single(case, "hover", "Point at")


def focus(case: Case) -> Refinement:
    """Put the cursor into it."""
    return _single(case, "click", "Focus")


def _single(case: Case, name: str, words: str) -> Refinement:
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome == "ambiguous":
        return ambiguous(grounding, thing(target))
    if grounding.outcome == "absent":
        return absent(case, target, grounding)
    node = case.tree.by_id[grounding.chosen[0]]
    made: Action = action("hover", node.id) if name == "hover" else action("click", node.id)
    return one(made, f"{words} {called(node)}", confidence=grounding.confidence)


def _clicked(node: Node) -> Proposal:
    return Proposal(action=action("click", node.id), description=f"Click {called(node)}")
