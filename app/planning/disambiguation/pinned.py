"""The page and the step held to what a person chose: to nothing but that."""

from collections.abc import Collection
from dataclasses import replace

from app.domain.directive import Candidate
from app.domain.hitl import ChosenOption, Option
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Situation
from app.grounding.surroundings import record
from app.page.controls import ENTRIES, container
from app.planning.disambiguation.question import Signature


def pinned(plan: Plan, page: Observation) -> tuple[Node, ...]:
    """What was chosen for the current step and, with the same answer, for those after it; only what is
    on the page, in the order of the steps. Empty where nothing was chosen.
    """
    step = plan.step
    if step is None or step.chosen is None:
        return ()
    asked, rest = step.chosen.hitl_id, plan.steps[plan.current + 1 :]
    steps = (step, *(one for one in rest if one.chosen and asked and one.chosen.hitl_id == asked))
    found = (_of(one, plan, page) for one in steps)
    return tuple(node for node in found if node is not None)


def chosen_now(situation: Situation) -> Node | None:
    """What was chosen for the current step, where it is on the page."""
    step = situation.plan.step
    return _of(step, situation.plan, situation.page) if step is not None else None


def _of(step: PlanStep, plan: Plan, page: Observation) -> Node | None:
    """What was chosen for the step, known by its id and looks, or by its looks where as many have them:
    all that did, or fewer by those that earlier steps of the same answer may have done away with.
    """
    option = step.chosen.option if step.chosen is not None else None
    if option is None or option.element is None or step.chosen is None:
        return None
    own = page.tree.get(option.element_id or "")
    if own is not None and ElementRef.of(own.signature) == option.element:
        return own
    wanted = _signature(option)
    before = [one.chosen for one in plan.steps[: plan.current] if one.chosen is not None]
    gone = sum(
        one.hitl_id == step.chosen.hitl_id and _signature(one.option) == wanted for one in before
    )
    alike = [node for node in page.tree if node.signature == wanted]
    known = option.alike - gone <= len(alike) <= option.alike
    return alike[option.nth] if known and option.nth < len(alike) else None


def _signature(option: Option) -> Signature:
    element = option.element or ElementRef(role="")
    return (element.role, element.name, element.group)


def _is_used(chosen: ChosenOption, situation: Situation) -> bool:
    """Whether something was done for this step to the chosen element, or in its record: it may be gone
    by that.
    """
    wanted, current = _signature(chosen.option), situation.plan.current
    own = record(wanted[2])
    done = [one for one in situation.deeds if one.step == current and one.status != "failure"]
    touched = [one.signature for one in done if one.signature is not None]
    return any(one == wanted or (own and record(one[2]) == own) for one in touched)


def without(page: Observation, ids: Collection[str]) -> Observation:
    """The page without these controls."""
    return replace(page, tree=Tree(tuple(node for node in page.tree if node.id not in ids)))


def held_to(situation: Situation) -> Situation:
    """The situation with nothing on the page that was not chosen for the current step: the other
    options, what looks like them, the rest of their records, and the fields of their forms.
    """
    step, page = situation.plan.step, situation.page
    if step is None or step.chosen is None:
        return situation
    own = _signature(step.chosen.option)[2]
    hidden = _others(step.chosen, chosen_now(situation), page)
    away = {held for node in hidden if (held := record(node.group))}
    away = {held for held in away if not f"{own} > ".startswith(f"{held} > ")}
    forms = {container(node) for node in hidden if node.role in ENTRIES}
    forms -= {None, container(Node(id="", role="", group=own))}
    ids = {node.id for node in hidden}
    ids |= {n.id for n in page.tree if record(n.group) in away}
    ids |= {n.id for n in page.tree if n.role in ENTRIES and container(n) in forms}
    return replace(situation, page=without(page, ids)) if ids else situation


def _others(chosen: ChosenOption, meant: Node | None, page: Observation) -> list[Node]:
    """What is on the page of the options that were not chosen, and of all that looks like any."""
    kinds = {_signature(option) for option in (chosen.option, *chosen.others)}
    return [node for node in page.tree if node.signature in kinds and node is not meant]


def lost(situation: Situation) -> Decision | None:
    """What to do where the chosen element is not on the page, though nothing was done to it and others
    of the kind are there: ask again, or say so. None where the step can go on.
    """
    chosen = _gone(situation)
    left = _others(chosen, None, situation.page) if chosen is not None else []
    if chosen is None or not left:
        return None
    shown = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=0.6)
        for n in left
    )
    outcome = "ambiguous" if len(left) > 1 else "missing"
    update = {"outcome": outcome, "candidates": shown, "about": chosen.about}
    return _told(chosen).model_copy(update=update)


def applied(found: Decision, situation: Situation) -> Decision:
    """The rules' refinement, unless it would take something else for an element that is gone."""
    works = found.outcome == "act" and any(
        one.purpose == "work" and one.action.target for one in found.proposals
    )
    chosen = _gone(situation) if works else None
    return _told(chosen) if chosen is not None else found


def _gone(situation: Situation) -> ChosenOption | None:
    """What was chosen for the current step and is not on the page, though nothing was done to it."""
    chosen = situation.plan.step.chosen if situation.plan.step is not None else None
    if chosen is None or _is_used(chosen, situation) or chosen_now(situation) is not None:
        return None
    return chosen


def _told(chosen: ChosenOption) -> Decision:
    reason = f"What you chose, “{chosen.option.label}”, is not on the page any more"
    return Decision(outcome="missing", thought=f"{reason}.", reason=reason, confidence=0.9)
