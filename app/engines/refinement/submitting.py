"""Handing in what was entered: the form's own button, the one named, or Enter."""

from app.domain.action import action
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, ambiguous, done, last_filled, missing, one
from app.engines.refinement.naming import called, not_here
from app.engines.refinement.pointing import click
from app.engines.refinement.recognising import is_of_record
from app.engines.risk.lexicon import speaks_of


def submit(case: Case) -> Refinement:
    """Press the button that sends the form last filled; Enter where a field was typed into."""
    target = case.directive.target
    if target is not None and (target.phrase or target.ordinal is not None):
        grounding = case.find(target)
        if grounding.outcome != "absent" or case.submitter().outcome != "found":
            return click(case)
    filled = [node for node in [last_filled(case)] if node is not None]
    if filled and case.directive.value == "edit" and _takes_effect_at_once(case, filled[0]):
        return done(f"{called(filled[0])} is changed.")
    grounding = case.submitter(filled)
    if grounding.outcome == "found":
        node = case.tree.by_id[grounding.chosen[0]]
        if not node.enabled:
            return missing(_locked(case, node))
        return one(
            action("click", node.id), f"Press {called(node)}", confidence=grounding.confidence
        )
    if case.last is not None and case.last.action.name == "setValue":
        return one(action("pressKey", "Enter"), "Press Enter", confidence=0.85)
    if grounding.outcome == "ambiguous":
        return ambiguous(grounding, "the button to submit with")
    return missing(
        not_here(thing(target, "a button to submit with"), case.page), grounding.candidates[:3]
    )


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
