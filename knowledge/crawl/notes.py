"""What a crawl left out, counted by the reason, and said in sentences."""

from collections import Counter

DISALLOWED = "the site's robots.txt does not want them fetched"
TRAPS = "there seem to be endlessly many of their kind"
NOT_READ = "they are of a kind that is not read"
ELSEWHERE = "they lead to another site"
NOINDEX = "they ask not to be indexed"
TWICE = "they are the same page as another"
ROOM = "the limit of pages was reached"


class Notes:
    """Sentences, and counts of addresses that were left out."""

    def __init__(self) -> None:
        self._left_out: Counter[str] = Counter()
        self._said: dict[str, None] = {}

    def left_out(self, why: str, count: int = 1) -> None:
        """So many addresses were not read, because `why`."""
        self._left_out[why] += count

    def say(self, sentence: str) -> None:
        """Say it, once."""
        self._said[sentence] = None

    def told(self) -> tuple[str, ...]:
        """All sentences."""
        counted = (
            f"{count} {'address was' if count == 1 else 'addresses were'} left out: {why}."
            for why, count in self._left_out.items()
            if count
        )
        return (*self._said, *counted)
