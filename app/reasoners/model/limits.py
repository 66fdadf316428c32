"""Limits on what is read from a model and what it is given. Lengths in characters."""

import math
from collections.abc import Sequence

from app.domain.plan import Contingency, Plan, PlanStep, SubTask
from app.plans import LONGEST

MOST_STEPS = 20  # one step is a whole chain: more than this is work for sub-tasks
MOST_SUBTASKS = 8  # with twenty steps each, far past the fifty chains one task may take
MOST_CONTINGENCIES = 5
MOST_ASIDE = 3  # steps of one contingency; it clears the way and does not do the work


def find_plan_flaw(plan: Plan) -> str | None:
    """Why the plan is refused, in words for its author; None if it is accepted.

    Long plans are refused rather than cut: the end of a cut plan would look like the end of the
    work.
    """
    if len(plan.steps) > MOST_STEPS:
        return (
            f"the plan has {len(plan.steps)} steps; give at most {MOST_STEPS}, "
            "each of them all that one form or place takes"
        )
    if len(plan.subtasks) > MOST_SUBTASKS:
        return f"there are {len(plan.subtasks)} sub-tasks; give at most {MOST_SUBTASKS}"
    given = [name for part in plan.subtasks for name in part.outputs]
    twice = next((name for name in given if given.count(name) > 1), None)
    return f"two sub-tasks hand on '{twice}'; name each value once" if twice else None


def tidy_plan(plan: Plan) -> Plan:
    """The plan with certain mistakes corrected; all steps are pending."""
    steps = order_steps([step for step in plan.steps if step.description.strip()])
    return plan.model_copy(
        update={
            "steps": tuple(
                step.model_copy(update={"status": "pending" if at else "current"})
                for at, step in enumerate(steps)
            ),
            "contingencies": _few(plan.contingencies),
            "subtasks": _contracted(plan.subtasks),
        }
    )


def order_steps(steps: Sequence[PlanStep]) -> tuple[PlanStep, ...]:
    """The steps after their dependencies, otherwise in their order.

    Dependencies on unknown steps and on itself are dropped; a cycle begins with its first step.
    With duplicate ids, all steps are renumbered and depend on nothing.
    """
    ids = {step.id for step in steps}
    if len(ids) < len(steps):
        return tuple(
            step.model_copy(update={"id": str(number), "depends_on": ()})
            for number, step in enumerate(steps, start=1)
        )
    left = [_depending(step, ids - {step.id}) for step in steps]
    placed: list[PlanStep] = []
    while left:
        done = {step.id for step in placed}
        taken = next((step for step in left if done.issuperset(step.depends_on)), left[0])
        left.remove(taken)
        placed.append(_depending(taken, done))
    return tuple(placed)


def _depending(step: PlanStep, known: set[str]) -> PlanStep:
    kept = tuple(i for i in dict.fromkeys(step.depends_on) if i in known)
    return step.model_copy(update={"depends_on": kept})


def _few(contingencies: Sequence[Contingency]) -> tuple[Contingency, ...]:
    """The first few that have a trigger and steps."""
    kept: dict[str, Contingency] = {}
    for one in contingencies:
        steps = tuple(step for step in one.steps if step.strip())[:MOST_ASIDE]
        if steps and one.trigger.strip():
            trigger = one.trigger.strip().casefold()
            kept.setdefault(trigger, one.model_copy(update={"steps": steps}))
    return tuple(kept.values())[:MOST_CONTINGENCIES]


def _contracted(parts: Sequence[SubTask]) -> tuple[SubTask, ...]:
    """Sub-tasks that only need outputs of earlier ones.

    Other inputs are in the goal, or found where they are needed.
    """
    kept: list[SubTask] = []
    handed: set[str] = set()
    for number, part in enumerate((p for p in parts if p.goal.strip()), start=1):
        inputs = tuple(dict.fromkeys(name for name in part.inputs if name in handed))
        outputs = tuple(dict.fromkeys(name for name in part.outputs if name.strip()))
        update = {"id": str(number), "inputs": inputs, "outputs": outputs}
        kept.append(part.model_copy(update=update))
        handed |= set(outputs)
    return tuple(kept) if len(kept) > 1 else ()


MOST_ACTIONS = LONGEST  # of a reply: as many as a chain may hold
MOST_LISTED = 8  # texts to appear, fields to ask for, values to hand on
LONGEST_TEXT = 300  # of a step, a thought, a query
LONGEST_ANSWER = 2_000  # of what is said to the person
LONGEST_STRATEGY = 60
LONGEST_GOAL = 4_000
LONGEST_NOTE = 160
LONGEST_SUMMARY = 1_500  # of the page's text
LONGEST_SUMMARY_ASKED = 4_000  # all there is of it (CONTRACT), where a question is to be answered
LONGEST_EVIDENCE = 400  # of the page's text, for a critic who must be quick
MOST_CHANGES = 6  # of the page, for a short question about it

_FILLERS = frozenset({"none", "n/a", "na", "null", "nil", "nothing", "no", "empty", "-", "."})


def cut_line(text: str, longest: int) -> str:
    """The text on one line, cut to that length."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def meaningful_text(text: str, longest: int) -> str:
    """The cut text; empty for fillers that small models write instead of leaving a key out."""
    line = cut_line(text, longest)
    return "" if line.casefold().strip("\"' ") in _FILLERS else line


def parse_confidence(sure: float) -> float:
    """A confidence in 0..1; percents are converted, other texts are 0."""
    if not math.isfinite(sure):
        return 0.0
    return min(max(sure / 100 if sure > 1 else sure, 0.0), 1.0)
