"""Pointer, keyboard and browser actions, from click to upload."""

from typing import Literal

from app.domain.action import action
from app.domain.directive import Target, describe_target, quote_value
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding import DIALOG, describe_control, label
from app.page import cut_group
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.location import (
    decide_absent,
    is_in_record,
    is_of_record,
    locate,
    narrow_grounding,
    tell_apart,
)
from app.text import patterns
from app.text.lexicon import is_risky
from app.verification import is_proper_name

LONGEST_WAIT_MS = 10_000
SCROLLS_TO_END = 5  # screens a chain scrolls before it looks again
SCROLL_ENDS = {"top": "up", "bottom": "down"}
URL_PREFIXES = ("http://", "https://", "about:", "file:", "/")


def press(case: StepCase) -> Decision:
    """Press a key or chord, in the named field if there is one."""
    target, key = case.directive.target, case.directive.value or "Enter"
    proposals = []
    if target is not None and target.phrase:
        grounding = case.find(target)
        node = case.chosen(grounding)
        if node is None:
            return decide_absent(case, target, grounding)
        if not case.did("click", node):
            words = f"Focus {describe_control(node)}"
            proposals.append(Proposal(action=action("click", node.id), description=words))
    key_press = Proposal(action=action("pressKey", key), description=f"Press {key}")
    proposals += [key_press] * max(1, case.directive.times - case.count("pressKey"))
    return decisions.act(proposals, f"Press {key}.")


def scroll(case: StepCase) -> Decision:
    """Scroll the page or the named thing; to an end by several screens."""
    requested = case.directive.value or "down"
    direction, target = SCROLL_ENDS.get(requested, requested), case.directive.target
    has_target = target is not None and (target.role or target.phrase not in {"", "page"})
    node = case.chosen(case.find(target)) if has_target else None
    where, name = (node.id, describe_control(node)) if node else ("page", "the page")
    words = f"Scroll {name} {requested}"
    proposal = Proposal(action=action("scroll", where, direction), description=words)
    times = SCROLLS_TO_END if requested in SCROLL_ENDS else case.directive.times
    return decisions.act([proposal] * max(1, times - case.count("scroll")), words)


def navigate(case: StepCase) -> Decision:
    address = (case.directive.value or "").strip()
    if not address:
        return decisions.missing("The request does not say where to go.")
    url = address if address.startswith(URL_PREFIXES) else f"https://{address}"
    return decisions.act_once(action("navigate", url), f"Go to {url}")


def back(case: StepCase) -> Decision:
    step = Proposal(action=action("goBack"), description="Go back")
    return decisions.act([step] * max(1, case.directive.times - case.count("goBack")), "Go back.")


def wait(case: StepCase) -> Decision:
    duration = case.directive.value or "1000"
    ms = min(int(duration), LONGEST_WAIT_MS) if duration.isdigit() else 1_000
    return decisions.act_once(action("wait", ms), f"Wait {ms} ms")


def drag(case: StepCase) -> Decision:
    ends: list[Node] = []
    for target in (case.directive.target, case.directive.destination):
        grounding = locate(case, target)
        if grounding.outcome == "ambiguous":
            return decisions.ambiguous(grounding, describe_target(target))
        if grounding.outcome == "absent" or target is None:
            return decide_absent(case, target, grounding)
        ends.append(case.tree.by_id[grounding.chosen[0]])
    source, goal = ends
    if goal.id == source.id:
        return decisions.done(f"{describe_control(source)} is there already.")
    words = f"Drag {describe_control(source)} to where {describe_control(goal)} is"
    return decisions.act_once(action("dragTo", source.id, goal.id), words)


def upload(case: StepCase) -> Decision:
    """Upload the file to the named or only file field, or else onto the named thing."""
    name, target = case.directive.value, case.directive.target or Target(role="file")
    if not name:
        return decisions.missing(
            f"The request does not say which file is meant by “{case.directive.source}”."
        )
    fields = [node for node in case.tree if node.role == "file" and node.enabled]
    takes = (lambda n: n in fields) if fields or not target.phrase else (lambda _: True)
    grounding = narrow_grounding(case, case.find(target, "click"), takes)
    node = fields[0] if len(fields) == 1 else case.chosen(grounding)
    if node is None and grounding.outcome == "ambiguous":
        return decisions.ambiguous(grounding, f"the place for {quote_value(name)}")
    if node is None:
        return decide_absent(case, target, grounding)
    if case.did("uploadFile", node) and node.value and name in node.value:
        return decisions.done(f"{describe_control(node)} holds {quote_value(name)}.")
    return decisions.act_once(
        action("uploadFile", node.id, name),
        f"Upload {quote_value(name)} to {describe_control(node)}",
    )


OPEN_STATES = frozenset({"selected", "current"})  # states of a tab that is open
_GUESSED = 0.5
_PATH_VERBS = frozenset({"click", "open", "select"})
_ARROW = patterns.compile("[>\u2192\u203a]")


def click(case: StepCase) -> Decision:
    """Click the thing, or each of them if all were requested."""
    target = case.target
    grounding = locate(case, target)
    first = case.chosen(grounding)
    if first is not None and is_risky(first.name):  # hard to undo, so look-alikes are not guessed
        grounding = tell_apart(case, grounding, target)
    if grounding.outcome == "ambiguous":
        return decisions.ambiguous(grounding, describe_target(target))
    if grounding.outcome == "absent" and target.all and case.did("click"):
        return decisions.done(f"Nothing is left of {describe_target(target)}.")
    if grounding.outcome == "absent":
        return decide_absent(case, target, grounding)
    nodes = [node for node_id in grounding.chosen if (node := case.tree.get(node_id))]
    unclicked = [node for node in nodes if not (target.all and case.did("click", node))]
    if not unclicked:
        return decisions.done(f"{describe_target(target)} was clicked.")
    proposals: list[Proposal] = []
    for node in unclicked:
        proposal = Proposal(
            action=action("click", node.id), description=f"Click {describe_control(node)}"
        )
        proposals += [proposal] * max(1, case.directive.times - case.count("click", node))
    thought = (
        f"{proposals[0].description}."
        if len(proposals) == 1
        else f"Click {describe_target(target)}."
    )
    return decisions.act(
        proposals, thought, confidence=grounding.confidence, candidates=grounding.candidates
    )


def follow_path(case: StepCase) -> Decision | None:
    """Press the next item of "File > Export"; None without a path, or if something has that name."""
    target, chosen = case.target, case.directive.value
    path = target.phrase if chosen is None else chosen
    parts = [part.strip() for part in _ARROW.split(path)]
    if case.directive.verb not in _PATH_VERBS or target.quoted or len(parts) == 1 or "" in parts:
        return None
    if any(path in (node.name, *node.options) for node in case.tree):
        return None
    clicked = min(case.count("click"), len(parts) - 1)
    decision = click(
        case.with_directive(verb="click", value=None, target=Target(phrase=parts[clicked]))
    )
    if clicked == len(parts) - 1:
        return decision
    # A model knows better whether this menu opens by a press or by hovering.
    return decision.model_copy(update={"completes_step": False, "confidence": _GUESSED})


def open_(case: StepCase) -> Decision:
    """Bring a place or hidden part into view; done if it is already."""
    grounding = locate(case, case.directive.target)
    nodes = [node for node_id in grounding.chosen if (node := case.tree.get(node_id))]
    opened = [n for n in nodes if n.states & (OPEN_STATES if n.role == "tab" else {"expanded"})]
    if nodes and len(opened) == len(nodes):
        return decisions.done(f"{describe_control(nodes[0])} is open already.")
    return click(case)


def close(case: StepCase) -> Decision:
    """Close a dialog, menu, section or record."""
    target = case.target
    node = case.chosen(case.find(target)) if target.phrase else None
    if node is not None and "collapsed" in node.states:
        return decisions.done(f"{describe_control(node)} is closed already.")
    closes = node is not None and node.role != "txt" and "close" in label(node.name).meanings
    if node is not None and ("expanded" in node.states or closes):
        return click(case)
    name = target.within or target.phrase
    if name and any(is_of_record(n) and is_in_record(name, n.group) for n in case.tree):
        kind = " ".join(w for w in target.phrase.split() if w.isalpha() and w.islower())
        phrase = f"close {kind}".strip() if kind != name else "close"
        return click(case.with_directive(verb="click", target=Target(phrase=phrase, within=name)))
    grounding = case.find(Target(phrase="close"))
    closer = case.chosen(grounding)
    if is_proper_name(name) and not any(cut_group(n.group, DIALOG) for n in case.tree):
        return decide_absent(case, target, grounding)
    if closer is not None and label(closer.name).meanings == ("close",):
        return decisions.click_control(closer, "Close with")
    if any("modal" in node.states or cut_group(node.group, DIALOG) for node in case.tree):
        return decisions.act_once(
            action("pressKey", "Escape"), "Press Escape to close it", confidence=0.75
        )
    return decide_absent(case, target, grounding)


def point_at(case: StepCase, name: Literal["hover", "click"], words: str) -> Decision:
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome == "ambiguous":
        return decisions.ambiguous(grounding, describe_target(target))
    if grounding.outcome == "absent":
        return decide_absent(case, target, grounding)
    node = case.tree.by_id[grounding.chosen[0]]
    description = f"{words} {describe_control(node)}"
    return decisions.act_once(action(name, node.id), description, confidence=grounding.confidence)
