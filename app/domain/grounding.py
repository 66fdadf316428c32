"""Which element a phrase means, how surely, and what else it could mean."""

from typing import Literal

from app.domain.base import Value


class Candidate(Value):
    """An element that may be meant. `score` in 0..1."""

    id: str
    role: str
    name: str
    group: str = ""
    score: float


class Grounding(Value):
    """The outcome of looking for a target.

    `found`: `chosen` holds the element (or elements, when the target asked for all), with a
    calibrated `confidence`. `ambiguous`: several fit as well and a person could tell them apart.
    `absent`: nothing fits. `candidates` are the best few, best first, in every case. `about` is the
    phrase that was looked for, where it is ambiguous.
    """

    outcome: Literal["found", "ambiguous", "absent"]
    chosen: tuple[str, ...] = ()
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    about: str = ""
