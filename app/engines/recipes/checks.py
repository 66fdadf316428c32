"""Whether the last step's own check holds: the page must answer as it did when the recipe was made."""

from app.domain.page import Observation
from app.domain.plan import Plan
from app.domain.verdict import Verdict
from app.engines.recipes.paths import fits
from app.engines.verification.messages import kind_of

UNLIKE = 0.5  # the most where the page answers otherwise than it did; DESIGN, a required next goal


def held_to(verdict: Verdict, plan: Plan, page: Observation) -> Verdict:
    """The verdict of a recipe's last step; one that nothing of its check speaks for is not sure.

    Of the two signs a recipe keeps, the way the page went and that it said so, one is enough: a
    message may have gone by.
    """
    step = plan.step
    recorded = step.recorded if step is not None else None
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
    return verdict.model_copy(
        update={
            "task_completed": False,
            "confidence": min(verdict.confidence, UNLIKE),
            "reason": reason,
        }
    )
