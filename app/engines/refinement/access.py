"""Searching, logging in and out, and finding."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.planning.wording import quoted, thing
from app.engines.refinement.absence import absent
from app.engines.refinement.case import Case, done, one
from app.engines.refinement.entry import fill
from app.engines.refinement.location import locate
from app.engines.refinement.messages import called
from app.engines.refinement.pointer import click
from app.engines.refinement.values import holds
from app.engines.risk.lexicon import speaks_of


def search(case: Case) -> Refinement:
    """Put the words into the search box."""
    value = case.directive.value or ""
    box = search_box(case)
    if box is None:
        return absent(case, Target(phrase="search"))
    if holds(box, value):
        return done(f"{called(box)} holds {quoted(value)}.")
    return one(action("setValue", box.id, value), f"Enter {quoted(value)} in {called(box)}")


def search_box(case: Case) -> Node | None:
    """The field to search with: the one named, one that says so, or the page's only text field."""
    target = case.directive.target
    for wanted in (target, Target(phrase="search")):
        found = case.field(wanted) if wanted is not None and wanted.phrase else None
        if found is not None and found.outcome == "found":
            node = case.tree.get(found.chosen[0])
            meant = node is not None and wanted is not None and _meant(node, wanted)
            if node is not None and node.role == "inp" and meant:
                return node
    boxes = [n for n in case.tree if n.role == "inp" and n.enabled and n.input_type != "password"]
    return search_field(case) or (boxes[0] if len(boxes) == 1 else None)


def _meant(node: Node, wanted: Target) -> bool:
    """Whether the field says that it searches, or bears a word of what it was called."""
    said = label(f"{node.name} {node.hint}")
    searches = node.input_type == "search" or speaks_of("search", f"{node.name} {node.hint}")
    return searches or bool(said.meaning_set & label(wanted.phrase).meaning_set - STOP_WORDS)


def login(case: Case) -> Refinement:
    """Fill the credentials where they are asked for; the way there is opened first."""
    if not case.directive.fields:
        return click(case.instead(verb="click", target=Target(phrase="log in")))
    if any(node.input_type == "password" for node in case.tree):
        return fill(case.instead(verb="fill"))
    entrance = case.find(Target(phrase="log in"))
    node = case.tree.get(entrance.chosen[0]) if entrance.outcome == "found" else None
    if (
        node is not None
        and node.role in {"btn", "link", "menu", "tab"}
        and not case.did("click", node)
    ):
        return one(action("click", node.id), f"Open {called(node)}", completes=False)
    if all(
        case.field(Target(phrase=f.field), f.value).outcome == "found"
        for f in case.directive.fields
    ):
        return fill(case.instead(verb="fill"))
    return absent(case, Target(phrase="log in"))


def logout(case: Case) -> Refinement:
    """Press log out, behind the account's menu when it is there."""
    target = Target(phrase="log out")
    grounding = case.find(target)
    if grounding.outcome == "found":
        return click(case.instead(verb="click", target=target))
    for phrase in ("account", "profile", "user menu"):
        if case.find(Target(phrase=phrase)).outcome == "found":
            return absent(case, Target(phrase=phrase))
    return absent(case, target)


def find(case: Case) -> Refinement:
    """Bring it into view: done when it can be seen."""
    target = case.directive.target
    grounding = locate(case, target)
    if grounding.outcome == "found":
        node = case.tree.by_id[grounding.chosen[0]]
        return done(f"{called(node)} is here.")
    if grounding.outcome == "ambiguous":
        return done(f"{thing(target)} is here.")
    if (
        target is not None
        and target.phrase
        and target.phrase.casefold() in case.page.summary.casefold()
    ):
        return done(f"{thing(target)} is on the page.")
    return absent(case, target, grounding)


def search_field(case: Case) -> Node | None:
    """The enabled text field that says it searches."""
    for node in case.tree:
        if node.role == "inp" and node.enabled:
            named = node.input_type == "search" or speaks_of("search", f"{node.name} {node.hint}")
            if named and node.input_type != "password":
                return node
    return None
