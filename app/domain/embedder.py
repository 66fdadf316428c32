"""What skills and episodes need of a text embedder."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns short texts into directions."""

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text (zeros for a text without a known word)."""
        ...
