"""From a recipe to the plan of a run, and the end of it."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from app.domain.access import site_of
from app.domain.memory import Recipe, RecordedAction, RecordedStep
from app.domain.page import Observation
from app.domain.plan import Plan, PlanStep
from app.domain.verdict import Verdict
from app.page.messages import kind_of
from app.skills.recipes.filling import filled_step
from app.skills.recipes.paths import can_be_gone_to, fits

UNLIKE = 0.5  # the most where the page answers otherwise than it did; DESIGN, a required next goal


def strange(recipe: Recipe, url: str) -> str | None:
    """Why the recipe is not for that page; None where it is of its site."""
    here = site_of(url)
    if here == recipe.domain:
        return None
    return f"This recipe is for {recipe.domain}, and the page is of {here or 'no site'}"


def plan_for(recipe: Recipe, url: str, values: Mapping[str, str]) -> Plan:
    """The plan of a run that begins at that address of the recipe's site."""
    steps = [filled_step(step, values) for step in recipe.steps]
    path = recipe.steps[0].path
    if not fits(path, url) and can_be_gone_to(path):
        steps.insert(0, _going(recipe.start_url, path))
    made = (
        PlanStep(
            id=str(at),
            description=step.description,
            status="pending" if at > 1 else "current",
            expected=step.check.description,
            recorded=step,
        )
        for at, step in enumerate(steps, start=1)
    )
    return Plan(steps=tuple(made), maker="recipe")


def _going(start_url: str, path: str) -> RecordedStep:
    """The step that brings the page to where the recipe begins."""
    parts = urlsplit(start_url)
    address = f"{parts.scheme}://{parts.netloc}{path}"
    going = RecordedAction(name="navigate", args={"url": address}, description=f"Go to {address}")
    return RecordedStep(description=f"Go to {path}", path=path, actions=(going,))


def held_to(verdict: Verdict, plan: Plan, page: Observation) -> Verdict:
    """The verdict of a recipe's last step; one that nothing of its check speaks for is not sure.

    Of the two signs a recipe keeps, the way the page went and that it said so, one is enough: a
    message may have gone by.
    """
    recorded = plan.step.recorded if plan.step is not None else None
    if recorded is None or not verdict.task_completed or plan.current < len(plan.steps) - 1:
        return verdict
    check, signs = recorded.check, []
    if check.path is not None:
        signs.append(fits(check.path, page.url))
    if check.says_success:
        said = (*page.successes, *(node.name for node in page.tree if node.role == "txt"))
        signs.append(any(kind_of(text) == "success" for text in said))
    if not signs or any(signs):
        return verdict
    reason = f"{verdict.reason}; but the recipe ended otherwise: {check.description}"
    confidence = min(verdict.confidence, UNLIKE)
    return verdict.model_copy(
        update={"task_completed": False, "confidence": confidence, "reason": reason}
    )
