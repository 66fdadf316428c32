"""The move for each verb."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.directive import Verb
from app.domain.directive_text import quoted
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.grounding import Grounder
from app.reasoners.commands.actions import answers, choice, entry, forms, pointer, record
from app.reasoners.commands.actions.case import Move, StepCase, done_decision, missing_decision
from app.reasoners.commands.actions.exclusions import apply_exclusions, enforce_forbidden
from app.reasoners.commands.actions.location import wait_until_ready

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
        "wait": pointer.wait, "read": answers.answer_from_page,
    }
)  # fmt: skip


def refine_step(situation: Situation, grounder: Grounder) -> Decision:
    """The decision for the plan's current step on the current page."""
    step = situation.plan.step
    if step is None:
        return done_decision("Every step is done.")
    if step.directive is None:
        return missing_decision(
            f"I did not understand {quoted(step.description)}. Name a control and what to do."
        )
    case = StepCase(situation, step.directive, grounder)
    made = pointer.follow_path(case) or MOVES[step.directive.verb](case)
    found = enforce_forbidden(case, apply_exclusions(case, made))
    return wait_until_ready(case, found) or found
