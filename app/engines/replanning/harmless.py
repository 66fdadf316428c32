"""What may be done a second time: what leads somewhere, and what was entered and not handed in."""

from app.domain.directive import Verb
from app.domain.page import Observation
from app.domain.plan import Deed, PlanStep
from app.engines.contingency import is_aside
from app.engines.correction.case import Case
from app.engines.reasoner import Situation
from app.engines.verification.snapshot import split_url

LEADING: frozenset[Verb] = frozenset(
    {"open", "find", "navigate", "back", "scroll", "wait", "hover"}
)
"""Verbs that only lead somewhere: left out or done again, nothing else comes of them."""

ENTERING: frozenset[Verb] = frozenset(
    {"fill", "select", "check", "uncheck", "clear", "create", "edit", "focus"}
)
"""Verbs that may be done again as long as nothing was handed in."""

HANDING_IN: frozenset[Verb] = frozenset({"submit", "click", "press"})
_ENTERED = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})


def is_harmless(step: PlanStep) -> bool:
    """Whether the step may be done again on another page."""
    directive = step.directive
    known = directive is not None and directive.verb in LEADING | ENTERING
    return known or is_aside(step)


def handed_in(deeds: tuple[Deed, ...], start: int, page: Observation) -> bool:
    """Whether anything from that step on may have been handed in, or cannot be undone."""
    since = tuple(deed for deed in deeds if deed.step >= start)
    return any(
        deed.status != "failure" and Case(deed=deed, page=page, here=since).is_submit
        for deed in since
    )


def done_here(deeds: tuple[Deed, ...], page: Observation) -> bool:
    """Whether one of the deeds was done on this page, by its address."""
    here = split_url(page.url)[:2]
    return any(split_url(deed.url)[:2] == here for deed in deeds)


def form_is_gone(situation: Situation) -> bool:
    """Whether what was entered last is to be handed in, and its field is on the page no more.

    What then looks like a button for it is one of something else.
    """
    step, last = situation.plan.step, situation.deeds[-1] if situation.deeds else None
    verb = step.directive.verb if step and step.directive else None
    if verb not in HANDING_IN or last is None or last.signature is None:
        return False
    if last.action.name not in _ENTERED:
        return False
    return not any(node.signature[:2] == last.signature[:2] for node in situation.page.tree)
