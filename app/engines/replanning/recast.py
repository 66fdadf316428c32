"""The rest of a plan in another form: steps left out, steps done again, or a model's new ones."""

from app.domain.plan import Deed, Plan, PlanStep, Refinement
from app.domain.verdict import RePlan
from app.engines.contingency import is_aside
from app.engines.hierarchy import rejoined

BEFORE = -1  # the step of a deed that served a plan which is no more


def by_model(seen: RePlan, plan: Plan, refinement: Refinement) -> RePlan:
    """What a model made of the plan, when it was told that the page is another.

    Some steps kept is a change, none kept another plan; without new steps, or with the same, the
    plan goes on.
    """
    if refinement.maker != "model" or refinement.plan is None:
        return seen
    kept, rest = _lines(plan), _lines(rejoined(plan, refinement.plan))
    if kept == rest:
        return seen
    same = set(kept) & set(rest)
    told = "some of the steps were kept" if same else "all that is left was planned anew"
    return seen.model_copy(
        update={"decision": "modify" if same else "regenerate", "reason": f"{seen.reason}: {told}"}
    )


def _lines(plan: Plan) -> list[str]:
    left = [step for step in plan.steps[plan.current :] if not is_aside(step)]
    return [" ".join(step.description.casefold().split()).rstrip(".") for step in left]


def leaping(plan: Plan, to: int) -> Plan:
    """The plan at a later step, those between left out."""
    while plan.current < to:
        plan = plan.advanced("skipped")
    return plan


def redoing(plan: Plan, deeds: tuple[Deed, ...], start: int) -> tuple[Plan, tuple[Deed, ...]]:
    """The plan with the steps from `start` on still to be done, once more where they were done.

    What was done stays on record; the deeds of a step that was begun count to no step any more.
    """
    made = rejoined(plan, again_from(plan, start))
    freed = tuple(
        deed.model_copy(update={"step": BEFORE}) if deed.step >= plan.current else deed
        for deed in deeds
    )
    return made, freed


def again_from(plan: Plan, start: int) -> Plan:
    """The steps from `start` on, still to be done, as a plan of their own."""
    again = tuple(_fresh(step, at) for at, step in enumerate(plan.steps[start:], start=1))
    return plan.model_copy(update={"steps": again, "current": 0, "contingencies": ()})


def _fresh(step: PlanStep, number: int) -> PlanStep:
    return step.model_copy(update={"id": f"again-{number}", "status": "pending", "depends_on": ()})
