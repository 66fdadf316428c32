"""Which move serves which verb."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.directive import Directive, Verb
from app.domain.plan import Refinement
from app.engines.grounding import Grounder
from app.engines.reasoner import Situation
from app.engines.refinement import (
    choosing,
    filling,
    moving,
    pointing,
    reading,
    records,
    submitting,
    visiting,
)
from app.engines.refinement.borrowing import borrow
from app.engines.refinement.case import Case, Move, done
from app.engines.refinement.forbidding import without_forbidden
from app.engines.refinement.matching import alike, described

MOVES: Mapping[Verb, Move] = MappingProxyType(
    {
        "click": pointing.click, "open": pointing.open_, "close": pointing.close,
        "fill": filling.fill, "clear": filling.clear, "select": choosing.select,
        "check": choosing.check, "uncheck": choosing.uncheck, "submit": submitting.submit,
        "search": visiting.search, "login": visiting.login, "logout": visiting.logout,
        "create": records.create, "edit": records.edit, "delete": records.delete,
        "find": visiting.find, "press": moving.press, "scroll": moving.scroll,
        "hover": pointing.hover, "focus": pointing.focus, "drag": moving.drag,
        "navigate": moving.navigate, "back": moving.back, "reload": moving.reload,
        "wait": moving.wait, "verify": reading.verify, "read": reading.read, "do": visiting.do,
    }
)  # fmt: skip


WORDED: frozenset[Verb] = frozenset({"fill", "select", "do"})
"""Verbs whose clause may describe its value instead of naming it."""


def refine_step(situation: Situation, grounder: Grounder) -> Refinement:
    """What to do for the plan's current step on the page as it is."""
    step = situation.plan.step
    if step is None:
        return done("Every step is done.")
    directive = step.directive or Directive(
        verb="do", value=step.description, source=step.description
    )
    case = Case(situation, directive, grounder)
    special = borrow(case) or described(case) or alike(case) if directive.verb in WORDED else None
    return without_forbidden(case, special or MOVES[directive.verb](case))
