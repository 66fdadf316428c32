"""The plan after a choice: its step pinned to what was chosen, or a step for each of several."""

from collections import Counter
from collections.abc import Sequence

from app.domain.directive import Target
from app.domain.plan import Plan, PlanStep
from app.domain.question import Chosen, Option, Question
from app.engines.disambiguation.labels import nth
from app.engines.planning.wording import describe


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
