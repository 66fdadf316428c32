"""Makes a recipe from a completed task: its state has the actions, its rows their results."""

from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from app.agent.state import AgentState
from app.domain.access import Principal
from app.domain.memory import Recipe
from app.domain.task import Task, TaskAction
from app.errors import CannotBeRecipe, Forbidden, TaskNotCompleted
from app.skills import NotARecipe, distil_recipe, list_acts

LONGEST_TITLE = 120  # characters; one line of a list


def recipe_from_task(
    task: Task, state: AgentState, rows: list[TaskAction], who: Principal, title: str | None
) -> Recipe:
    """The recipe of the task, with an id derived from the task's.

    Raises `Forbidden` for another person's task, `TaskNotCompleted`, or `CannotBeRecipe` with the reason
    why rules cannot repeat it.
    """
    if task.user != who.user:
        raise Forbidden("Only one's own task can be saved as a recipe")
    if task.status != "completed":
        raise TaskNotCompleted(f"The task is {task.status}; a completed one can be a recipe")
    try:
        made = distil_recipe(
            list_acts(state["action_records"], rows),
            goal=state["goal"],
            answers=tuple(answer.text for answer in state["background"].answers),
            instruction=state["instruction"],
            end_url=task.url,
        )
    except NotARecipe as why:
        raise CannotBeRecipe(f"This task cannot be a recipe: {why}") from why
    now = datetime.now(UTC)
    return Recipe(
        recipe_id=str(uuid5(NAMESPACE_URL, f"{task.task_id}/recipe")),
        tenant=who.tenant,
        user=who.user,
        title=(title or made.goal).strip()[:LONGEST_TITLE],
        domain=made.domain,
        start_url=made.start_url,
        goal=made.goal,
        parameters=made.parameters,
        steps=made.steps,
        task_id=task.task_id,
        created_at=now,
        updated_at=now,
    )
