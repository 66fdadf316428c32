"""What is done for a step for which a person chose: to nothing but what they chose."""

from dataclasses import replace

from app.domain.grounding import Candidate
from app.domain.page import Observation, Tree
from app.domain.plan import Refinement
from app.engines.disambiguation.pinning import (
    chosen_now,
    held_to,
    is_used,
    others_here,
    standing,
)
from app.engines.reasoner import Situation


def lost(situation: Situation) -> Refinement | None:
    """What to do where the chosen element is not on the page, though nothing was done to it and others
    of the kind are there: ask again, or say so. None where the step can go on.
    """
    step = situation.plan.step
    if step is None or step.chosen is None or is_used(situation):
        return None
    if chosen_now(situation) is not None:
        return None
    left = others_here(situation)
    if not left:
        return None
    named = step.chosen.option.label
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=0.6)
        for n in left
    )
    reason = f"What you chose, “{named}”, is not on the page any more"
    return Refinement(
        outcome="ambiguous" if len(left) > 1 else "missing",
        thought=f"{reason}.",
        candidates=shown,
        about=step.chosen.about,
        reason=reason,
        confidence=0.9,
    )


def applied(found: Refinement, situation: Situation) -> Refinement:
    """The rules' refinement, unless it would take something else for an element that is gone."""
    step = situation.plan.step
    if step is None or step.chosen is None or found.outcome != "act" or is_used(situation):
        return found
    works = any(one.purpose == "work" and one.action.target for one in found.proposals)
    if not works or chosen_now(situation) is not None:
        return found
    reason = f"What you chose, “{step.chosen.option.label}”, is not on the page any more"
    return Refinement(outcome="missing", thought=f"{reason}.", reason=reason, confidence=0.9)


def narrowed_to_chosen(found: Refinement, situation: Situation) -> Observation | None:
    """The page without the candidates that are not what was chosen for this step; None where it is
    none of them.
    """
    step, page = situation.plan.step, held_to(situation).page
    meant = standing(step.chosen.option, page) if step is not None and step.chosen else None
    ids = {one.id for one in found.candidates}
    if meant is None or meant.id not in ids:
        return None
    others = ids - {meant.id}
    return replace(page, tree=Tree(tuple(node for node in page.tree if node.id not in others)))
