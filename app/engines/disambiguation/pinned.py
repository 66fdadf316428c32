"""The page and the step held to what a person chose: to nothing but that."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.grounding import Candidate
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Deed, Plan, PlanStep, Refinement
from app.domain.question import Chosen, Option
from app.domain.skill import ElementRef
from app.engines.disambiguation.question import Signature, twins_apart
from app.engines.grounding.surroundings import record
from app.engines.reasoner import Situation
from app.engines.risk.controls import ENTRIES, container


def pinned(plan: Plan, page: Observation) -> tuple[Node, ...]:
    """What was chosen for the current step and, with the same answer, for those after it; only what is
    on the page, in the order of the steps. Empty where nothing was chosen.
    """
    found = (_of(step, plan, page) for step in _of_one_answer(plan))
    return tuple(node for node in found if node is not None)


def standing(option: Option, page: Observation, gone: int = 0) -> Node | None:
    """The option on this page; `gone` of those that look like it were done away with since."""
    if option.element is None:
        return None
    own = page.tree.get(option.element_id or "")
    if own is not None and ElementRef.of(own.signature) == option.element:
        return own
    alike = [node for node in page.tree if node.signature == _signature(option)]
    left = range(option.alike - gone, option.alike + 1)
    return alike[option.nth] if option.nth < len(alike) and len(alike) in left else None


def chosen_now(situation: Situation) -> Node | None:
    """What was chosen for the current step, where it is on the page."""
    step = situation.plan.step
    return _of(step, situation.plan, situation.page) if step is not None else None


def is_used(situation: Situation) -> bool:
    """Whether something was done for this step to the chosen element, or in its record: it may be gone
    by that.
    """
    step, current = situation.plan.step, situation.plan.current
    if step is None or step.chosen is None:
        return False
    wanted = _signature(step.chosen.option)
    return any(_was_done(deed, wanted) for deed in situation.deeds if deed.step == current)


def held_to(situation: Situation) -> Situation:
    """The situation with nothing on the page that was not chosen for the current step: the other
    options, what looks like them, and the rest of their records.
    """
    step = situation.plan.step
    if step is None or step.chosen is None:
        return situation
    page = situation.page
    unmeant = _unmeant(step.chosen, chosen_now(situation), page)
    if not unmeant:
        return situation
    left = Tree(tuple(node for node in page.tree if node.id not in unmeant))
    return replace(situation, page=replace(page, tree=left))


def others_here(situation: Situation) -> tuple[Node, ...]:
    """What is on the page of the options that were not chosen, and of all that looks like any."""
    step = situation.plan.step
    if step is None or step.chosen is None:
        return ()
    kinds = {_signature(option) for option in (step.chosen.option, *step.chosen.others)}
    now = chosen_now(situation)
    return tuple(n for n in situation.page.tree if n.signature in kinds and n is not now)


def _of_one_answer(plan: Plan) -> tuple[PlanStep, ...]:
    """The current step with those after it that the same answer made."""
    step = plan.step
    if step is None or step.chosen is None:
        return ()
    asked = step.chosen.hitl_id
    rest = plan.steps[plan.current + 1 :]
    return (step, *(one for one in rest if one.chosen and asked and one.chosen.hitl_id == asked))


def _of(step: PlanStep, plan: Plan, page: Observation) -> Node | None:
    if step.chosen is None:
        return None
    return standing(step.chosen.option, page, gone=_gone(step.chosen, plan))


def _gone(chosen: Chosen, plan: Plan) -> int:
    """How many of its look-alikes earlier steps of the same answer may have done away with."""
    wanted, asked = _signature(chosen.option), chosen.hitl_id
    before = [step.chosen for step in plan.steps[: plan.current] if step.chosen is not None]
    return sum(one.hitl_id == asked and _signature(one.option) == wanted for one in before)


def _was_done(deed: Deed, wanted: Signature) -> bool:
    if deed.signature is None or deed.status == "failure":
        return False
    own = record(wanted[2])
    return deed.signature == wanted or (bool(own) and record(deed.signature[2]) == own)


def _unmeant(chosen: Chosen, meant: Node | None, page: Observation) -> frozenset[str]:
    kinds = {_signature(option) for option in chosen.others}
    if chosen.option.alike > 1:
        kinds.add(_signature(chosen.option))
    hidden = [n for n in page.tree if n.signature in kinds and n is not meant]
    own = record(_signature(chosen.option)[2])
    away = {held for node in hidden if (held := record(node.group)) and not _holds(held, own)}
    ids = {node.id for node in hidden} | {n.id for n in page.tree if record(n.group) in away}
    ids |= _of_other_forms(hidden, _signature(chosen.option)[2], page)
    if own and any(record(node.group) == own for node in hidden):
        ids |= _of_twins(own, meant, chosen.option, page)
    return frozenset(ids - ({meant.id} if meant is not None else set()))


def _of_other_forms(hidden: Sequence[Node], own: str, page: Observation) -> set[str]:
    """The fields of the forms whose field was not chosen: it is the form that was."""
    mine = container(Node(id="", role="", group=own))
    forms = {container(node) for node in hidden if node.role in ENTRIES} - {None, mine}
    fields = page.tree.of_roles(ENTRIES) if forms else ()
    return {node.id for node in fields if container(node) in forms}


def _holds(held: str, own: str) -> bool:
    return own == held or own.startswith(f"{held} > ")


def _of_twins(own: str, meant: Node | None, option: Option, page: Observation) -> set[str]:
    """The rest of the records that go by the same words; none where they cannot be told apart."""
    runs = twins_apart(_signature(option), page)
    if len(runs) != option.alike and meant is None:
        return {node.id for run in runs for node in run}
    kept = next((run for run in runs if meant in run), None) if meant is not None else None
    if kept is None:
        kept = runs[option.nth] if option.nth < len(runs) else None
    return {node.id for run in runs if run is not kept for node in run}


def _signature(option: Option) -> Signature:
    element = option.element or ElementRef(role="")
    return (element.role, element.name, element.group)


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
