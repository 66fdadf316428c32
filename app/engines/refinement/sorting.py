"""Sorting a list: the choice of an order, or the heading of a column."""

from rapidfuzz import fuzz

from app.domain.action import action
from app.domain.directive import Target
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.grounding.label import label
from app.engines.planning.wording import quoted
from app.engines.refinement.case import Case, ambiguous, done, missing, one
from app.engines.refinement.naming import called, not_here
from app.text import patterns

SORTING = patterns.compile(r"^\W*(please\s+)?(sort|order|arrange)\b", patterns.IGNORECASE)
HEADING = frozenset({"link", "btn", "el", "menu", "tab", "opt"})


def sort(case: Case) -> Refinement:
    """Choose the order in a list of orders, else press the heading of the column."""
    wanted = case.directive.value or ""
    key = case.directive.target.phrase if case.directive.target else wanted
    for node in case.tree:
        option = _order(node, key, wanted)
        if option is not None and node.value == option:
            return done(f"It is sorted by {quoted(option)}.")
        if option is not None:
            made = action("selectOption", node.id, option)
            return one(made, f"Choose {quoted(option)} in {called(node)}")
    found = case.find(Target(phrase=key))
    if found.outcome == "ambiguous":
        return ambiguous(found, f"the heading {quoted(key)}")
    heading = case.tree.get(found.chosen[0]) if found.chosen else None
    if heading is None or heading.role not in HEADING:
        return missing(not_here(f"a way to sort by {quoted(key)}", case.page))
    return one(action("click", heading.id), f"Press {called(heading)}")


def _order(node: Node, key: str, wanted: str) -> str | None:
    """The option that sorts by the key, the way that was said where it was."""
    said = label(key).stems
    fitting = (
        [o for o in node.options if said and said <= label(o).stems] if node.role == "sel" else []
    )
    if not fitting:
        return None
    return max(fitting, key=lambda option: fuzz.ratio(_plain(wanted), _plain(option)))


def _plain(text: str) -> str:
    return " ".join(label(text).words)
