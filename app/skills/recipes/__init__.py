"""Recipes: a completed task made into steps without values, and the steps done again by rule."""

from app.skills.recipes.acts import NotARecipe, acts_of
from app.skills.recipes.distil import Draft, distil
from app.skills.recipes.replay import replayed
from app.skills.recipes.route import (
    ambiguous,
    filled_goal,
    given,
    held_to,
    lacking,
    plan_for,
    strange,
    unknown,
)

__all__ = [
    "Draft", "NotARecipe", "acts_of", "ambiguous", "distil", "filled_goal", "given", "held_to",
    "lacking", "plan_for", "replayed", "strange", "unknown",
]  # fmt: skip
