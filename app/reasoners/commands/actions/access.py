"""Searching, logging in and out, and finding."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.directive_wording import quoted, thing
from app.domain.page import Node
from app.domain.plan import Decision
from app.grounding.descriptions import called
from app.grounding.label import label
from app.grounding.lexicon import STOP_WORDS
from app.grounding.values import holds
from app.page.controls import searches
from app.reasoners.commands.actions.absence import absent
from app.reasoners.commands.actions.case import Case, done, one
from app.reasoners.commands.actions.entry import fields_here, fill
from app.reasoners.commands.actions.location import locate
from app.reasoners.commands.actions.pointer import click


def search(case: Case) -> Decision:
    """Put the words into the search box."""
    value = case.directive.value or ""
    box = _search_box(case)
    if box is None:
        return absent(case, Target(phrase="search"))
    if holds(box, value):
        return done(f"{called(box)} holds {quoted(value)}.")
    return one(action("setValue", box.id, value), f"Enter {quoted(value)} in {called(box)}")


def _search_box(case: Case) -> Node | None:
    """The field that was named, the only one that searches, or the page's only text field; of several that
    search, the only one in the place that was named.
    """
    inputs = [n for n in case.tree if n.role == "inp" and n.enabled and n.input_type != "password"]
    target = case.directive.target
    if target is not None and (said := label(target.phrase).meaning_set - STOP_WORDS):
        named = case.chosen(case.field(target))
        if named in inputs and said & label(f"{named.name} {named.hint}").meaning_set:
            return named
    else:
        said = frozenset()
    boxes = [node for node in inputs if searches(node)] or inputs
    placed = [node for node in boxes if said & label(node.group).meaning_set]
    found = placed if len(boxes) > 1 and placed else boxes
    return found[0] if len(found) == 1 else None


def login(case: Case) -> Decision:
    """Fill the credentials where they are asked for; the way there is opened first."""
    way = Target(phrase="log in")
    if not case.directive.fields:
        return click(case.instead(verb="click", target=way))
    asked = any(node.input_type == "password" for node in case.tree)
    entrance = case.chosen(case.find(way)) if not asked else None
    leads = entrance is not None and entrance.role in {"btn", "link", "menu", "tab"}
    if entrance is not None and leads and not case.did("click", entrance):
        return one(action("click", entrance.id), f"Open {called(entrance)}", completes=False)
    return fill(case.instead(verb="fill")) if asked or fields_here(case) else absent(case, way)


def logout(case: Case) -> Decision:
    """Press log out, behind the account's menu when it is there."""
    target = Target(phrase="log out")
    if case.find(target).outcome == "found":
        return click(case.instead(verb="click", target=target))
    menus = (Target(phrase=phrase) for phrase in ("account", "user menu"))
    return absent(case, next((m for m in menus if case.find(m).outcome == "found"), target))


def find(case: Case) -> Decision:
    """Bring it into view: done when it can be seen."""
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome != "absent":
        return done(f"{thing(target)} is here.")
    phrase = target.phrase.casefold() if target is not None else ""
    if phrase and phrase in case.page.summary.casefold():
        return done(f"{thing(target)} is on the page.")
    return absent(case, target, grounding)
