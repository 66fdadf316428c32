"""Large goals in parts: which part is on, what it is given, and what it hands on.

A plan with `subtasks` holds the steps of the current one alone. A part that is ended makes way for
the next, whose steps are not known yet: such a plan `opens` a sub-task, and is planned with a fresh
context (no deeds of the part before) on the page that part has left.

A part is done when its last step is verified and what later parts need of it is there. What it was
to hand on may be told as late as with the opening of the next part, which the page still shows. A
part that is not done is opened once more, with the reason; after that it fails, and the task with it:
no part is left out, since its work was asked for, whoever needs what it hands on.
"""

from collections.abc import Iterable, Mapping

from app.domain.page import MASK, Observation
from app.domain.plan import Plan, PlanStep, SubTask
from app.planning.disambiguation import carry_choices


def current_subtask(plan: Plan) -> SubTask | None:
    """The sub-task that is on; None for a goal that is not in parts."""
    return plan.subtasks[plan.subtask] if plan.subtask < len(plan.subtasks) else None


def is_subtask_unplanned(plan: Plan) -> bool:
    """Whether the current sub-task has yet to be planned."""
    return current_subtask(plan) is not None and not plan.steps


def has_next_subtask(plan: Plan) -> bool:
    """Whether another sub-task comes after the current one."""
    return plan.subtask + 1 < len(plan.subtasks)


def start_next_subtask(plan: Plan) -> Plan:
    """The plan with its current sub-task ended and the next one to be opened."""
    at = plan.subtask + 1
    parts = tuple(
        one.model_copy(update={"status": _status(number, at)})
        for number, one in enumerate(plan.subtasks)
    )
    return plan.model_copy(
        update={"subtasks": parts, "subtask": at, "steps": (), "current": 0, "contingencies": ()}
    )


def finish_plan(plan: Plan) -> Plan:
    """The plan of a goal that is reached: its current sub-task has ended too."""
    return _marked(plan, plan.subtask, "completed")


def find_missing_input(plan: Plan, handed: Mapping[str, str]) -> tuple[int, tuple[str, ...]] | None:
    """The last ended sub-task that owes what a later one needs, by its place, and what it owes."""
    for at in range(min(plan.subtask, len(plan.subtasks)) - 1, -1, -1):
        needed = {name for later in plan.subtasks[plan.subtask :] for name in later.inputs}
        names = plan.subtasks[at].outputs
        owes = tuple(name for name in names if name in needed and name not in handed)
        if owes:
            return at, owes
    return None


def reopen_subtask(plan: Plan, at: int, reason: str) -> Plan | None:
    """The plan with that sub-task to be opened once more; None where it was before."""
    if plan.subtasks[at].reason:
        return None
    opened = start_next_subtask(plan.model_copy(update={"subtask": at - 1}))
    return _marked(opened, at, "current", reason)


def fail_subtask(plan: Plan, reason: str, at: int | None = None) -> Plan:
    """The plan with its current sub-task failed, or the one at that place; as it is where one has."""
    if any(part.status == "failed" for part in plan.subtasks):
        return plan
    if at is not None and at != plan.subtask:  # one that another had followed already
        plan = start_next_subtask(plan.model_copy(update={"subtask": at - 1}))
    place = plan.subtask
    return _marked(plan, place, "failed", reason) if place < len(plan.subtasks) else plan


def resume_plan(plan: Plan) -> Plan:
    """The plan of a task that goes on after it has failed."""
    failed = (at for at, part in enumerate(plan.subtasks) if part.status == "failed")
    return _marked(plan, next(failed, -1), "current")


def failure_message(plan: Plan, message: str) -> str:
    """The failure with the sub-task that failed, where the goal is in parts."""
    for number, part in enumerate(plan.subtasks, start=1):
        if part.status == "failed":
            return f"Part {number} of {len(plan.subtasks)} ('{part.goal}') was not done. {message}"
    return message


def _marked(plan: Plan, at: int, status: str, reason: str | None = None) -> Plan:
    """The plan with the sub-task at that place in that state; a reason that is not given stays."""
    update = {"status": status} | ({"reason": reason} if reason is not None else {})
    parts = tuple(
        part.model_copy(update=update) if number == at else part
        for number, part in enumerate(plan.subtasks)
    )
    return plan.model_copy(update={"subtasks": parts})


def _status(number: int, at: int) -> str:
    return "completed" if number < at else "current" if number == at else "pending"


def insert_subtask_plan(plan: Plan, opened: Plan) -> Plan:
    """What was planned for the current sub-task, in its place among the others.

    The sub-tasks and how far they are stay what they were: a part cannot rewrite the whole.
    """
    return opened.model_copy(update={"subtasks": plan.subtasks, "subtask": plan.subtask})


def current_goal(plan: Plan, goal: str) -> str:
    """What is to be reached now: the current sub-task's goal, else the whole."""
    on = current_subtask(plan)
    return on.goal if on else goal


def promised_outputs(plan: Plan) -> tuple[str, ...]:
    """The names of what the current sub-task hands on to later ones."""
    on = current_subtask(plan)
    return on.outputs if on else ()


def owed_outputs(plan: Plan, handed: Mapping[str, str]) -> tuple[str, ...]:
    """What ended sub-tasks should have handed on and nobody has read from a page yet."""
    ended = plan.subtasks[: plan.subtask]
    return tuple(name for one in ended for name in one.outputs if name not in handed)


def accept_outputs(
    plan: Plan, outputs: Mapping[str, str], page: Observation, known: Iterable[str] = ()
) -> dict[str, str]:
    """The outputs that are kept: promised by this sub-task or one before, and to be seen.

    A value must stand on the page, or in one of the texts that are `known` (the goal, answers): what
    was made up is not handed on.
    """
    promised = {name for one in plan.subtasks[: plan.subtask + 1] for name in one.outputs}
    seen = [_folded(text) for text in (*_texts(page), *known)]
    return {
        name: value
        for name, value in outputs.items()
        if name in promised and _folded(value) and any(_folded(value) in text for text in seen)
    }


def _texts(page: Observation) -> Iterable[str]:
    yield from (page.title, page.summary, page.url, *page.successes, *page.errors)
    for node in page.tree:
        yield f"{node.name} {node.hint}"
        yield node.group
        yield from (node.value,) if node.value and node.value != MASK else ()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def replace_remaining(plan: Plan, new: Plan) -> Plan:
    """The plan with what was still to be done replaced; what was done stays on record.

    `new` holds the steps still to do, or those done before them as well. Its
    contingencies replace the old ones where it has any. What a person chose for a step that it still
    has is kept.
    """
    done = plan.steps[: plan.current]
    if done and new.steps[: len(done)] == done:
        return insert_subtask_plan(plan, new)
    taken = {step.id for step in done}
    ids = {step.id: step.id for step in new.steps}
    if taken & ids.keys():
        ids = {step.id: str(len(done) + at) for at, step in enumerate(new.steps, start=1)}
    steps = tuple(_renamed(step, ids, first=not at) for at, step in enumerate(new.steps))
    made = plan.model_copy(
        update={
            "steps": (*done, *steps),
            "current": len(done),
            "maker": new.maker,
            "contingencies": new.contingencies or plan.contingencies,
        }
    )
    return carry_choices(plan, made)


def _renamed(step: PlanStep, ids: Mapping[str, str], *, first: bool) -> PlanStep:
    after = tuple(ids[i] for i in step.depends_on if i in ids)
    status = "current" if first else "pending"
    return step.model_copy(update={"id": ids[step.id], "depends_on": after, "status": status})


def subtask_view(plan: Plan) -> list[dict[str, str]]:
    """The sub-tasks as lines and statuses, for a person."""
    return [
        {
            "id": one.id,
            "goal": one.goal,
            "status": "current" if at == plan.subtask and one.status == "pending" else one.status,
        }
        for at, one in enumerate(plan.subtasks)
    ]
