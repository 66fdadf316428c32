"""Recipes: a completed task as steps without values, replayed by rules."""

from app.skills.recipes.distillation import Draft, distil_recipe
from app.skills.recipes.recipe_plan import (
    ambiguous_values,
    as_answers,
    check_ending,
    explain_mismatch,
    fill_goal,
    missing_parameters,
    plan_recipe,
    unknown_parameters,
)
from app.skills.recipes.recorded_steps import NotARecipe, list_acts
from app.skills.recipes.replay import replay_step

__all__ = [
    "Draft",
    "NotARecipe",
    "ambiguous_values",
    "as_answers",
    "check_ending",
    "distil_recipe",
    "explain_mismatch",
    "fill_goal",
    "list_acts",
    "missing_parameters",
    "plan_recipe",
    "replay_step",
    "unknown_parameters",
]  # fmt: skip
