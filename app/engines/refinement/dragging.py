"""Dragging: one thing onto another, or to a numbered place in the order of what it lies among."""

from app.domain.action import action
from app.domain.directive import Target
from app.domain.grounding import Grounding
from app.domain.page import Node
from app.domain.plan import Refinement
from app.engines.planning.wording import thing
from app.engines.refinement.case import Case, ambiguous, done, missing, one
from app.engines.refinement.exploring import explore
from app.engines.refinement.locating import locate
from app.engines.refinement.naming import called
from app.engines.refinement.ordering import order_of, place_at

PLACES = frozenset({"position", "place", "spot", "slot", ""})


def drag(case: Case) -> Refinement:
    """Drag one thing onto another, or to where it was said that it belongs."""
    directive = case.directive
    source, lost = _end(case, directive.target)
    if source is None:
        return lost
    where = directive.destination or Target()
    order = order_of(case.tree, source)
    if _is_place(where) and len(order) > 1:
        return _onto(source, place_at(order, where.ordinal or 1))
    goal, lost = _end(case, where)
    return lost if goal is None else _onto(source, goal)


def _end(case: Case, target: Target | None) -> tuple[Node | None, Refinement]:
    """What is dragged or dragged to; without one, what to do about that."""
    grounding = _found(case, target)
    node = case.tree.get(grounding.chosen[0]) if grounding.chosen else None
    if grounding.outcome == "ambiguous":
        return None, ambiguous(grounding, thing(target))
    if grounding.outcome == "absent" or node is None:
        return None, explore(case, target, grounding)
    return node, done("It is there.")


def _found(case: Case, target: Target | None) -> Grounding:
    """By its name; of "the task Buy milk" by what follows the kind."""
    found = locate(case, target)
    kind, _, name = (target.phrase if target else "").partition(" ")
    if found.outcome != "absent" or target is None or not name or not kind.islower():
        return found
    named = case.find(target.model_copy(update={"phrase": name}))
    return named if named.outcome != "absent" else found


def _is_place(where: Target) -> bool:
    """Whether it is a place in an order rather than a thing: "the 3rd position"."""
    counted = where.ordinal is not None and where.phrase.lower() in PLACES and where.role is None
    return counted and not (where.near or where.quoted)


def _onto(source: Node, goal: Node | None) -> Refinement:
    if goal is None:
        return missing(f"There is no such place beside {called(source)}.")
    if goal.id == source.id:
        return done(f"{called(source)} is there already.")
    return one(
        action("dragTo", source.id, goal.id), f"Drag {called(source)} to where {called(goal)} is"
    )
