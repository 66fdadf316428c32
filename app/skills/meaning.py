"""A goal as a direction, for what is like it."""

from dataclasses import dataclass

from app.domain.directive import Instruction
from app.domain.embedder import Embedder
from app.skills.lessons.goals import value_free, values


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A goal's embedding, of unit length, and the name of the model that made it; both empty without
    one.
    """

    vector: tuple[float, ...] = ()
    embedder: str = ""


def meaning_of(goal: str, instruction: Instruction | None, embedder: Embedder | None) -> Meaning:
    """The meaning of the goal, its values left out."""
    if embedder is None:
        return Meaning()
    plain = value_free(goal, values(instruction))
    vector = embedder.embed([plain])[0]
    name = f"{type(embedder).__name__}/{embedder.dimensions}"
    return Meaning(vector=tuple(float(part) for part in vector), embedder=name)
