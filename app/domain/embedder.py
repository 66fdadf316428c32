"""The text embedder that skills and episodes need."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Maps short texts to unit vectors."""

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit-length row per text; zeros for a text without a known word."""
        ...
