"""Lessons of verified corrections, and their use at the next failure."""

from app.skills.lessons.extraction import (
    extract_lessons,
    list_unresolved_skills,
    list_used_skills,
    skill_hints,
)
from app.skills.lessons.remedy import propose_remedy, rank_skills

__all__ = [
    "extract_lessons",
    "list_unresolved_skills",
    "list_used_skills",
    "propose_remedy",
    "rank_skills",
    "skill_hints",
]
