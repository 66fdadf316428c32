"""Which move serves which verb."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.directive import Verb
from app.domain.plan import Refinement
from app.engines.grounding import Grounder
from app.engines.planning.wording import quoted
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
from app.engines.refinement.case import Case, Move, done, missing
from app.engines.refinement.documented import undocumented
from app.engines.refinement.forbidding import without_forbidden
from app.engines.refinement.loading import wait_before_concluding, wait_while_disabled
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
        "wait": moving.wait, "read": reading.read,
    }
)  # fmt: skip


def refine_step(situation: Situation, grounder: Grounder) -> Refinement:
    """What to do for the plan's current step on the page as it is."""
    step = situation.plan.step
    if step is None:
        return done("Every step is done.")
    if step.directive is None:
        return missing(
            f"I did not understand {quoted(step.description)}. Name a control and what to do."
        )
    case = Case(situation, step.directive, grounder)
    found = _refined(case)
    return wait_before_concluding(case, found) or found


def _refined(case: Case) -> Refinement:
    if (lacking := undocumented(case)) is not None:
        return lacking
    found = sparing(case, MOVES[case.directive.verb](case))
    return without_forbidden(case, wait_while_disabled(case, found) or found)
