"""Recipes: a completed task made into steps without values, and the steps done again by rule."""

from app.engines.recipes.acts import NotARecipe, acts_of
from app.engines.recipes.distil import Draft, distil
from app.engines.recipes.filling import ambiguous, filled_goal, given, lacking, unknown
from app.engines.recipes.replay import replayed
from app.engines.recipes.route import held_to, plan_for, strange

__all__ = [
    "Draft", "NotARecipe", "acts_of", "ambiguous", "distil", "filled_goal", "given", "held_to",
    "lacking", "plan_for", "replayed", "strange", "unknown",
]  # fmt: skip
