"""Where rules are sure enough to go first, and where a model that is there is asked instead.

A model's call costs about what a round trip does in time, and money besides; a rule that is wrong
costs the task. So rules go first exactly where their own confidence says so.
"""

from app.domain.action import Action
from app.domain.analysis import Analysis
from app.domain.directive import Directive, Instruction, Verb
from app.domain.page import Observation
from app.domain.plan import Refinement
from app.engines.complexity import GROUNDED
from app.engines.complexity import SURE as UNDERSTOOD
from app.engines.correction import attempts
from app.engines.disambiguation import for_person, is_on_chosen
from app.engines.hierarchy import opens
from app.engines.reasoner import Situation
from app.engines.recovery.second_look import SECOND_LOOK
from app.engines.risk import is_grave

MECHANICAL = frozenset(
    {"wait", SECOND_LOOK, "wait and retry", "retry", "re-find", "scroll", "scroll into view",
     "dismiss overlay", "go back", "answer the dialog"}
)  # fmt: skip
"""Corrections that do the same thing again under better circumstances. Which other control may have
been meant is a question of meaning, and a model's."""

PLAIN: frozenset[Verb] = frozenset({"click", "open", "close", "check", "uncheck", "back"})
"""What a step that a model worded may ask of the rules: one control, named, and nothing entered."""


def understood(read: Instruction, analysis: Analysis, situation: Situation) -> bool:
    """Whether the rules' own analysis of the goal can stand.

    What a person answered or the web said, only a model can use; and a sub-task is a model's.
    """
    known = situation.background
    return (
        analysis.missing is None
        and analysis.answer is None
        and read.confidence >= UNDERSTOOD
        and not (known.answers or known.searches or opens(situation.plan))
    )


def plain(read: Instruction, situation: Situation) -> bool:
    """Whether a step that a model worded may be for the rules, who read it so.

    It asks for one press of a control that it names, and nothing was done for it yet. Measured on
    the labelled pages of the grounder (768 steps, worded in four ways): rules took 374, all rightly.
    """
    directive = read.directives[0] if len(read.directives) == 1 else None
    if directive is None or read.confidence < GROUNDED or not _asks_for_one(directive):
        return False
    return not any(deed.step == situation.plan.current for deed in situation.deeds)


def _asks_for_one(directive: Directive) -> bool:
    target = directive.target
    if directive.verb not in PLAIN or directive.times != 1:
        return False
    if directive.value is not None or directive.fields:
        return False
    return directive.verb == "back" or (
        target is not None and bool(target.phrase) and not target.all
    )


def sure(found: Refinement, situation: Situation) -> bool:
    """Whether the rules' refinement of the current step can stand."""
    if found.outcome == "ambiguous":
        return situation.plan.maker == "rules" and for_person(found, situation)
    if is_on_chosen(found, situation):
        return True
    if situation.plan.maker == "model":
        return _is_one_press(found, situation.page)
    if found.outcome in {"done", "answer"}:
        return True
    if found.outcome != "act" or not found.proposals:
        return False
    if any(proposal.purpose == "explore" for proposal in found.proposals):
        return all(proposal.action.name == "wait" for proposal in found.proposals)
    return found.confidence >= GROUNDED


def _is_one_press(found: Refinement, page: Observation) -> bool:
    """One action surely meant, that does the step and can be undone."""
    return (
        found.outcome == "act"
        and found.confidence >= GROUNDED
        and found.completes_step
        and len(found.proposals) == 1
        and found.proposals[0].purpose == "work"
        and not _is_high(found.proposals[0].action, page)
    )


def _is_high(action: Action, page: Observation) -> bool:
    return is_grave(action, page.tree.get(action.target or ""), page)


def mends(found: Refinement, situation: Situation) -> bool:
    """Whether the rules' correction goes first: what helped before, or a mechanical one, once a step.

    Waiting for a submit that nobody knows of comes before everything, as often as the rules wait.
    """
    if found.outcome != "act":
        return False
    last = situation.deeds[-1] if situation.deeds else None
    if last is not None and last.purpose == "explore":
        return sure(found, situation)
    if found.strategy == SECOND_LOOK or (found.strategy == "wait" and _is_unsettled(situation)):
        return True
    if found.source == "skill":
        return True
    return found.strategy in MECHANICAL and attempts(situation.deeds, situation.plan.current) == 0


def _is_unsettled(situation: Situation) -> bool:
    """Whether something of this step was sent of which nobody knows whether it happened."""
    return any(
        deed.status == "unknown" and deed.step == situation.plan.current for deed in situation.deeds
    )
