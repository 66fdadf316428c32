"""The skills library: lessons, episodes and recipes of a site, stored and recalled."""

from app.skills.distillation import NotARecipe, distil_recipe, list_acts
from app.skills.goals import strip_values
from app.skills.lessons import (
    element_ref,
    extract_lessons,
    generalize_call,
    list_unresolved_skills,
    list_used_skills,
    propose_remedy,
)
from app.skills.recall import (
    Embedder,
    RecallQuery,
    describe_past_attempt,
    embed_goal,
    make_episode,
    recall_background,
    refresh_background,
)
from app.skills.recipe_plan import (
    ambiguous_values,
    as_answers,
    check_ending,
    explain_mismatch,
    fill_text,
    missing_parameters,
    plan_recipe,
    unknown_parameters,
)
from app.skills.replay import replay_step
from app.skills.storage import Learnings, crowded_tenants, store_learnings, watch_crowding

__all__ = [
    "Embedder",
    "Learnings",
    "NotARecipe",
    "RecallQuery",
    "ambiguous_values",
    "as_answers",
    "check_ending",
    "crowded_tenants",
    "describe_past_attempt",
    "distil_recipe",
    "element_ref",
    "embed_goal",
    "explain_mismatch",
    "extract_lessons",
    "fill_text",
    "generalize_call",
    "list_acts",
    "list_unresolved_skills",
    "list_used_skills",
    "make_episode",
    "missing_parameters",
    "plan_recipe",
    "propose_remedy",
    "recall_background",
    "refresh_background",
    "replay_step",
    "store_learnings",
    "strip_values",
    "unknown_parameters",
    "watch_crowding",
]
