"""Text embeddings, accounted for; and those of the `wordllama` package, which carries its weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import wordllama

from app.domain.usage import CallUsage, UsageHook

DIMENSIONS = 256  # of the model inside the package
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embedded:
    """One row for each text, and the usage where they came over a wire; None where they were made
    in this process, which sends nothing and costs nothing.
    """

    vectors: Vectors
    usage: CallUsage | None = None


class Embedder(Protocol):
    """Turns texts into directions; each call that costs is accounted for."""

    @property
    def name(self) -> str:
        """Of the model and its size: vectors of other names mean nothing beside its own."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text (zeros for a text without a known word)."""
        ...


class EmbeddingSource(Protocol):
    """Where vectors come from. It is no `Embedder`: only `AccountedEmbedder` makes one of it."""

    @property
    def name(self) -> str:
        """Of the model and its size: vectors of other names mean nothing beside its own."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        ...

    def made(self, texts: Sequence[str]) -> Embedded:
        """One row of unit length per text (zeros for a text without a known word).

        Raises `EmbeddingFailed` for a call that came to nothing.
        """
        ...


class EmbeddingFailed(Exception):
    """A call over the wire without vectors; `usage` is what it took all the same."""

    def __init__(self, text: str, usage: CallUsage) -> None:
        super().__init__(text)
        self.usage = usage


class AccountedEmbedder:
    """The `Embedder` port on any source: each call over a wire is told to the hook."""

    def __init__(self, source: EmbeddingSource, hook: UsageHook) -> None:
        self._source = source
        self._hook = hook

    @property
    def name(self) -> str:
        """Of the model and its size."""
        return self._source.name

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        return self._source.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length per text (zeros for a text without a known word)."""
        try:
            made = self._source.made(texts)
        except EmbeddingFailed as failure:
            self._hook(failure.usage)
            raise
        if made.usage is not None:
            self._hook(made.usage)
        return made.vectors


@cache
def _weights() -> wordllama.WordLlamaInference:
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSIONS, disable_download=True)


class WordLlama:
    """Static word vectors, averaged, in this process; about 6 ms for 1,000 short texts."""

    def __init__(self) -> None:
        """Load the weights (about 0.3 s, 25 MB), once for the process: they never change."""
        self._model = _weights()

    @property
    def name(self) -> str:
        """As chunks of documents keep it."""
        return f"wordllama-{DIMENSIONS}"

    @property
    def dimensions(self) -> int:
        """256."""
        return DIMENSIONS

    def made(self, texts: Sequence[str]) -> Embedded:
        """One row of unit length per text; zeros for an empty one."""
        rows = np.asarray(self._model.embed([text or " " for text in texts]), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        vectors = np.nan_to_num(rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return Embedded(vectors)
