"""Sub-tasks of large goals: progress, inputs and outputs.

A plan with `subtasks` holds only the steps of the current one. The next sub-task starts without
steps (`is_subtask_unplanned`); it is planned with a fresh context, without earlier actions, on the
current page.

A sub-task is done when its last step is verified and the outputs that later ones need are known.
Outputs may still be reported when the next sub-task opens, since the page shows them then. An
unfinished sub-task is reopened once with the reason; then it fails, and the task with it.
"""

from collections.abc import Iterable, Mapping

from app.domain.page import MASK, Observation
from app.domain.plan import Plan, PlanStep, SubTask
from app.plans.choice import carry_choices


def current_subtask(plan: Plan) -> SubTask | None:
    """Return the current sub-task; None for a goal without sub-tasks."""
    return plan.subtasks[plan.subtask] if plan.subtask < len(plan.subtasks) else None


def is_subtask_unplanned(plan: Plan) -> bool:
    return current_subtask(plan) is not None and not plan.steps


def has_next_subtask(plan: Plan) -> bool:
    return plan.subtask + 1 < len(plan.subtasks)


def start_next_subtask(plan: Plan) -> Plan:
    """Complete the current sub-task and make the next one current."""
    at = plan.subtask + 1
    parts = tuple(
        one.model_copy(
            update={"status": "completed" if n < at else "current" if n == at else "pending"}
        )
        for n, one in enumerate(plan.subtasks)
    )
    return plan.model_copy(
        update={"subtasks": parts, "subtask": at, "steps": (), "current": 0, "contingencies": ()}
    )


def finish_plan(plan: Plan) -> Plan:
    return _marked(plan, plan.subtask, "completed")


def find_missing_input(plan: Plan, handed: Mapping[str, str]) -> tuple[int, tuple[str, ...]] | None:
    """Return index and names for the last completed sub-task that owes inputs of a later one."""
    for at in range(min(plan.subtask, len(plan.subtasks)) - 1, -1, -1):
        needed = {name for later in plan.subtasks[plan.subtask :] for name in later.inputs}
        names = plan.subtasks[at].outputs
        owes = tuple(name for name in names if name in needed and name not in handed)
        if owes:
            return at, owes
    return None


def reopen_subtask(plan: Plan, at: int, reason: str) -> Plan | None:
    """Reopen the sub-task at that index; None if it was reopened before."""
    if plan.subtasks[at].reason:
        return None
    opened = start_next_subtask(plan.model_copy(update={"subtask": at - 1}))
    return _marked(opened, at, "current", reason)


def fail_subtask(plan: Plan, reason: str, at: int | None = None) -> Plan:
    """Fail the current sub-task, or the one at that index; unchanged if one has already failed."""
    if any(part.status == "failed" for part in plan.subtasks):
        return plan
    if at is not None and at != plan.subtask:  # a sub-task before the current one
        plan = start_next_subtask(plan.model_copy(update={"subtask": at - 1}))
    place = plan.subtask
    return _marked(plan, place, "failed", reason) if place < len(plan.subtasks) else plan


def resume_plan(plan: Plan) -> Plan:
    failed = (at for at, part in enumerate(plan.subtasks) if part.status == "failed")
    return _marked(plan, next(failed, -1), "current")


def failure_message(plan: Plan, message: str) -> str:
    for number, part in enumerate(plan.subtasks, start=1):
        if part.status == "failed":
            return f"Part {number} of {len(plan.subtasks)} ('{part.goal}') was not done. {message}"
    return message


def _marked(plan: Plan, at: int, status: str, reason: str | None = None) -> Plan:
    """Set the status of the sub-task at that index; without a reason the old reason stays."""
    update = {"status": status} | ({"reason": reason} if reason is not None else {})
    parts = tuple(
        part.model_copy(update=update) if number == at else part
        for number, part in enumerate(plan.subtasks)
    )
    return plan.model_copy(update={"subtasks": parts})


def insert_subtask_plan(plan: Plan, opened: Plan) -> Plan:
    """Insert the steps planned for the current sub-task into the whole plan.

    Sub-tasks and their progress stay, so that one sub-task cannot rewrite the whole plan.
    """
    return opened.model_copy(update={"subtasks": plan.subtasks, "subtask": plan.subtask})


def current_goal(plan: Plan, goal: str) -> str:
    on = current_subtask(plan)
    return on.goal if on else goal


def promised_outputs(plan: Plan) -> tuple[str, ...]:
    """Return the output names that the current sub-task owes to later ones."""
    on = current_subtask(plan)
    return on.outputs if on else ()


def owed_outputs(plan: Plan, handed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the outputs of completed sub-tasks that are not known yet."""
    ended = plan.subtasks[: plan.subtask]
    return tuple(name for one in ended for name in one.outputs if name not in handed)


def accept_outputs(
    plan: Plan, outputs: Mapping[str, str], page: Observation, known: Iterable[str] = ()
) -> dict[str, str]:
    """Return the valid outputs: promised by this or an earlier sub-task, and visible.

    A value must be on the page or in one of the `known` texts (goal, answers); invented values are
    dropped.
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
    """Replace the remaining steps; finished steps stay on record.

    `new` holds the remaining steps, with or without the finished ones. Its contingencies, if any,
    replace the old ones. Choices for steps that remain are kept.
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
    """Return titles and statuses of the sub-tasks, for display."""
    return [
        {
            "id": one.id,
            "goal": one.goal,
            "status": "current" if at == plan.subtask and one.status == "pending" else one.status,
        }
        for at, one in enumerate(plan.subtasks)
    ]
