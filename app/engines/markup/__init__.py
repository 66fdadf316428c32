"""The page as markup: read, bounded, made into a skeleton, and searched for its controls."""

from app.engines.markup.controls import controls
from app.engines.markup.excerpt import cleaned, skeleton

__all__ = ["cleaned", "controls", "skeleton"]
