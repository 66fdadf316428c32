"""Recipes on the wire."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from app.api.models import Received, Reply
from app.api.routes.interact.request import Identifier
from app.bounds import Bounded
from app.domain.memory import Recipe, RecipeParameter, RecordedStep


class SaveRecipe(Received):
    """The completed task to make a recipe of; the goal's words without values are its title
    otherwise.
    """

    task_id: Identifier
    title: (
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), Bounded("title")]
        | None
    ) = None


class ParameterView(Reply):
    """A value that a run is given. A secret one is asked for at each run and kept nowhere."""

    name: str
    label: str
    secret: bool
    required: bool

    @staticmethod
    def of(parameter: RecipeParameter) -> "ParameterView":
        """The parameter as it is."""
        return ParameterView(**parameter.model_dump())


class RecipeStepView(Reply):
    """One step in words, and how the page shows that it is done."""

    description: str
    check: str

    @staticmethod
    def of(step: RecordedStep) -> "RecipeStepView":
        """The step's words alone."""
        return RecipeStepView(description=step.description, check=step.check.description)


class RecipeView(Reply):
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


class RecipesPage(Reply):
    """Recipes, newest first."""

    recipes: list[RecipeView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None
