"""Web search: the port, the providers, and what may leave this machine in a query."""

from app.search.choice import NO_KEY, find_problem, open_search
from app.search.query import (
    Search,
    cite_source,
    clean_query,
    private_words,
    search_for,
    suffix_length,
)

__all__ = [
    "NO_KEY",
    "Search",
    "cite_source",
    "clean_query",
    "find_problem",
    "open_search",
    "private_words",
    "search_for",
    "suffix_length",
]
