"""What was found for a question."""

from dataclasses import dataclass

from app.domain.chat import Evidence
from app.domain.knowledge import Confidence

WEAK = 0.5  # below it the person is asked how to go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What was found, best first; `score` in 0..1 is that of the best. `nothing_to_search`: the tenant, or
    the set, has no documents.
    """

    passages: tuple[Evidence, ...] = ()
    confidence: Confidence = "low"
    score: float = 0.0
    nothing_to_search: bool = False

    @property
    def weak(self) -> bool:
        """Whether it is too little to answer from unasked."""
        return self.score < WEAK
