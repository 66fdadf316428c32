"""The web search port."""

from typing import Protocol

from app.domain.background import WebResult


class Search(Protocol):
    """A provider of web search."""

    @property
    def available(self) -> str | None:
        """None if search works, else the reason, worded for users."""
        ...

    async def find(
        self, query: str, *, domains: tuple[str, ...] = (), limit: int = 5
    ) -> tuple[WebResult, ...]:
        """The best results, limited to these domains if any are given.

        Raises `SearchUnavailable`.
        """
        ...
