"""What a plan that was proposed may look like: its size, its order, its parts."""

from collections.abc import Iterable, Sequence

from app.domain.plan import Contingency, Plan, PlanStep, SubTask

MOST_STEPS = 20  # one step is a whole chain: more than this is work for sub-tasks
MOST_SUBTASKS = 8  # with twenty steps each, far past the fifty chains one task may take
MOST_CONTINGENCIES = 5
MOST_ASIDE = 3  # steps of one contingency; it clears the way and does not do the work


def flaw(plan: Plan) -> str | None:
    """Why the plan cannot be taken, in words for the one who proposed it; None when it can.

    What is too long is refused and not cut: the end of a cut plan would look like the end of the
    work, and the task would be called done.
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


def tidied(plan: Plan) -> Plan:
    """The plan with what is wrong beyond doubt put right; its steps are all still to be done."""
    return plan.model_copy(
        update={
            "steps": _started(ordered(_unrepeated(plan.steps))),
            "contingencies": _few(plan.contingencies),
            "subtasks": _contracted(plan.subtasks),
        }
    )


def ordered(steps: Sequence[PlanStep]) -> tuple[PlanStep, ...]:
    """The steps after what they depend on, otherwise as they came.

    What a step says of unknown ones and of itself is dropped; of a circle the first step is taken
    first, whatever it waits for.
    """
    ids = {step.id for step in steps}
    left = [_depending(step, [i for i in step.depends_on if i in ids]) for step in steps]
    placed: list[PlanStep] = []
    while left:
        done = {step.id for step in placed}
        free = next((step for step in left if done.issuperset(step.depends_on)), None)
        taken = free or _depending(left[0], [i for i in left[0].depends_on if i in done])
        left.remove(free or left[0])
        placed.append(taken)
    return tuple(placed)


def _depending(step: PlanStep, ids: Iterable[str]) -> PlanStep:
    kept = tuple(dict.fromkeys(i for i in ids if i != step.id))
    return step if kept == step.depends_on else step.model_copy(update={"depends_on": kept})


def _unrepeated(steps: Sequence[PlanStep]) -> list[PlanStep]:
    """Without steps said twice, each under an id of its own.

    Twice is: the same words under the same id, or the same words for the same state of the page.
    The same words alone may well be meant twice ("Click Next").
    """
    kept: list[PlanStep] = []
    seen: set[tuple[str, str]] = set()
    ids: set[str] = set()
    for number, step in enumerate(steps, start=1):
        words = _folded(step.description)
        marks = {("id", f"{step.id} {words}")}
        marks |= {("state", f"{words} {_folded(step.expected)}")} if step.expected else set()
        if not words or marks & seen:
            continue
        seen |= marks
        unique = step.id if step.id and step.id not in ids else _free(number, ids)
        ids.add(unique)
        kept.append(step if unique == step.id else step.model_copy(update={"id": unique}))
    return kept


def _free(number: int, ids: set[str]) -> str:
    while str(number) in ids:
        number += 1
    return str(number)


def _started(steps: Sequence[PlanStep]) -> tuple[PlanStep, ...]:
    return tuple(
        step.model_copy(update={"status": "pending" if at else "current"})
        for at, step in enumerate(steps)
    )


def _few(contingencies: Sequence[Contingency]) -> tuple[Contingency, ...]:
    """The first few that say when and what; those left out are only not prepared for."""
    kept: dict[str, Contingency] = {}
    for one in contingencies:
        steps = tuple(step for step in one.steps if step.strip())[:MOST_ASIDE]
        if steps and one.trigger.strip():
            kept.setdefault(_folded(one.trigger), one.model_copy(update={"steps": steps}))
    return tuple(kept.values())[:MOST_CONTINGENCIES]


def _contracted(parts: Sequence[SubTask]) -> tuple[SubTask, ...]:
    """Sub-tasks that need only what an earlier one hands on.

    What else a part names as its input stands in the goal, or is found where the part needs it.
    """
    kept: list[SubTask] = []
    handed: set[str] = set()
    for number, part in enumerate((p for p in parts if p.goal.strip()), start=1):
        inputs = tuple(dict.fromkeys(name for name in part.inputs if name in handed))
        outputs = tuple(dict.fromkeys(name for name in part.outputs if name.strip()))
        kept.append(
            part.model_copy(update={"id": str(number), "inputs": inputs, "outputs": outputs})
        )
        handed |= set(outputs)
    return tuple(kept) if len(kept) > 1 else ()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")
