"""The page as markup: tokenized, shortened, outlined, and searched for controls."""

from app.page.markup.controls import list_controls
from app.page.markup.excerpt import clean_markup, outline_markup

__all__ = ["clean_markup", "list_controls", "outline_markup"]
