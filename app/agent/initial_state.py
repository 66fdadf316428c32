"""How a task begins that replays a recipe: its plan is there, and nothing is left to find out."""

from app.agent.leases import Claim
from app.agent.state import AgentState, initial
from app.domain.background import Background
from app.domain.memory import Recipe, RecipeCall
from app.domain.plan import Outcome, Plan
from app.errors import Invalid
from app.planning.analysis import MOST_QUESTIONS
from app.skills.recipes import (
    ambiguous,
    filled_goal,
    given,
    lacking,
    plan_for,
    strange,
    unknown,
)


def replaying(claim: Claim, recipe: Recipe, *, steps: int = 0) -> AgentState:
    """The state of a run that replays the recipe; one on a page of another site has ended.

    A value that is missing is asked for; more than a person is asked in one task are `Invalid`, and
    so is a name that is none of its parameters. The values are kept as what was said for the task,
    so that they are traced as an answer is; that of a secret is nowhere else, and forgotten.
    """
    call = claim.call
    values = dict(call.recipe.values) if call.recipe else {}
    if names := unknown(recipe, values):
        raise Invalid(f"recipe.values: the recipe has no parameter {', '.join(names)}")
    if names := ambiguous(values):
        raise Invalid(f"recipe.values.{names[0]}: a value may not read as a parameter, {{name}}")
    missing = lacking(recipe, values)
    if len(missing) > MOST_QUESTIONS:
        raise Invalid(f"recipe.values: missing {', '.join(one.name for one in missing)}")
    open_values = {k: v for k, v in values.items() if k not in _secret(recipe)}
    state = initial(
        filled_goal(recipe, open_values),
        request_id=call.request_id,
        trace_id=call.trace_id,
        tenant=call.principal.tenant,
        user=call.principal.user,
        session_id=claim.session_id,
        in_browser=call.principal.has("browser"),
        background=Background(answers=given(values)),
        steps=steps,
        recipe=RecipeCall(recipe_id=recipe.recipe_id, values=open_values),
    )
    if (why := strange(recipe, call.page.url)) is not None:
        state["outcome"] = Outcome(status="failed", message=f"{why}.")
        return state
    state["plan"] = plan_for(recipe, call.page.url, open_values)
    return state


def taken_up(state: AgentState, recipe: RecipeCall | None, plan: Plan) -> AgentState:
    """The same recipe's plan, from where it stood, in the state of a run that is taken up."""
    if recipe is None:
        return state
    state["recipe"], state["plan"] = recipe, plan
    return state


def _secret(recipe: Recipe) -> frozenset[str]:
    return frozenset(one.name for one in recipe.parameters if one.secret)
