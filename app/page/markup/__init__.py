"""The page as markup: read, bounded, made into a skeleton, and searched for its controls."""

from app.page.markup.controls import controls
from app.page.markup.excerpt import cleaned, skeleton

__all__ = ["cleaned", "controls", "skeleton"]
