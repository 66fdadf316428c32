"""Recipes: completed tasks that can be replayed without a model."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, StringConstraints

from app.agent import recipe_from_task, require_visible
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.problems import problem_doc, problem_docs
from app.api.query_params import PAGE, PageSize, TimeCursor
from app.api.request_body import body_schema, parse_body, read_body
from app.api.routes.interact.request import Identifier
from app.bounds import Bounded
from app.domain.memory import Recipe
from app.errors import CannotBeRecipe, Forbidden, NotFound


class RecipeIn(RequestModel):
    """The completed task to save. Without a title, the words of the goal without values are used."""

    task_id: Identifier
    title: (
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), Bounded("title")]
        | None
    ) = None


class ParameterView(ResponseModel):
    """A parameter of a recipe. A secret one is asked for at each run and never stored."""

    name: str
    label: str
    secret: bool
    required: bool


class RecipeStepView(ResponseModel):
    """One step in words, and how the page shows that it is done."""

    description: str
    check: str


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
        return RecipeView.from_fields(
            recipe,
            id=recipe.recipe_id,
            steps=[
                RecipeStepView(description=step.description, check=step.check.description)
                for step in recipe.steps
            ],
        )


class RecipesPage(ResponseModel):
    recipes: list[RecipeView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


FORBIDDEN = problem_doc("The recipe belongs to another user")
router = APIRouter(tags=["recipes"], responses=problem_docs(401, 404))


@router.post(
    "/api/recipes",
    status_code=201,
    responses={403: FORBIDDEN, **problem_docs(409, 413, 422)},
    openapi_extra=body_schema(RecipeIn),
)
async def save_recipe(request: Request, principal: CurrentUser, state: AppStateDep) -> RecipeView:
    """Save a completed task of the user as a recipe: its steps, with parameters in place of values.

    Saving it again changes its title and keeps its counts. 409 if the task is not completed, 422
    with the reason if it cannot be replayed.
    """
    body, store = parse_body(RecipeIn, await read_body(request)), state["store"]
    task = await store.tasks.get(principal.tenant, body.task_id)
    require_visible(principal, task.user, task.task_id)
    try:
        snapshot = await state["interact"].find_state(principal, body.task_id)
    except NotFound as error:
        raise CannotBeRecipe("This task's history has expired (retention: 7 days).") from error
    rows = await store.actions.of_task(principal.tenant, body.task_id)
    return RecipeView.of(
        await store.recipes.save(recipe_from_task(task, snapshot, rows, principal, body.title))
    )


@router.get("/api/recipes")
async def recipes(
    principal: CurrentUser,
    state: AppStateDep,
    domain: Annotated[str | None, Query(description="Only recipes of this site")] = None,
    cursor: TimeCursor = None,
    limit: PageSize = PAGE,
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
    """A recipe by its id."""
    return RecipeView.of(await state["store"].recipes.get(principal.tenant, recipe_id))


@router.delete("/api/recipes/{recipe_id}", status_code=204, responses={403: FORBIDDEN})
async def delete_recipe(recipe_id: str, principal: CurrentUser, state: AppStateDep) -> Response:
    """Delete a recipe of the user; operators may delete any of the tenant."""
    store = state["store"]
    found = await store.recipes.get(principal.tenant, recipe_id)
    if not principal.can_see(found.user):
        raise Forbidden("Only the owner of a recipe or an operator can delete it.")
    await store.recipes.delete(principal.tenant, recipe_id)
    return Response(status_code=204)
