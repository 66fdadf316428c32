"""Handing in what was entered: the form's own button, the one named, or Enter."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, ambiguous, done, last_filled, missing, one, same
from app.engines.refinement.match import PRESSED, answered_prompt, is_of_record
from app.engines.refinement.messages import called, not_here
from app.engines.refinement.pointer import click
from app.engines.risk.controls import container
from app.engines.risk.lexicon import speaks_of

SAID = frozenset({"save", "send", "post", "publish", "apply", "confirm"})
HANDS_IN = SAID | {"submit", "send off", "finalize"}
"""Words that say that what was entered is taken; "continue" or "check out" may just lead on."""
LEADS = frozenset({"link", "tab", "menu", "tree"})


def submit(case: Case) -> Refinement:
    """Press the button that sends the form last filled; Enter where a field was typed into.

    Of "save the settings" the settings are what is saved: a link of their name only leads to them.
    """
    if (named := _as_named(case)) is not None:
        return named
    target = case.directive.target
    filled = [node for node in [last_filled(case)] if node is not None]
    if _sent_already(case) or answered_prompt(case):
        return done("It was handed in already.")
    if filled and case.directive.value == "edit" and _takes_effect_at_once(case, filled[0]):
        return done(f"{called(filled[0])} is changed.")
    grounding = case.submitter(filled)
    if grounding.outcome == "found":
        node = _by_own_word(case, filled) or case.tree.by_id[grounding.chosen[0]]
        if filled and _opened_field(case, node):
            return one(action("pressKey", "Enter"), "Press Enter", confidence=0.85)
        if not node.enabled:
            return missing(_locked(case, node))
        return one(
            action("click", node.id), f"Press {called(node)}", confidence=grounding.confidence
        )
    if case.last is not None and case.last.action.name == "setValue":
        return one(action("pressKey", "Enter"), "Press Enter", confidence=0.85)
    if grounding.outcome == "absent" and filled and case.directive.value == "edit":
        return done(f"{called(filled[0])} is changed, and there is nothing to save it with.")
    if grounding.outcome == "ambiguous":
        return ambiguous(grounding, "the button to submit with")
    return missing(
        not_here(thing(target, "a button to submit with"), case.page), grounding.candidates[:3]
    )


def _as_named(case: Case) -> Refinement | None:
    """By the control that was named; None where none was, or the name is that of what is saved."""
    target = case.directive.target
    if target is None or not (target.phrase or target.ordinal is not None):
        return None
    if (button := _by_verb_and_object(case, target)) is not None:
        return one(action("click", button.id), f"Press {called(button)}")
    grounding = case.find(target)
    no_form = last_filled(case) is None or case.submitter().outcome != "found"
    if grounding.outcome == "absent" and not no_form:
        return None
    if not _only_leads(case, target, grounding):
        return click(case)
    return _unless_of_another(case, target) if last_filled(case) is None else None


def _unless_of_another(case: Case, target: Target) -> Refinement | None:
    """Why not, where nothing was filled in and the button there is says another thing's name."""
    found = case.submitter()
    node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
    said = label(f"{case.directive.value or ''} {target.phrase} changes").meaning_set
    if node is None or label(node.name).meaning_set <= said | label("submit ok").meaning_set:
        return None
    return missing(not_here(f"a button to {case.directive.value} {thing(target)}", case.page))


def _by_verb_and_object(case: Case, target: Target) -> Node | None:
    """The one control called as the person said it, verb and all: "Save settings"."""
    said = label(f"{case.directive.value or ''} {target.phrase}").folded
    if target.quoted or not target.phrase or target.ordinal is not None:
        return None
    named = [
        n for n in case.tree if n.enabled and n.role in PRESSED and label(n.name).folded == said
    ]
    return named[0] if len(named) == 1 else None


def _only_leads(case: Case, target: Target, grounding: Grounding) -> bool:
    """Whether what bears the object's name is a way to another page, and hands nothing in."""
    if case.directive.value not in HANDS_IN or target.quoted or target.role in LEADS:
        return False
    nodes = [node for one_id in grounding.chosen if (node := case.tree.get(one_id)) is not None]
    object_words = label(target.phrase).words

    def leads(node: Node) -> bool:
        rest = [word for word in label(node.name).words if word not in object_words]
        return node.role in LEADS and not speaks_of("submit", " ".join(rest))

    return bool(nodes) and all(leads(node) for node in nodes)


def _opened_field(case: Case, node: Node) -> bool:
    """Whether it opened the field typed into last: "Rename" in a line, pressed again, undoes it."""
    opened, typed = (None, None, *case.situation.deeds)[-2:]
    if opened is None or typed is None or typed.action.name != "setValue":
        return False
    return opened.action.name == "click" and same(opened, node)


def _by_own_word(case: Case, filled: list[Node]) -> Node | None:
    """The one control beside what was filled that begins with the person's word: "Save draft"."""
    word = label(case.directive.value or "").words
    if case.directive.value not in SAID or not filled:
        return None
    group = container(filled[0])
    named = [
        n
        for n in case.tree
        if n.enabled and n.role in PRESSED and label(n.name).words[: len(word)] == word
        and container(n) == group
    ]  # fmt: skip
    return named[0] if len(named) == 1 else None


def _sent_already(case: Case) -> bool:
    """Whether the step before was to press the very control that hands in what it is about."""
    last = case.last
    if case.directive.value not in {"create", "edit"} or last is None or case.work:
        return False
    pressed = last.action.name == "click" and last.purpose == "work" and last.status == "success"
    plan = case.situation.plan
    earlier = plan.steps[plan.current - 1].directive if plan.current else None
    named = last.signature is not None and speaks_of("submit", last.signature[1])
    said = label(earlier.source).meaning_set if earlier is not None else frozenset[str]()
    same = last.signature is not None and label(last.signature[1]).meaning_set <= said
    return pressed and named and same


def _takes_effect_at_once(case: Case, node: Node) -> bool:
    """Whether a choice in a record of a list has nothing beside it to be saved with."""
    if node.role not in {"sel", "chk", "rad"} or not is_of_record(node):
        return False
    around = [
        n for n in case.tree if n.group == node.group or n.group.startswith(node.group + " > ")
    ]
    return not any(speaks_of("submit", n.name) and n.role in {"btn", "link", "el"} for n in around)


def _locked(case: Case, node: Node) -> str:
    said = f": {case.page.errors[0]}" if case.page.errors else ""
    lacking = [n.name for n in case.tree if "required" in n.states and not n.value and n.name]
    wanted = f"; still empty: {', '.join(lacking[:4])}" if lacking else ""
    return f"{called(node)} cannot be pressed{said}{wanted}."
