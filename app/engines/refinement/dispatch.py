"""Which move serves which verb."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.action import action
from app.domain.directive import Directive, Verb
from app.domain.plan import Refinement
from app.engines.grounding import Grounder
from app.engines.reasoner import Situation
from app.engines.refinement import (
    choosing,
    dragging,
    filling,
    moving,
    one_record,
    pointing,
    reading,
    records,
    submitting,
    visiting,
)
from app.engines.refinement.borrowing import borrow
from app.engines.refinement.case import Case, Move, done, missing, one
from app.engines.refinement.conditions import met
from app.engines.refinement.copying import copy_over
from app.engines.refinement.documented import undocumented
from app.engines.refinement.forbidding import without_forbidden
from app.engines.refinement.loading import wait_before_concluding, wait_while_disabled
from app.engines.refinement.matching import alike, described
from app.engines.refinement.naming import called
from app.engines.refinement.recognising import named_by_clause
from app.engines.refinement.several import severally
from app.engines.refinement.sparing import sparing

MOVES: Mapping[Verb, Move] = MappingProxyType(
    {
        "click": pointing.click, "open": pointing.open_, "close": pointing.close,
        "fill": filling.fill, "clear": filling.clear, "select": choosing.select,
        "check": choosing.check, "uncheck": choosing.uncheck, "submit": submitting.submit,
        "search": visiting.search, "login": visiting.login, "logout": visiting.logout,
        "create": records.create, "edit": one_record.edit, "delete": one_record.delete,
        "find": visiting.find, "press": moving.press, "scroll": moving.scroll,
        "hover": pointing.hover, "focus": pointing.focus, "drag": dragging.drag,
        "navigate": moving.navigate, "back": moving.back, "reload": moving.reload,
        "wait": moving.wait, "verify": reading.verify, "read": reading.read, "do": visiting.do,
    }
)  # fmt: skip


WORDED: frozenset[Verb] = frozenset({"fill", "select", "do"})
"""Verbs whose clause may describe its value instead of naming it."""


CALLED: frozenset[Verb] = frozenset({"clear", "do", "check", "uncheck", "close", "edit"})
"""Verbs whose whole clause may be what a control is called: "clear the completed tasks"."""


def _called_so(case: Case) -> Refinement | None:
    directive = case.directive
    if case.deeds or directive.fields or (directive.verb != "do" and directive.value is not None):
        return None
    node = named_by_clause(case)
    return None if node is None else one(action("click", node.id), f"Press {called(node)}")


def _worded(case: Case) -> Refinement | None:
    return copy_over(case) or borrow(case) or described(case) or alike(case)


def refine_step(situation: Situation, grounder: Grounder) -> Refinement:
    """What to do for the plan's current step on the page as it is."""
    step = situation.plan.step
    if step is None:
        return done("Every step is done.")
    directive = step.directive or Directive(
        verb="do", value=step.description, source=step.description
    )
    if directive.unheeded:
        return missing(f"I cannot tell by rules alone what “{directive.unheeded}” comes to here.")
    case = Case(situation, directive, grounder)
    found = _refined(case)
    return wait_before_concluding(case, found) or found


def _refined(case: Case) -> Refinement:
    directive = case.directive
    if directive.condition and not case.deeds and not met(case, directive.condition):
        return done(f"There is no {directive.condition} here, so this is not needed.")
    if (lacking := undocumented(case)) is not None:
        return lacking
    if (counted := severally(case, MOVES[directive.verb])) is not None:
        return without_forbidden(case, counted)
    if directive.verb in CALLED and (control := _called_so(case)) is not None:
        return without_forbidden(case, control)
    special = _worded(case) if directive.verb in WORDED else None
    found = sparing(case, special or MOVES[directive.verb](case))
    return without_forbidden(case, wait_while_disabled(case, found) or found)
