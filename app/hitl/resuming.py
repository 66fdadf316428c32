"""Where a run goes on after an answer: one table, to which each graph adds its own nodes."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.hitl import HitlResult

PLANNING = "planning/replan"


class ResumeRouter:
    """`returnTo` as `node/mode` to the graph node that takes the answer up."""

    def __init__(self, routes: Mapping[str, str], *, refused: str | None = PLANNING) -> None:
        self._routes = MappingProxyType(dict(routes))
        self._refused = refused

    def destination(self, result: HitlResult) -> str:
        """The node that goes on with the answer; a refusal goes to one place, as a fact, where there is one.

        Raises `KeyError` for a `returnTo` that nobody registered.
        """
        if result.decision == "refused" and self._refused is not None:
            return self._routes[self._refused]
        return self._routes[result.return_to]

    @property
    def nodes(self) -> frozenset[str]:
        """Every node that an answer may lead to."""
        return frozenset(self._routes.values())
