"""The initial states of tasks: with a goal, with a recipe, or continuing a task that ended."""

from collections.abc import Iterable

from app.agent.request import RequestLease, require_browser_for_task
from app.agent.state import AgentState, new_state
from app.domain.action import ActionRecord
from app.domain.memory import Recipe, RecipeCall
from app.domain.page import MASK
from app.domain.plan import Outcome
from app.domain.reasoner import Background
from app.errors import Conflict, Invalid, NotFound
from app.plans import MOST_QUESTIONS, resume_plan
from app.recovery import resume_after_person
from app.skills import (
    ambiguous_values,
    as_answers,
    explain_mismatch,
    fill_text,
    missing_parameters,
    plan_recipe,
    unknown_parameters,
)
from app.text import patterns

CONTINUABLE = frozenset({"failed", "interrupted"})


def begin_state(
    claim: RequestLease,
    goal: str,
    background: Background,
    *,
    steps: int = 0,
    records: Iterable[ActionRecord] = (),
    recipe: RecipeCall | None = None,
) -> AgentState:
    call = claim.call
    return new_state(
        goal,
        request_id=call.request_id,
        trace_id=call.trace_id,
        tenant=call.principal.tenant,
        user=call.principal.user,
        session_id=claim.session_id,
        in_browser=call.principal.has_scope("browser"),
        background=background,
        action_records=list(records),
        steps=steps,
        recipe=recipe,
    )


def recipe_state(claim: RequestLease, recipe: Recipe, *, steps: int = 0) -> AgentState:
    """The state of a run that replays the recipe; on another site it has failed already.

    Missing values are asked for. Raises `Invalid` for more of them than one task may ask, and for unknown
    parameters. Values are kept as answers, so that they are traced as such and secret ones are forgotten.
    """
    call = claim.call
    values = dict(call.recipe.values) if call.recipe else {}
    if names := unknown_parameters(recipe, values):
        raise Invalid(f"recipe.values: the recipe has no parameter {', '.join(names)}")
    if names := ambiguous_values(values):
        raise Invalid(f"recipe.values.{names[0]}: a value may not read as a parameter, {{name}}")
    missing = missing_parameters(recipe, values)
    if len(missing) > MOST_QUESTIONS:
        raise Invalid(f"recipe.values: missing {', '.join(one.name for one in missing)}")
    secret = {one.name for one in recipe.parameters if one.secret}
    open_values = {name: value for name, value in values.items() if name not in secret}
    background = Background(answers=as_answers(values))
    replayed = RecipeCall(recipe_id=recipe.recipe_id, values=open_values)
    goal = fill_text(recipe.goal, open_values)
    state = begin_state(claim, goal, background, steps=steps, recipe=replayed)
    if (why := explain_mismatch(recipe, call.page.url)) is not None:
        state["outcome"] = Outcome(status="failed", message=f"{why}.")
        return state
    state["plan"] = plan_recipe(recipe, call.page.url, open_values)
    return state


def continued_state(ended: AgentState, claim: RequestLease) -> AgentState:
    """The state of a task that continues an ended one: its plan, with the current step done by the person,
    and its background and records.

    Raises `NotFound` for another tenant's or user's task, or one that was forgotten; `Conflict` for
    one that is under way or completed; `ConsentNeedsBrowser` for a browser's; `Invalid` for another goal, or
    if a secret must be sent again.
    """
    call = claim.call
    who = call.principal
    if not ended or (ended["tenant"], ended["user"]) != (who.tenant, who.user):
        raise NotFound(f"There is no task {call.continue_from} to go on with")
    require_browser_for_task(call, ended)
    row, outcome = claim.continued_task, ended["outcome"]
    ended_as = row or outcome
    status = ended_as.status if ended_as is not None else "executing"
    if status not in CONTINUABLE:
        raise Conflict(f"The task is {status}: only one that failed or was stopped is gone on with")
    goal = _restore_goal(ended["goal"], call.query)
    plan = resume_plan(resume_after_person(ended["plan"], outcome))
    # Approvals and refusals were for that task alone, and secrets are forgotten.
    answers = tuple(one for one in ended["background"].answers if MASK not in one.text)
    update = {"answers": answers, "approved": (), "refused": ()}
    background = ended["background"].model_copy(update=update)
    state = begin_state(
        claim, goal, background, records=ended["action_records"], recipe=ended["recipe"]
    )
    if plan.steps or plan.subtasks:
        state["plan"] = plan
    return state


def _restore_goal(goal: str, query: str | None) -> str:
    """The ended task's goal; with masked secrets it must be sent again."""
    if query is None:
        if MASK in goal:
            raise Invalid("What was secret in the goal was forgotten: send it again as `query`")
        return goal
    parts = (patterns.escape(part) for part in goal.split(MASK))
    if not patterns.fullmatch("(.+?)".join(parts), query, patterns.DOTALL):
        raise Invalid(f"continueFrom goes on with the same goal, which was: {goal}")
    return query
