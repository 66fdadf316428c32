"""Recipes: completed tasks that can be done again, without a model."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, StringConstraints, ValidationError

from app.agent.persistence.recipes import recipe_of
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.owning import refuse_stranger
from app.api.request_body import read_body
from app.api.routes.interact.request import Identifier
from app.api.routes.interact.router import PROBLEMS
from app.bounds import Bounded
from app.domain.memory import Recipe, RecipeParameter, RecordedStep
from app.errors import CannotBeRecipe, Forbidden, InvalidBody, NotFound


class SaveRecipe(RequestModel):
    """The completed task to make a recipe of; the goal's words without values are its title
    otherwise.
    """

    task_id: Identifier
    title: (
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), Bounded("title")]
        | None
    ) = None


class ParameterView(ResponseModel):
    """A value that a run is given. A secret one is asked for at each run and kept nowhere."""

    name: str
    label: str
    secret: bool
    required: bool

    @staticmethod
    def of(parameter: RecipeParameter) -> "ParameterView":
        """The parameter as it is."""
        return ParameterView(**parameter.model_dump())


class RecipeStepView(ResponseModel):
    """One step in words, and how the page shows that it is done."""

    description: str
    check: str

    @staticmethod
    def of(step: RecordedStep) -> "RecipeStepView":
        """The step's words alone."""
        return RecipeStepView(description=step.description, check=step.check.description)


class RecipeView(ResponseModel):
    """A recipe: `goal` and the steps name its parameters in braces."""

    id: str
    title: str
    domain: str
    start_url: str
    goal: str
    parameters: list[ParameterView]
    steps: list[RecipeStepView]
    runs: int
    failures: int
    task_id: str
    created_at: datetime
    updated_at: datetime

    @staticmethod
    def of(recipe: Recipe) -> "RecipeView":
        """The recipe without what only its replay needs."""
        return RecipeView(
            id=recipe.recipe_id,
            title=recipe.title,
            domain=recipe.domain,
            start_url=recipe.start_url,
            goal=recipe.goal,
            parameters=[ParameterView.of(one) for one in recipe.parameters],
            steps=[RecipeStepView.of(step) for step in recipe.steps],
            runs=recipe.runs,
            failures=recipe.failures,
            task_id=recipe.task_id,
            created_at=recipe.created_at,
            updated_at=recipe.updated_at,
        )


class RecipesPage(ResponseModel):
    """Recipes, newest first."""

    recipes: list[RecipeView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


FORBIDDEN = PROBLEMS[401] | {"description": "It is another person's"}
router = APIRouter(tags=["recipes"], responses={k: PROBLEMS[k] for k in (401, 404)})

PAGE = 50
SAVE_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": SaveRecipe.model_json_schema()}},
    }
}


@router.post(
    "/api/recipes",
    status_code=201,
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (409, 413, 422)}},
    openapi_extra=SAVE_SCHEMA,
)
async def save_recipe(request: Request, principal: CurrentUser, state: AppStateDep) -> RecipeView:
    """Keep a completed task of one's own as a recipe: its steps without values, with parameters.

    Saving it again changes its title and keeps its counts. 409 while the task is not completed, 422
    with the reason for one that cannot be done again by rule.
    """
    asked, store = _parsed(await read_body(request)), state["store"]
    task = await store.tasks.get(principal.tenant, asked.task_id)
    refuse_stranger(principal, task.user, task.task_id)
    try:
        snapshot = await state["interact"].provisional(principal, asked.task_id)
    except NotFound as error:
        raise CannotBeRecipe("What the task did is no longer kept: a week after it") from error
    rows = await store.actions.of_task(principal.tenant, asked.task_id)
    return RecipeView.of(
        await store.recipes.save(recipe_of(task, snapshot, rows, principal, asked.title))
    )


@router.get("/api/recipes")
async def recipes(
    principal: CurrentUser,
    state: AppStateDep,
    domain: Annotated[str | None, Query(description="Only those of this site")] = None,
    cursor: Annotated[datetime | None, Query(description="`nextCursor` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> RecipesPage:
    """The tenant's recipes, newest first."""
    found = await state["store"].recipes.recent(
        principal.tenant, domain=domain, limit=limit + 1, before=cursor
    )
    more, page = len(found) > limit, found[:limit]
    return RecipesPage(
        recipes=[RecipeView.of(recipe) for recipe in page],
        next_cursor=page[-1].created_at.isoformat() if more else None,
    )


@router.get("/api/recipes/{recipe_id}")
async def recipe(recipe_id: str, principal: CurrentUser, state: AppStateDep) -> RecipeView:
    """One recipe."""
    return RecipeView.of(await state["store"].recipes.get(principal.tenant, recipe_id))


@router.delete("/api/recipes/{recipe_id}", status_code=204, responses={403: FORBIDDEN})
async def delete_recipe(recipe_id: str, principal: CurrentUser, state: AppStateDep) -> Response:
    """Forget a recipe of one's own; an operator may delete anyone's."""
    store = state["store"]
    found = await store.recipes.get(principal.tenant, recipe_id)
    if not principal.can_see(found.user):
        raise Forbidden("Only who made a recipe, or an operator, may delete it")
    await store.recipes.delete(principal.tenant, recipe_id)
    return Response(status_code=204)


def _parsed(body: bytes) -> SaveRecipe:
    try:
        return SaveRecipe.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
