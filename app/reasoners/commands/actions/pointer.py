"""Clicking, opening, closing, pointing at and focusing what was named."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.directive_wording import thing
from app.domain.plan import Decision, Proposal
from app.grounding.descriptions import called
from app.grounding.label import label
from app.grounding.surroundings import DIALOG, down_to
from app.reasoners.commands.actions.absence import absent
from app.reasoners.commands.actions.case import Case, act, ambiguous, done, one
from app.reasoners.commands.actions.location import apart, in_record, is_of_record, locate
from app.text import patterns
from app.text.lexicon import is_risky
from app.verification.deletions import is_proper

SHOWN = frozenset({"selected", "current"})  # states of a tab that is open
_GUESSED = 0.5
_ENTERED_BY = frozenset({"click", "open", "select"})
_ARROW = patterns.compile("[>\u2192\u203a]")


def click(case: Case) -> Decision:
    """Click it, or each of them when all were asked for."""
    target = case.directive.target or Target()
    found = locate(case, target)
    first = case.chosen(found)
    if first is not None and is_risky(first.name):  # hard to undo: of records that look the same
        found = apart(case, found, target)
    if found.outcome == "ambiguous":
        return ambiguous(found, thing(target))
    if found.outcome == "absent" and target.all and case.did("click"):
        return done(f"Nothing is left of {thing(target)}.")
    if found.outcome == "absent":
        return absent(case, target, found)
    nodes = [node for node_id in found.chosen if (node := case.tree.get(node_id))]
    left = [node for node in nodes if not (target.all and case.did("click", node))]
    if not left:
        return done(f"{thing(target)} was clicked.")
    proposals: list[Proposal] = []
    for node in left:
        made = Proposal(action=action("click", node.id), description=f"Click {called(node)}")
        proposals += [made] * max(1, case.directive.times - case.count("click", node))
    thought = f"{proposals[0].description}." if len(proposals) == 1 else f"Click {thing(target)}."
    return act(proposals, thought, confidence=found.confidence, candidates=found.candidates)


def follow(case: Case) -> Decision | None:
    """The next press down a path of menus, "File > Export"; None where none was said, or where the page
    has something of that very name.
    """
    target, chosen = case.directive.target or Target(), case.directive.value
    said = target.phrase if chosen is None else chosen
    parts = [part.strip() for part in _ARROW.split(said)]
    if case.directive.verb not in _ENTERED_BY or target.quoted or len(parts) == 1 or "" in parts:
        return None
    if any(said in (node.name, *node.options) for node in case.tree):
        return None
    done_ = min(case.count("click"), len(parts) - 1)
    found = click(case.instead(verb="click", value=None, target=Target(phrase=parts[done_])))
    if done_ == len(parts) - 1:
        return found
    # A model knows better whether this menu opens by a press or under the mouse.
    return found.model_copy(update={"completes_step": False, "confidence": _GUESSED})


def open_(case: Case) -> Decision:
    """Bring a place or a hidden part into view; done when it is already."""
    found = locate(case, case.directive.target)
    nodes = [node for node_id in found.chosen if (node := case.tree.get(node_id))]
    shown = [n for n in nodes if n.states & (SHOWN if n.role == "tab" else {"expanded"})]
    if nodes and len(shown) == len(nodes):
        return done(f"{called(nodes[0])} is open already.")
    return click(case)


def close(case: Case) -> Decision:
    """Close a dialog, a menu, a section or a record."""
    target = case.directive.target or Target()
    node = case.chosen(case.find(target)) if target.phrase else None
    if node is not None and "collapsed" in node.states:
        return done(f"{called(node)} is closed already.")
    closes = node is not None and node.role != "txt" and "close" in label(node.name).meanings
    if node is not None and ("expanded" in node.states or closes):
        return click(case)
    name = target.within or target.phrase
    if name and any(is_of_record(n) and in_record(name, n.group) for n in case.tree):
        kind = " ".join(w for w in target.phrase.split() if w.isalpha() and w.islower())
        phrase = f"close {kind}".strip() if kind != name else "close"
        return click(case.instead(verb="click", target=Target(phrase=phrase, within=name)))
    found = case.find(Target(phrase="close"))
    closer = case.chosen(found)
    if is_proper(name) and not any(down_to(n.group, DIALOG) for n in case.tree):
        return absent(case, target, found)
    if closer is not None and label(closer.name).meanings == ("close",):
        return one(action("click", closer.id), f"Close with {called(closer)}")
    if any("modal" in node.states or down_to(node.group, DIALOG) for node in case.tree):
        return one(action("pressKey", "Escape"), "Press Escape to close it", confidence=0.75)
    return absent(case, target, found)


def hover(case: Case) -> Decision:
    """Point at it."""
    return _on_one(case, "hover", "Point at")


def focus(case: Case) -> Decision:
    """Put the cursor into it."""
    return _on_one(case, "click", "Focus")


def _on_one(case: Case, name: str, words: str) -> Decision:
    target = case.directive.target
    found = locate(case, target)
    if found.outcome == "ambiguous":
        return ambiguous(found, thing(target))
    if found.outcome == "absent":
        return absent(case, target, found)
    node = case.tree.by_id[found.chosen[0]]
    made = action("hover" if name == "hover" else "click", node.id)
    return one(made, f"{words} {called(node)}", confidence=found.confidence)
