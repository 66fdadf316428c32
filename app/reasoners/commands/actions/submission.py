"""Handing in what was entered: the form's own button, the one named, or Enter."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.directive_wording import thing
from app.domain.page import Node
from app.domain.plan import Decision
from app.grounding.descriptions import called, not_here
from app.grounding.label import label
from app.grounding.surroundings import record
from app.page.controls import container, inside
from app.reasoners.commands.actions.case import Case, done, missing, one, same
from app.reasoners.commands.actions.location import is_of_record
from app.reasoners.commands.actions.pointer import click
from app.text.lexicon import speaks_of

SUBMITTERS = frozenset({"btn", "link", "el", "menu"})
ENTERING = frozenset({"setValue", "selectOption", "setChecked"})
LEADS = frozenset({"link", "tab", "menu", "tree"})
PLANNED = frozenset({"create", "edit", "login", "search"})  # verbs that a plan ends by handing in


def submit(case: Case) -> Decision:
    """Press the button that was named, or that sends the form last filled; Enter where a field was
    typed into.
    """
    filled = _last_filled(case)
    if (named := _as_named(case, filled)) is not None:
        return named
    if case.told_prompt:
        return done("It was handed in already.")
    grounding = case.grounder.submit(case.tree, after=[filled.id] if filled else ())
    button = _by_word(case, filled) or case.chosen(grounding)
    typed = case.last is not None and case.last.action.name == "setValue"
    saved = filled and (not typed if button is None else _took_effect(filled, button))
    if filled and saved and case.directive.value == "edit":
        return done(f"{called(filled)} is changed, and there is nothing to save it with.")
    last = case.last if case.directive.value in PLANNED and not case.work else None
    pressed = last is not None and last.action.name == "click" and last.status == "success"
    if button and last and pressed and same(last, button):
        return done("It was handed in already.")
    if typed and button is None:
        return one(action("pressKey", "Enter"), "Press Enter", confidence=0.85)
    if button is None:
        what = thing(case.directive.target, "a button to submit with")
        return missing(not_here(what, case.page), grounding.candidates[:3])
    if not button.enabled:
        return missing(_locked(case, button))
    press = action("click", button.id)
    return one(press, f"Press {called(button)}", confidence=grounding.confidence)


def _as_named(case: Case, filled: Node | None) -> Decision | None:
    """By the control that was named. Of "save the settings" the settings are what is saved: a link of
    their name only leads to them, and the form's own button is pressed where something was entered.
    """
    target = case.directive.target
    if target is None or not (target.phrase or target.ordinal is not None):
        return None
    said = label(f"{case.directive.value or ''} {target.phrase}")
    whole = [n for n in case.tree if n.enabled and label(n.name).folded == said.folded]
    if len(whole) == 1 and whole[0].role in SUBMITTERS and not target.quoted:
        return one(action("click", whole[0].id), f"Press {called(whole[0])}")
    grounding = case.find(target)
    nodes = [node for one_id in grounding.chosen if (node := case.tree.get(one_id))]
    if grounding.outcome != "absent" and not (nodes and all(_leads(n, target) for n in nodes)):
        return click(case)
    if filled is not None:
        return None
    found = case.chosen(case.grounder.submit(case.tree))
    known = said.meaning_set | label("submit ok changes").meaning_set
    if found is not None and label(found.name).meaning_set <= known:
        return None
    what = f"a button to {case.directive.value} {thing(target)}"
    return missing(not_here(what, case.page), grounding.candidates[:3])


def _leads(node: Node, target: Target) -> bool:
    """Whether it is a way to the thing that was named, and hands nothing in."""
    if node.role not in LEADS or target.quoted or target.role in LEADS:
        return False
    rest = set(label(node.name).words) - set(label(target.phrase).words)
    return not speaks_of("submit", " ".join(rest))


def _by_word(case: Case, filled: Node | None) -> Node | None:
    """The one control beside what was filled that begins with the person's word: "Save draft"."""
    word = label(case.directive.value or "").words
    if filled is None or not word or case.directive.value in PLANNED:
        return None
    beside = [n for n in case.tree if n.enabled and container(n) == container(filled)]
    named = [n for n in beside if n.role in SUBMITTERS and label(n.name).words[: len(word)] == word]
    return named[0] if len(named) == 1 else None


def _took_effect(filled: Node, button: Node) -> bool:
    """Whether a choice was made in a record of a list that has nothing of its own to save it with."""
    at_once = filled.role in {"sel", "chk", "rad"} and is_of_record(filled)
    return at_once and not inside(button, record(filled.group))


def _locked(case: Case, node: Node) -> str:
    said = f": {case.page.errors[0]}" if case.page.errors else ""
    lacking = [n.name for n in case.tree if "required" in n.states and not n.value and n.name]
    wanted = f"; still empty: {', '.join(lacking[:4])}" if lacking else ""
    return f"{called(node)} cannot be pressed{said}{wanted}."


def _last_filled(case: Case) -> Node | None:
    """The control that was last given a value in this run, if the page still has it."""
    entered = [deed for deed in case.situation.deeds if deed.action.name in ENTERING]
    return case.tree.get(entered[-1].action.target or "") if entered else None
