"""What the rest needs from a search of the web."""

from typing import Protocol

from app.domain.background import WebResult


class Search(Protocol):
    """Searches the web."""

    @property
    def available(self) -> str | None:
        """None when it can be asked, else why not, in words for a person."""
        ...

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        """The best results, on these domains alone where any are given.

        Raises `SearchUnavailable`.
        """
        ...
