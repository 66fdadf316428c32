"""Finding something out on the web: asked, judged, asked better, and cited."""

from app.engines.searching.domain import site_of
from app.engines.searching.private import private_words
from app.engines.searching.query import cleaned
from app.engines.searching.search import TRIES, search_for

__all__ = ["TRIES", "cleaned", "private_words", "search_for", "site_of"]
