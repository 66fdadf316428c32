"""Which move serves which verb."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.directive import Verb
from app.domain.directive_wording import quoted
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.grounding import Grounder
from app.reasoners.commands.actions import answers, choice, entry, forms, pointer, record
from app.reasoners.commands.actions.case import Case, Move, done, missing
from app.reasoners.commands.actions.exclusions import sparing, without_forbidden
from app.reasoners.commands.actions.location import wait_first

MOVES: Mapping[Verb, Move] = MappingProxyType(
    {
        "click": pointer.click, "open": pointer.open_, "close": pointer.close,
        "fill": entry.fill, "clear": entry.clear, "select": choice.select,
        "check": choice.check, "uncheck": choice.uncheck, "submit": forms.submit,
        "search": forms.search, "login": forms.login, "logout": forms.logout,
        "create": forms.create, "edit": record.edit, "delete": record.delete,
        "find": forms.find, "press": pointer.press, "scroll": pointer.scroll,
        "hover": pointer.hover, "focus": pointer.focus, "drag": pointer.drag,
        "navigate": pointer.navigate, "back": pointer.back, "reload": pointer.reload,
        "wait": pointer.wait, "read": answers.read,
    }
)  # fmt: skip


def refine_step(situation: Situation, grounder: Grounder) -> Decision:
    """What to do for the plan's current step on the page as it is."""
    step = situation.plan.step
    if step is None:
        return done("Every step is done.")
    if step.directive is None:
        return missing(
            f"I did not understand {quoted(step.description)}. Name a control and what to do."
        )
    case = Case(situation, step.directive, grounder)
    made = pointer.follow(case) or MOVES[step.directive.verb](case)
    found = without_forbidden(case, sparing(case, made))
    return wait_first(case, found) or found
