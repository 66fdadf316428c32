"""Dragging: one thing onto another, or to another place in the order of what it lies among."""

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
from app.engines.refinement.ordering import Order, order_of

STEPS = frozenset({"up", "down", "left", "right"})
PLACES = frozenset({"position", "place", "spot", "slot", ""})


def drag(case: Case) -> Refinement:
    """Drag one thing onto another, or to where it was said that it belongs."""
    directive = case.directive
    source, lost = _end(case, directive.target)
    if source is None:
        return lost
    if directive.value in STEPS:
        return _stepped(case, source, directive.value)
    order = order_of(case.tree, source)
    if directive.value in {"before", "after"} and directive.destination is not None:
        return _beside(case, source, order, directive.destination, directive.value)
    where = directive.destination or Target()
    if _is_place(where) and len(order) > 1:
        return _onto(source, order.at(where.ordinal, where.position))
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
    """Whether it is a place in an order rather than a thing: "the 3rd position", "the top"."""
    counted = where.ordinal is not None and where.phrase.lower() in PLACES and where.role is None
    return (counted or where.position is not None) and not (where.near or where.quoted)


def _beside(case: Case, source: Node, order: Order, where: Target, side: str) -> Refinement:
    other, lost = _end(case, where)
    if other is None:
        return lost
    return _onto(source, order.beside(source, other, before=side == "before"))


def _stepped(case: Case, source: Node, way: str) -> Refinement:
    """Some steps on: with the thing's own control for that where it has one, else by dragging."""
    if (control := _mover(case, source, way)) is not None:
        return one(action("click", control.id), f"Press {called(control)}")
    goal = order_of(case.tree, source).stepped(source, way, max(1, case.directive.times))
    if goal is None:
        return missing(f"There is no place further {way} than that of {called(source)}.")
    return _onto(source, goal)


def _mover(case: Case, source: Node, way: str) -> Node | None:
    if case.directive.times > 1 or not source.name:
        return None
    found = case.find(Target(phrase=f"move {way}", within=source.name), "click")
    node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
    says = node is not None and way in node.name.lower().split()
    return node if says and node is not source else None


def _onto(source: Node, goal: Node | None) -> Refinement:
    if goal is None:
        return missing(f"There is no such place beside {called(source)}.")
    if goal.id == source.id:
        return done(f"{called(source)} is there already.")
    return one(
        action("dragTo", source.id, goal.id), f"Drag {called(source)} to where {called(goal)} is"
    )
