"""Applies a choice to the plan and the page, and reuses it in later steps.

A choice binds its step to exact elements; it applies to later steps and runs only if that is
harmless (`is_reusable`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from app.domain.directive import Candidate
from app.domain.hitl import ChosenOption, Option, Question
from app.domain.memory import SiteChoice
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Situation
from app.grounding import record_group
from app.page import ENTRIES, enclosing_form
from app.plans.choice_question import LONGEST, Signature
from app.text.lexicon import is_risky, words
from app.text.value_words import COMMON


def chosen_nodes(plan: Plan, page: Observation) -> tuple[Node, ...]:
    """Return the chosen elements on the page for the answer's remaining steps, in step order."""
    step = plan.step
    if step is None or step.chosen is None:
        return ()
    hitl_id, later_steps = step.chosen.hitl_id, plan.steps[plan.current + 1 :]
    steps = (
        step,
        *(
            other
            for other in later_steps
            if other.chosen and hitl_id and other.chosen.hitl_id == hitl_id
        ),
    )
    nodes = (_chosen_node(other, plan, page) for other in steps)
    return tuple(node for node in nodes if node is not None)


def current_choice(situation: Situation) -> Node | None:
    """Return the element chosen for the current step, if it is on the page."""
    step = situation.plan.step
    return _chosen_node(step, situation.plan, situation.page) if step is not None else None


def _chosen_node(step: PlanStep, plan: Plan, page: Observation) -> Node | None:
    """Return the element chosen for the step: by id and looks, or by looks alone if the number of
    look-alikes is unchanged, apart from those that earlier steps of the same answer may have
    removed.
    """
    option = step.chosen.option if step.chosen is not None else None
    if option is None or option.element is None or step.chosen is None:
        return None
    own = page.tree.get(option.element_id or "")
    if own is not None and ElementRef.of(own.signature) == option.element:
        return own
    signature = _signature(option)
    earlier_choices = [
        earlier.chosen for earlier in plan.steps[: plan.current] if earlier.chosen is not None
    ]
    removed_count = sum(
        earlier.hitl_id == step.chosen.hitl_id and _signature(earlier.option) == signature
        for earlier in earlier_choices
    )
    alike = [node for node in page.tree if node.signature == signature]
    is_countable = option.alike - removed_count <= len(alike) <= option.alike
    return alike[option.nth] if is_countable and option.nth < len(alike) else None


def _signature(option: Option) -> Signature:
    element = option.element or ElementRef(role="")
    return (element.role, element.name, element.group)


def _is_used(chosen: ChosenOption, situation: Situation) -> bool:
    """Whether this step already acted on the chosen element or its record, maybe removing it."""
    chosen_signature, current = _signature(chosen.option), situation.plan.current
    own = record_group(chosen_signature[2])
    attempts = [one for one in situation.records if one.step == current and one.status != "failure"]
    touched = [one.signature for one in attempts if one.signature is not None]
    return any(one == chosen_signature or (own and record_group(one[2]) == own) for one in touched)


def remove_controls(page: Observation, ids: Collection[str]) -> Observation:
    return replace(page, tree=Tree(tuple(node for node in page.tree if node.id not in ids)))


def restrict_to_choice(situation: Situation) -> Situation:
    """Remove from the page what was not chosen for the current step: other options, their
    look-alikes, the rest of their records, and the fields of their forms.
    """
    step, page = situation.plan.step, situation.page
    if step is None or step.chosen is None:
        return situation
    own = _signature(step.chosen.option)[2]
    hidden = _rejected_nodes(step.chosen, current_choice(situation), page)
    hidden_groups = {group for node in hidden if (group := record_group(node.group))}
    hidden_groups = {group for group in hidden_groups if not f"{own} > ".startswith(f"{group} > ")}
    forms = {enclosing_form(node) for node in hidden if node.role in ENTRIES}
    forms -= {None, enclosing_form(Node(id="", role="", group=own))}
    ids = {node.id for node in hidden}
    ids |= {n.id for n in page.tree if record_group(n.group) in hidden_groups}
    ids |= {n.id for n in page.tree if n.role in ENTRIES and enclosing_form(n) in forms}
    return replace(situation, page=remove_controls(page, ids)) if ids else situation


def _rejected_nodes(
    chosen: ChosenOption, chosen_node: Node | None, page: Observation
) -> list[Node]:
    """Return the options on the page that were not chosen, and their look-alikes."""
    kinds = {_signature(option) for option in (chosen.option, *chosen.others)}
    return [node for node in page.tree if node.signature in kinds and node is not chosen_node]


def decide_lost_choice(situation: Situation) -> Decision | None:
    """Ask again or report an error if the chosen element disappeared before its use; else None."""
    chosen = _lost_choice(situation)
    candidates_left = _rejected_nodes(chosen, None, situation.page) if chosen is not None else []
    if chosen is None or not candidates_left:
        return None
    candidates = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=0.6)
        for n in candidates_left
    )
    outcome = "ambiguous" if len(candidates_left) > 1 else "missing"
    update = {"outcome": outcome, "candidates": candidates, "about": chosen.about}
    return _lost_choice_decision(chosen).model_copy(update=update)


def apply_choice(decision: Decision, situation: Situation) -> Decision:
    """Return the rules' decision, unless it replaces a missing chosen element with another."""
    works = decision.outcome == "act" and any(
        proposal.purpose == "work" and proposal.action.target for proposal in decision.proposals
    )
    chosen = _lost_choice(situation) if works else None
    return _lost_choice_decision(chosen) if chosen is not None else decision


def _lost_choice(situation: Situation) -> ChosenOption | None:
    """Return the current step's chosen element if it disappeared before it was used."""
    chosen = situation.plan.step.chosen if situation.plan.step is not None else None
    if chosen is None or _is_used(chosen, situation) or current_choice(situation) is not None:
        return None
    return chosen


def _lost_choice_decision(chosen: ChosenOption) -> Decision:
    reason = f"What you chose, “{chosen.option.label}”, is not on the page any more"
    return Decision(outcome="missing", thought=f"{reason}.", reason=reason, confidence=0.9)


_IN_RECORDS = frozenset({"row", "item", "list", "tree"})


def acts_on_choice(decision: Decision, situation: Situation) -> bool:
    chosen = current_choice(situation)
    first = decision.proposals[0] if decision.outcome == "act" and decision.proposals else None
    return first is not None and chosen is not None and first.action.target == chosen.id


def needs_person(decision: Decision, situation: Situation) -> bool:
    """Whether the candidates differ by position alone, or nothing known tells them apart."""
    nodes = [n for one in decision.candidates if (n := situation.page.tree.get(one.id)) is not None]
    if len(nodes) < 2 or len({node.role for node in nodes}) > 1:
        return False
    labels = [frozenset(words(f"{node.name} {node.group}").split()) for node in nodes]
    differing_words = frozenset[str]().union(*labels) - frozenset.intersection(*labels)
    background, step = situation.background, situation.plan.step
    known_texts = [situation.stated_text, step.description if step is not None else ""]
    known_texts += [
        *(one.content for one in background.memory),
        *background.subtask_outputs.values(),
    ]
    known_words = frozenset(words(" ".join(known_texts)).split()) - COMMON
    return len(set(labels)) < len(labels) or known_words.isdisjoint(differing_words)


def make_choice(question: Question, option: Option, site: str) -> SiteChoice | None:
    """Return the choice to store; None for an option that is not a control."""
    if option.element is None:
        return None
    about = words(question.about)
    return SiteChoice(choice_id="", tenant="", domain=site, phrase=about, element=option.element)


def is_reusable(choice: SiteChoice) -> bool:
    """Whether it may apply to later steps and runs: not to one of many records or a risk."""
    kinds = {part.partition(":")[0].strip() for part in choice.element.group.split(" > ")}
    in_record = bool(kinds & _IN_RECORDS) or choice.element.role in ("row", "tree", "opt")
    return bool(choice.phrase) and not in_record and not is_risky(choice.element.name)


def narrow_page(
    refinement: Decision, page: Observation, choices: Iterable[SiteChoice]
) -> tuple[Observation, str] | None:
    """Remove candidates that the newest reusable choice for these words rules out; also say why."""
    ids = {candidate.id for candidate in refinement.candidates}
    for choice in reversed(tuple(choices)):
        if choice.phrase != words(refinement.about) or not is_reusable(choice):
            continue
        matching_ids = [
            n.id for n in page.tree if n.id in ids and ElementRef.of(n.signature) == choice.element
        ]
        if len(matching_ids) == 1:
            return remove_controls(page, ids - set(matching_ids)), _recall_text(choice)
    return None


def _recall_text(choice: SiteChoice) -> str:
    element = choice.element
    place = element.group.rpartition(" > ")[2].partition(":")[2].strip()
    control_text = f"{element.name or element.role}{f' ({place})' if place else ''}"
    when = "last time" if choice.choice_id else "before"
    return f"You chose {control_text[:LONGEST]} {when}."


def with_choice(plan: Plan, question: Question, options: Sequence[Option]) -> Plan:
    """Replace the current step with one step per chosen option.

    Look-alikes are processed from the last to the first, so that removing one does not move the
    others.
    """
    step = plan.step
    if step is None or not options:
        return plan
    twins = Counter(option.element for option in options)
    ordered = options if max(twins.values()) == 1 else options[::-1]
    chosen_steps = [
        _step_with_choice(step, question, option, is_one_of_several=len(options) > 1)
        for option in ordered
    ]
    return _replace_step(plan, plan.current, chosen_steps)


def carry_choices(old: Plan, new: Plan) -> Plan:
    """Copy choices from old steps to new steps with the same text."""
    uncarried = [one for one in old.steps[old.current :] if one.chosen is not None]
    at = new.current
    while uncarried and at < len(new.steps):
        step = new.steps[at]
        matching = [
            one for one in uncarried if one.chosen and step.description == one.chosen.origin
        ]
        uncarried = [one for one in uncarried if one not in matching]
        if matching and step.chosen is None:
            new = _replace_step(new, at, matching)
            at += len(matching)
        else:
            at += 1
    return new


def _replace_step(plan: Plan, at: int, steps: Sequence[PlanStep]) -> Plan:
    """Replace one step with several; steps that depend on it then depend on all of them."""
    own = plan.steps[at]
    names = [own.id] if len(steps) == 1 else [f"{own.id}.{n}" for n in range(1, len(steps) + 1)]
    status = [own.status, *("pending" for _ in names[1:])]
    new_steps = [
        step.model_copy(update={"id": name, "status": is_now})
        for step, name, is_now in zip(steps, names, status, strict=True)
    ]
    later_steps = [
        step.model_copy(
            update={"depends_on": tuple(names[-1] if i == own.id else i for i in step.depends_on)}
        )
        for step in plan.steps[at + 1 :]
    ]
    return plan.model_copy(update={"steps": (*plan.steps[:at], *new_steps, *later_steps)})


def _step_with_choice(
    step: PlanStep, question: Question, option: Option, *, is_one_of_several: bool
) -> PlanStep:
    origin = step.chosen.origin if step.chosen else step.description
    all_options = (*question.options, *question.further)
    chosen = ChosenOption(
        option=option,
        others=tuple(one for one in all_options if one.id != option.id),
        hitl_id=question.hitl_id,
        origin=origin,
        about=question.about,
    )
    description = f"{origin}: {option.label}" if is_one_of_several else step.description
    return step.model_copy(update={"chosen": chosen, "description": description})
