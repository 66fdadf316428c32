"""Notes on what a crawl left out, as sentences for users."""

from collections import Counter
from enum import StrEnum


class Skip(StrEnum):
    """Why a URL was not read."""

    DISALLOWED = "disallowed by robots.txt"
    TRAP = "part of an endless series"
    UNSUPPORTED = "unsupported file type"
    OFF_SITE = "redirects to another site"
    NOINDEX = "marked noindex"
    PAGE_LIMIT = "page limit reached"


class CrawlNotes:
    """Collects sentences, and counts skipped URLs by reason."""

    def __init__(self) -> None:
        self._skipped: Counter[Skip] = Counter()
        self._sentences: dict[str, None] = {}

    def count_skipped(self, why: Skip, count: int = 1) -> None:
        self._skipped[why] += count

    def add(self, sentence: str) -> None:
        """Add a sentence unless it is already there."""
        self._sentences[sentence] = None

    def sentences(self) -> tuple[str, ...]:
        """All sentences, the counts last."""
        counted = (
            f"{count} {'URL' if count == 1 else 'URLs'} skipped: {why}."
            for why, count in self._skipped.items()
            if count
        )
        return (*self._sentences, *counted)
