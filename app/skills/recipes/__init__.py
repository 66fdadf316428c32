"""Recipes: a completed task made into steps without values, and the steps done again by rule."""

from app.skills.recipes.distillation import Draft, distil
from app.skills.recipes.recipe_plan import (
    ambiguous,
    filled_goal,
    given,
    held_to,
    lacking,
    plan_for,
    strange,
    unknown,
)
from app.skills.recipes.recorded_steps import NotARecipe, acts_of
from app.skills.recipes.replay import replayed

__all__ = [
    "Draft", "NotARecipe", "acts_of", "ambiguous", "distil", "filled_goal", "given", "held_to",
    "lacking", "plan_for", "replayed", "strange", "unknown",
]  # fmt: skip
