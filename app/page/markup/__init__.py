"""The page as markup: read, bounded, made into a skeleton, and searched for its controls."""

from app.page.markup.controls import list_controls
from app.page.markup.excerpt import clean_markup, outline_markup

__all__ = ["clean_markup", "list_controls", "outline_markup"]
