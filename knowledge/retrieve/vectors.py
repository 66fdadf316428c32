"""Directions of chunks: compared at once in 32 bits, and in full where there is more to compare."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

COARSE = 256  # numbers that all are compared by; models are trained so that the first say most
Floats = npt.NDArray[np.float32]
_STEPS = 127.0


@dataclass(frozen=True, slots=True)
class Vectors:
    """`coarse` holds the first `COARSE` numbers of each, of unit length again; `fine` all of them in
    8 bits with the size of a step, where there are more. Rows of zeros have no vector; of no numbers at
    all are those that the server searches.
    """

    coarse: Floats
    fine: npt.NDArray[np.int8]
    steps: Floats

    @classmethod
    def of(cls, given: Sequence[Floats | None], dimensions: int) -> "Vectors":
        """Of one row each, None for a chunk whose vector another model made."""
        whole = np.zeros((len(given), dimensions), np.float32)
        for at, vector in enumerate(given):
            if vector is not None and len(vector) == dimensions:
                whole[at] = vector
        if dimensions <= COARSE:
            return cls(whole, np.zeros((len(given), 0), np.int8), np.zeros(0, np.float32))
        steps = np.abs(whole).max(axis=1, initial=0.0) / _STEPS
        fine = np.rint(whole / np.where(steps > 0, steps, 1.0)[:, None]).astype(np.int8)
        return cls(unit(whole[:, :COARSE]), fine, steps.astype(np.float32))

    @property
    def bytes(self) -> int:
        """What they take."""
        return int(self.coarse.nbytes + self.fine.nbytes + self.steps.nbytes)

    def near(self, query: Floats) -> Floats:
        """The cosine of each with the query by their first numbers."""
        if not self.coarse.shape[1]:
            return np.zeros(len(self.coarse), np.float32)
        # As fast as BLAS for one query, whose threads wait for each other on a busy machine.
        return np.asarray(
            np.einsum("ij,j->i", self.coarse, unit(query[None, :COARSE])[0]), dtype=np.float32
        )

    def exact(self, query: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """The cosine of these rows with the query by all numbers."""
        if not self.coarse.shape[1]:
            return np.zeros(len(rows), np.float32)
        if not self.fine.shape[1]:
            return np.asarray(self.coarse[rows] @ query, dtype=np.float32)
        whole = self.fine[rows].astype(np.float32) @ query
        return np.asarray(whole * self.steps[rows], dtype=np.float32)

    def taken(self, used: npt.NDArray[np.bool_]) -> "Vectors":
        """Those of these rows."""
        steps = self.steps[used] if len(self.steps) else self.steps
        return Vectors(self.coarse[used], self.fine[used], steps)

    @classmethod
    def joined(cls, parts: Sequence["Vectors"]) -> "Vectors":
        """One after the other."""
        return cls(
            np.concatenate([part.coarse for part in parts]),
            np.concatenate([part.fine for part in parts]),
            np.concatenate([part.steps for part in parts]),
        )


def unit(rows: Floats) -> Floats:
    """Of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
