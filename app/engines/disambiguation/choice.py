"""What a choice comes to: the plan held to it, and what of it holds for later steps."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.domain.directive import Target
from app.domain.page import Observation, Tree
from app.domain.plan import Plan, PlanStep, Refinement
from app.domain.question import Chosen, Option, Question
from app.domain.skill import ElementRef, SiteChoice
from app.engines.disambiguation.pinned import chosen_now
from app.engines.disambiguation.question import LONGEST, nth
from app.engines.planning.wording import describe
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk import is_risky
from app.engines.risk.lexicon import words


def is_on_chosen(found: Refinement, situation: Situation) -> bool:
    """Whether it acts on the very element that a person chose for this step."""
    chosen = chosen_now(situation)
    first = found.proposals[0] if found.outcome == "act" and found.proposals else None
    return first is not None and chosen is not None and first.action.target == chosen.id


def for_person(found: Refinement, situation: Situation) -> bool:
    """Whether the candidates are the same but for where they stand, and nothing that was said in this
    task or before it tells one from the others: a model could only guess.
    """
    nodes = [n for one in found.candidates if (n := situation.page.tree.get(one.id)) is not None]
    if len(nodes) < 2 or len({node.role for node in nodes}) > 1:
        return False
    told = [frozenset(words(f"{node.name} {node.group}").split()) for node in nodes]
    if len(set(told)) < len(told):
        return True  # nothing on the page tells them apart but their order
    known = situation.background
    step = situation.plan.step.description if situation.plan.step is not None else ""
    said = [situation.told, step, *(one.content for one in known.memory), *known.handed.values()]
    heard = frozenset(words(" ".join(said)).split()) - COMMON
    shared = Counter(word for own in told for word in own)
    return not any(shared[word] < len(told) for word in heard & shared.keys())


RECORDS = frozenset({"row", "item", "list", "tree"})


def choice_of(question: Question, option: Option, site: str) -> SiteChoice | None:
    """What was chosen, as it may be kept; None for an option that is no control."""
    if option.element is None:
        return None
    return SiteChoice(
        choice_id="", tenant="", domain=site, phrase=phrase(question.about), element=option.element
    )


def phrase(about: str) -> str:
    """What was said, as it is remembered."""
    return words(about)


def lasting(choice: SiteChoice) -> bool:
    """Whether the choice may be remembered for later steps and runs: not in one record among many,
    whose names change, and never for what is hard to undo.
    """
    kinds = {part.partition(":")[0].strip() for part in choice.element.group.split(" > ")}
    in_record = bool(kinds & RECORDS) or choice.element.role in ("row", "tree", "opt")
    return bool(choice.phrase) and not in_record and not is_risky(choice.element.name)


def narrowed(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> Observation | None:
    """The page without the candidates that were not meant, where a lasting choice for the same words
    tells which was; else None. The newest choice counts.
    """
    found = _meant(refinement, page, choices)
    if found is None:
        return None
    others = {one.id for one in refinement.candidates} - {found[1]}
    return replace(page, tree=Tree(tuple(node for node in page.tree if node.id not in others)))


def recalled(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> str | None:
    """The choice that counts, for the thought of who follows it; None where none does."""
    found = _meant(refinement, page, choices)
    if found is None:
        return None
    element = found[0].element
    place = element.group.rpartition(" > ")[2].partition(":")[2].strip()
    named = f"{element.name or element.role}{f' ({place})' if place else ''}"
    when = "last time" if found[0].choice_id else "before"
    return f"You chose {named[:LONGEST]} {when}."


def _meant(
    refinement: Refinement, page: Observation, choices: Iterable[SiteChoice]
) -> tuple[SiteChoice, str] | None:
    ids = {one.id for one in refinement.candidates}
    nodes = [node for node in page.tree if node.id in ids]
    for choice in reversed(tuple(choices)):
        if choice.phrase != phrase(refinement.about) or not lasting(choice):
            continue
        meant = [node for node in nodes if ElementRef.of(node.signature) == choice.element]
        if len(meant) == 1:
            return choice, meant[0].id
    return None


def with_choice(plan: Plan, question: Question, options: Sequence[Option]) -> Plan:
    """The plan with its current step held to the options, one step for each, in their order.

    Of those that look the same the last comes first: what is done away with leaves those above it in
    their places.
    """
    step = plan.step
    if step is None or not options:
        return plan
    twins = Counter(option.element for option in options)
    ordered = options if max(twins.values()) == 1 else options[::-1]
    made = [_held(step, question, option) for option in ordered]
    if len(made) > 1:
        made = [_named(one, at) for at, one in enumerate(made)]
    after = [_after(one, step.id, made[-1].id) for one in plan.steps[plan.current + 1 :]]
    return plan.model_copy(update={"steps": (*plan.steps[: plan.current], *made, *after)})


def carried(old: Plan, new: Plan) -> Plan:
    """The new plan with what was chosen for steps of the old one that it still has, word for word."""
    left = [one for one in old.steps[old.current :] if one.chosen is not None]
    at = new.current
    while left and at < len(new.steps):
        step = new.steps[at]
        same = [one for one in left if one.chosen and step.description == one.chosen.origin]
        left = [one for one in left if one not in same]
        if same and step.chosen is None:
            new = _put_in(new, at, same)
            at += len(same)
        else:
            at += 1
    return new


def _put_in(plan: Plan, at: int, steps: Sequence[PlanStep]) -> Plan:
    """The plan with these steps in place of the one it has there."""
    own = plan.steps[at]
    made = [
        one.model_copy(
            update={
                "id": own.id if len(steps) == 1 else f"{own.id}.{number}",
                "status": own.status if number == 1 else "pending",
            }
        )
        for number, one in enumerate(steps, start=1)
    ]
    after = [_after(one, own.id, made[-1].id) for one in plan.steps[at + 1 :]]
    return plan.model_copy(update={"steps": (*plan.steps[:at], *made, *after)})


def _held(step: PlanStep, question: Question, option: Option) -> PlanStep:
    known = (*question.options, *question.further, *question.apart)
    origin = step.chosen.origin if step.chosen else step.description
    others = tuple(one for one in known if one.id != option.id)
    chosen = Chosen(
        option=option,
        others=others,
        hitl_id=question.hitl_id,
        origin=origin,
        about=question.about,
    )
    return step.model_copy(update={"chosen": chosen})


def _named(step: PlanStep, at: int) -> PlanStep:
    """One of several steps: its words say which of them it is for."""
    assert step.chosen is not None
    update = {"id": f"{step.id}.{at + 1}", "description": _words(step, step.chosen)}
    return step.model_copy(update=update | ({"status": "pending"} if at else {}))


def _words(step: PlanStep, chosen: Chosen) -> str:
    """'Delete 'Jas Patel, 1990''; of those with the same words, by the label of the option."""
    who = _record(chosen.option)
    others = {_record(one) for one in chosen.others}
    if who in others and chosen.option.alike > 1:
        who = f"{who}, {nth(chosen.option.nth + 1)} from the top"
    elif not who or who in others:
        who = chosen.option.label
    directive = step.directive
    if directive is None:
        return f"{chosen.origin}: {who}"
    target = directive.target or Target()
    pressed = directive.verb == "click"
    meant = target.model_copy(update={"within": who}) if pressed else Target(phrase=who)
    return describe(directive.model_copy(update={"target": meant, "value": None}))


def _record(option: Option) -> str:
    """What the record or the container around it is called, else its own name."""
    element = option.element
    if element is None:
        return option.label
    parts = [part.partition(":") for part in element.group.split(" > ") if part]
    texts = [text.strip() for kind, _, text in parts if kind.strip() in ("row", "item")]
    return texts[-1] if texts else element.name


def _after(step: PlanStep, old: str, new: str) -> PlanStep:
    if old not in step.depends_on:
        return step
    waits = tuple(new if one == old else one for one in step.depends_on)
    return step.model_copy(update={"depends_on": waits})
