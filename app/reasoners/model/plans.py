"""A model's steps, parts and contingencies as a plan."""

from collections.abc import Sequence

from app.domain.plan import Contingency, Plan, PlanStep, SubTask
from app.engines.hierarchy import rejoined
from app.engines.planning.limits import flaw, tidied
from app.errors import InvalidAction
from app.reasoners.model.bounds import LONGEST_TEXT, MOST_LISTED, cut, meant
from app.reasoners.model.replies import Opening, Part, Step


def opened(reply: Opening, before: Plan, goal: str) -> Plan | None:
    """The plan of an opening; the sub-tasks there are already stay. None when it holds no step.

    Actions without a step are one: small models leave the obvious out. Raises `InvalidAction` for
    a plan beyond all limits.
    """
    steps = steps_of(reply.steps)
    if not steps and any(call.strip() for call in reply.do):
        steps = steps_of([Step(text=cut(goal, LONGEST_TEXT))])
    if not steps:
        return None
    plan = Plan(
        steps=steps,
        instruction=before.instruction,
        maker="model",
        contingencies=_contingencies(reply.ifs),
        subtasks=() if before.subtasks else _subtasks(reply.parts),
    )
    taken = _sound(plan)
    if not before.subtasks:
        return taken
    return taken.model_copy(update={"subtasks": before.subtasks, "subtask": before.subtask})


def replanned(steps: Sequence[Step], before: Plan) -> Plan | None:
    """The plan with what was still to do made anew; None when no steps are given."""
    fresh = steps_of(steps)
    return rejoined(before, _sound(Plan(steps=fresh, maker="model"))) if fresh else None


def _sound(plan: Plan) -> Plan:
    if (reason := flaw(plan)) is not None:
        raise InvalidAction(reason)
    return tidied(plan)


def steps_of(steps: Sequence[Step]) -> tuple[PlanStep, ...]:
    """The steps by their numbers, the first one current."""
    return tuple(
        PlanStep(
            id=str(number),
            description=cut(step.text, LONGEST_TEXT),
            status="current" if number == 1 else "pending",
            expected=cut(step.shows, LONGEST_TEXT),
        )
        for number, step in enumerate(steps, start=1)
        if step.text.strip()
    )


def _contingencies(found: Sequence[str]) -> tuple[Contingency, ...]:
    """Each "when: what to do"; what has only one of the two is dropped by `tidied`."""
    pairs = (meant(one, LONGEST_TEXT).partition(":") for one in found[:MOST_LISTED])
    return tuple(
        Contingency(trigger=when.strip(), steps=(then.strip(),)) for when, _, then in pairs
    )


def _subtasks(parts: Sequence[Part]) -> tuple[SubTask, ...]:
    return tuple(
        SubTask(
            id=str(number),
            goal=meant(part.goal, LONGEST_TEXT),
            inputs=_names(part.needs),
            outputs=_names(part.gives),
            status="current" if number == 1 else "pending",
        )
        for number, part in enumerate(parts, start=1)
    )


def _names(names: str) -> tuple[str, ...]:
    worded = (meant(name, LONGEST_TEXT) for name in names.split(",")[:MOST_LISTED])
    return tuple(dict.fromkeys(filter(None, worded)))
